"""What is special on the page of graphs: presets, the lesson, drawn and uploaded graphs, its pictures."""

from functools import partial

import networkx as nx
import numpy as np
import pytest

from dmlib.pictures.encode import encode
from dmlib.pictures.ledger import Formula
from dmlib.pictures.marks import Points, Raster, Rects, Segments
from dmlib.pictures.run import Run
from dmlib.problem import prepare_graph
from dmlib.similarity import (
    GraphEditDistance,
    GraphKernel,
    NodeCentrality,
    ShortestPaths,
    SingleSourcePaths,
    is_isomorphic,
    wiener_index,
)
from dmlib.similarity.graphs_similarity.figures.from_one_source import from_one_source_data
from dmlib.similarity.graphs_similarity.graphs import two_graphs
from dmlib.similarity.graphs_similarity.scene import graphs_similarity_scene
from tests.contract.test_lessons import section, text_of
from tests.pictures.examples import at
from tests.runs import stopped
from tests.visit import open_preset, say, sound, stage, told, visit, watched_runs

SLUG = "graphs_similarity"
MODELS = [
    ShortestPaths(),
    SingleSourcePaths(),
    SingleSourcePaths("breadth-first"),
    GraphKernel(),
    GraphEditDistance(),
    NodeCentrality(),
]

run_of = partial(open_preset, SLUG)


# Presets and lesson
# ---------------------------------------------------------------------------------------------------


def test_square_and_triangle():
    run, _, said = run_of("A square and a triangle")
    assert (run.fitted.value_, run.fitted.terms_.tolist()) == (62, [36, 18, 8, 0])
    assert "36 + 18 + 8 + 0 = 62" in said
    labels = [step.round.counts for step in run.trace.steps if step.phase == "count"]
    assert [one == other for one, other in labels] == [True, True, False, False]
    row = next(
        line for line in section(text_of(SLUG), "By hand").splitlines() if line.startswith("| adds")
    )
    assert [int(cell) for cell in row.split("|")[2:-1]] == [36, 18, 8, 0]


def test_longer_edge():
    run = run_of("The longer edge").run
    assert ([v + 1 for v in run.fitted.path_], run.fitted.value_) == ([1, 3, 4, 2], 7)
    through = [step.distances[0, 1] for step in run.trace.steps if step.phase == "through"]
    row = next(
        line
        for line in section(text_of(SLUG), "By hand").splitlines()
        if line.startswith("| D(1, 2)")
    )
    assert [int(cell) for cell in row.split("|")[2:-1]] == through[:4] == [9, 9, 9, 7]


def test_nearest_first():
    run, _, said = run_of("The nearest node first")
    assert ([v + 1 for v in run.fitted.order_], run.fitted.value_) == ([1, 3, 4, 2, 5, 6], 7)
    assert "1, 3, 4, 2, 5 and 6" in said
    rows = [
        line for line in section(text_of(SLUG), "By hand").splitlines() if line.startswith("| d(")
    ]
    settled = [step.distances for step in run.trace.steps if step.phase == "settle"][:4]
    for row, node in zip(rows, (1, 2, 3, 4), strict=True):
        cells = [float(cell.strip().replace("∞", "inf")) for cell in row.split("|")[2:-1]]
        assert cells == [float(d[node]) for d in settled], row


def test_fewest_edges():
    run, _, said = run_of("The fewest edges")
    assert (run.fitted.value_, [v + 1 for v in run.fitted.path_]) == (1, [1, 2])
    assert "1 edge" in said


def test_city():
    run, _, said = run_of("Through a city")
    assert (len(run.fitted.path_) - 1, run.fitted.value_, run.fitted.wiener_index_) == (8, 25, 3376)
    assert "8 edges and is 25 long" in said


def test_relabelling_cannot_tell():
    run = run_of("Relabelling cannot tell").run
    assert run.fitted.value_ == pytest.approx(1)
    other = run_of("Relabelling cannot tell", kernel="shortest-path").run
    assert other.fitted.value_ < 0.99
    assert not is_isomorphic(*two_graphs(run.problem.graph))


def test_common_walks():
    run, _, said = run_of("Common walks")
    assert run.fitted.terms_[:3] == pytest.approx([36, 14.4, 6.76])
    assert "36 pairs of nodes, 144 common walks of one edge and 676 of two" in said


def test_two_edits():
    run, _, said = run_of("Two edits apart")
    assert (run.fitted.value_, run.fitted.exact_, run.fitted.n_expanded_) == (2, True, 35)
    assert "extended 35 mappings" in said


def test_leaders():
    run, _, said = run_of("The leaders of a club")
    order = np.argsort(-run.fitted.scores_)
    assert ([run.problem.names[i] for i in order[:2]], round(run.fitted.value_, 4)) == (
        ["33", "0"],
        0.1009,
    )
    other = run_of("The leaders of a club", measure="betweenness").run
    assert other.problem.names[int(other.fitted.scores_.argmax())] == "0"
    assert f"0 leads with {other.fitted.value_:.4g}" in said


def test_answers_of_the_lesson():
    assert wiener_index(nx.path_graph(4)) == 10
    assert "3 + 4 + 3 = **10**" in text_of(SLUG)


# Drawn graphs and files
# -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "method", ["Graph kernel", "Shortest paths", "Edit distance", "Centrality"]
)
def test_a_file_of_edges(method):
    page = visit(SLUG, source="upload", **{f"{SLUG}.method": method})
    page.file_uploader[0].upload("edges.csv", b"from,to,weight\na,b,9\nb,c,5\nd,e,2\n", "text/csv")
    assert stage(sound(page.run()))["frames"][-1]["caption"].startswith("Done.")


def test_a_file_names_two_graphs_of_which_one_is_not_connected():
    page = visit(SLUG, source="upload", **{f"{SLUG}.kernel": "shortest-path"})
    edges = b"graph,from,to\n1,a,b\n1,b,c\n1,d,e\n2,a,b\n2,b,c\n2,c,d\n2,d,e\n3,a,b\n"
    page.file_uploader[0].upload("two.csv", edges, "text/csv")
    scene = stage(sound(page.run()))
    assert "Of 3 graphs the first two are compared." in scene["notes"]
    assert scene["frames"][-1]["caption"].startswith(
        "Done. The kernel of the two graphs is 15, "
    )  # 3 · 4 + 1 · 3


def test_a_negative_length_is_refused():
    page = visit(SLUG, source="upload", **{f"{SLUG}.method": "Shortest paths"})
    page.file_uploader[0].upload("edges.csv", b"from,to,weight\na,b,-9\nb,c,5\n", "text/csv")
    assert "to and fro" in " ".join(told(sound(page.run())))


def test_a_file_of_arrows_may_have_negative_lengths_but_no_negative_cycle():
    arrows = b"from,to,weight\na,b,4\na,c,2\nb,c,-3\nc,d,%s\nd,b,1\n"
    link = {
        "source": "upload",
        "directed": "true",
        f"{SLUG}.method": "Shortest paths",
        f"{SLUG}.target": "4",
    }
    for last, said in (
        (b"3", "from a to d has 3 edges and the length 4"),
        (b"1", "has a negative length, so no path"),
    ):
        page = visit(SLUG, **link)
        page.file_uploader[0].upload("arrows.csv", arrows % last, "text/csv")
        assert said in stage(sound(page.run()))["frames"][-1]["caption"]


def test_drawn_edges_have_directions_if_that_is_asked_for():
    drawn = {
        "base": "graph",
        "points": [[1, 1, 0], [5, 5, 0], [9, 1, 0]],
        "edges": [[1, 0], [2, 1]],
    }
    for link, arrows in (
        ({}, [("1", "2"), ("2", "3")]),
        ({"directed": "true"}, [("2", "1"), ("3", "2")]),
    ):
        page = visit(SLUG, **link, **{f"{SLUG}.method": "Centrality"})
        with watched_runs() as seen:
            sound(say(page, edited=drawn))
        assert sorted(seen[-1].problem.graph.edges) == arrows


def test_the_other_pages_begin_to_draw_with_their_graph():
    assert len(stage(visit("graph_clustering", source="draw"))["edit"]["points"]) == 6
    assert len(stage(visit(SLUG))["edit"]["points"]) == 12


# Pictures and figures
# -------------------------------------------------------------------------------------------------


def scene_of(G, model, **asked):
    return graphs_similarity_scene(Run.of(prepare_graph(G), model, **asked))


def formulas(frame):
    return [block.text for block in frame.ledger if isinstance(block, Formula)]


def test_the_ledger_has_the_minimum():
    G = nx.Graph()
    G.add_weighted_edges_from([("a", "b", 9), ("a", "c", 2), ("b", "c", 3)])
    scene = scene_of(G, ShortestPaths())
    frame = scene.frames[3]
    assert frame.caption == "Paths may lead through c too: 1 pair has a shorter path."
    assert formulas(frame) == ["D(a, b) = min(9, 2 + 3) = 5"]
    assert "W = Σ D(i, j) over i < j = 10, the Wiener index" in formulas(scene.frames[-1])
    image = next(mark for mark in scene.marks if isinstance(mark, Raster))
    assert np.count_nonzero(at(image.pixels, 0) != at(image.pixels, -1)) == 2


def test_an_edit_has_its_bound():
    scene = scene_of(nx.disjoint_union(nx.path_graph(3), nx.cycle_graph(3)), GraphEditDistance())
    assert formulas(scene.frames[0])[0] == "f = g + h = 0 + 1 = 1"
    assert scene.frames[-1].caption.startswith("Done. The edit distance is 1:")


def test_every_round_and_the_end_say_what_they_tell_about_isomorphism():
    scene = scene_of(nx.disjoint_union(nx.path_graph(4), nx.star_graph(3)), GraphKernel(n_iter=1))
    tests = [
        next(text for text in formulas(frame) if "isomorphism test" in text)
        for frame in scene.frames[:2]
    ]
    assert [text.rpartition("are ")[2] for text in tests] == [
        "equal, which proves nothing",
        "not isomorphic",
    ]
    assert scene.frames[-1].caption.endswith("; they are not isomorphic.")
    assert (
        "isomorphism test: relabelling 1: the counts differ, so the graphs are not isomorphic"
        in formulas(scene.frames[-1])
    )


@pytest.mark.parametrize(
    "kernel", ["weisfeiler-lehman", "shortest-path", "random-walk", "graphlet"]
)
def test_equal_counts_are_followed_by_a_search_for_a_mapping(kernel):
    same = scene_of(
        nx.disjoint_union(nx.cycle_graph(5), nx.cycle_graph(5)), GraphKernel(kernel)
    ).frames[-1]
    assert same.caption.endswith("; they are isomorphic.")
    rings = nx.disjoint_union(nx.circular_ladder_graph(3), nx.complete_bipartite_graph(3, 3))
    other = scene_of(rings, GraphKernel(kernel)).frames[-1]
    assert other.caption.endswith("; they are not isomorphic.")
    said = next(text for text in formulas(other) if "isomorphism test" in text)
    assert ("no mapping keeps the edges" in said) == (kernel != "graphlet")
    edited = scene_of(rings, GraphEditDistance()).frames[-1]
    assert "isomorphism test: the graphs are not isomorphic" in formulas(edited)


# A row of the ledger, and what it answers to
# --------------------------------------------------------------------------


def table_of(frame, *head):
    """Return the table of a frame with these first columns."""
    return next(
        block
        for block in frame.ledger
        if not isinstance(block, Formula) and block.head[: len(head)] == head
    )


def parts(scene, table, row, channel, kind=Rects, frame=-1):
    """Return what the parts of marks that a row of a table lights have in a channel, mark by mark."""
    marks = [mark for mark in scene.marks if isinstance(mark, kind) and mark.of == table.by]
    found = []
    for mark in marks:
        values, numbers = (
            np.ravel(at(each, frame)) for each in (getattr(mark, channel), mark.numbers)
        )
        found.append(values[numbers == table.numbers[row]].tolist())
    return found


def test_labels_and_rounds_answer_to_bars_and_nodes():
    scene = scene_of(nx.disjoint_union(nx.path_graph(4), nx.star_graph(3)), GraphKernel(n_iter=1))
    table = table_of(scene.frames[1], "label")
    assert len(table.rows) == 3
    for k, (_, _, first, second) in enumerate(table.rows):
        assert parts(scene, table, k, "x1", frame=1) == [[first], [second]]
        (lit,) = parts(scene, table, k, "symbol", Points, frame=1)
        assert (lit.count(0), lit.count(1)) == (first, second)  # circles are of the first graph
    for head, frame, kernel in (("round", -1, "weisfeiler-lehman"), ("edges", 2, "random-walk")):
        scene = scene_of(
            nx.disjoint_union(nx.path_graph(4), nx.star_graph(3)), GraphKernel(kernel, n_iter=2)
        )
        table = table_of(scene.frames[frame], head)
        heights = [parts(scene, table, k, "y1", frame=frame)[-1][0] for k in range(3)]
        assert heights == pytest.approx([row[1] for row in table.rows])


def test_pairs_and_nodes_of_a_path_answer_to_cells_and_nodes():
    G = nx.Graph()
    G.add_weighted_edges_from([("a", "b", 9), ("a", "c", 2), ("b", "c", 3)])
    for graph, cells in ((G, [1, 3]), (nx.DiGraph(G), [1])):
        scene = scene_of(graph, ShortestPaths())
        table = table_of(scene.frames[3], "pair")
        assert table.rows[0][0] == "a – b"
        image = next(mark for mark in scene.marks if isinstance(mark, Raster))
        assert np.flatnonzero(at(image.numbers, 3) == table.numbers[0]).tolist() == cells
    positions = prepare_graph(G).positions
    table = table_of(scene.frames[-1], "to")
    for k, (name, *_) in enumerate(table.rows):
        assert parts(scene, table, k, "x", Points) == [[positions["abc".index(name), 0]]]


@pytest.mark.parametrize(
    ("model", "column"), [(SingleSourcePaths(), "distance"), (NodeCentrality(), "score")]
)
def test_nodes_of_the_ledger_answer_to_their_bars_and_nodes(model, column):
    G = nx.Graph()
    G.add_weighted_edges_from([(0, 1, 9), (0, 2, 2), (2, 1, 3), (1, 3, 1)])
    scene = scene_of(G, model)
    table = next(block for block in scene.frames[-1].ledger if column in getattr(block, "head", ()))
    names = next(panel for panel in scene.panels if panel.name != "data").y.ticks
    assert len(table.rows) == 4
    for k, row in enumerate(table.rows):
        told = dict(zip(table.head, row, strict=True))
        name = told.get("to", told.get("node", ""))
        assert parts(scene, table, k, "x1") == [[pytest.approx(told[column], abs=1e-4)]]
        assert names[round(parts(scene, table, k, "y0")[0][0] + 0.35)] == name
        assert parts(scene, table, k, "x", Points) == [[prepare_graph(G).positions[int(name), 0]]]


def test_candidates_and_a_mapping_answer_to_bars_and_nodes():
    G = nx.disjoint_union(nx.path_graph(3), nx.path_graph(2))
    scene = scene_of(G, GraphEditDistance())
    candidates, mapping = (
        table_of(scene.frames[0], "becomes"),
        table_of(scene.frames[-1], "node", "becomes"),
    )
    for k, (_, g, _, f) in enumerate(candidates.rows):
        assert parts(scene, candidates, k, "x1", frame=0) == [[float(g)], [float(f)]]
    assert "deleted" in [row[1] for row in mapping.rows]
    for k, row in enumerate(mapping.rows):
        places = [prepare_graph(G).positions[int(name), 0] for name in row if name != "deleted"]
        assert sorted(parts(scene, mapping, k, "x", Points)[0]) == sorted(places)
        assert len(parts(scene, mapping, k, "x0", Segments)[0]) == len(places) - 1


def test_common_walks_of_shorter_lengths_stay():
    scene = scene_of(
        nx.disjoint_union(nx.path_graph(2), nx.path_graph(3)), GraphKernel("random-walk", n_iter=2)
    )
    first, second = (
        at(mark.x1, -1).tolist()
        for mark in scene.marks
        if isinstance(mark, Rects) and mark.panel == "counts"
    )
    # A path of three nodes has 9 pairs of nodes, and (1 + 2 + 1)² and (2 + 2 + 2)² walks; a single
    # edge always has 4.
    assert (first, second) == ([9, 16, 36], [4, 4, 4])


def test_edges_with_directions_have_arrows():
    for G, arrow in ((nx.path_graph(4), False), (nx.path_graph(4, nx.DiGraph), True)):
        edges = [mark for mark in scene_of(G, GraphKernel()).marks if isinstance(mark, Segments)]
        assert {mark.arrow for mark in edges} == {arrow}


def test_a_graph_that_has_nothing_to_count_has_no_share_of_another():
    G = nx.disjoint_union(nx.empty_graph(1), nx.path_graph(2))
    G.add_nodes_from((i, {"graph": "one" if i else "two"}) for i in G)
    scene = scene_of(G, GraphKernel("shortest-path"))
    assert (
        scene.frames[-1].caption
        == "Done. The kernel of the two graphs is 0; they are not isomorphic."
    )


def test_pairs_at_a_distance_are_drawn():
    scene = scene_of(
        nx.disjoint_union(nx.path_graph(3), nx.path_graph(3)), GraphKernel("shortest-path")
    )
    pairs = [mark for mark in scene.marks if isinstance(mark, Segments)][-1]
    assert [len(row) for row in pairs.x0.rows][:2] == [4, 2]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    "G",
    [
        nx.empty_graph(2),
        nx.path_graph(2),
        nx.DiGraph([(0, 1), (1, 2)]),
        nx.karate_club_graph(),
        nx.path_graph(45),
    ],
)
def test_awkward_graphs_have_a_picture(G, model):
    for selected in (None, 1):
        scene = scene_of(G, model, selected=selected)
        assert scene.frames[-1].caption.startswith("Done.")
        assert all(frame.caption and frame.ledger for frame in scene.frames)
        assert len(encode(scene)) < 150_000


def test_a_stopped_run_shows_the_graph():
    run = Run.of(prepare_graph(nx.path_graph(3)), ShortestPaths())
    assert graphs_similarity_scene(stopped(run, 2)).frames[0].caption.startswith("3 nodes")


@pytest.mark.parametrize(
    "measure", ["pagerank", "authority", "hub", "degree", "closeness", "betweenness"]
)
def test_the_ledger_writes_the_scores_out(measure):
    G = nx.DiGraph([(0, 1), (1, 2), (2, 0), (2, 3), (3, 1)])
    scene = scene_of(G, NodeCentrality(measure), selected=1)
    fitted = NodeCentrality(measure).fit(G)
    formulas = [block.text for block in scene.frames[-1].ledger if isinstance(block, Formula)]
    sums = [text.rpartition(" = ") for text in formulas if " = " in text]
    assert len(sums) == 1 + (fitted.scores_.argmax() != 1)
    for left, _, value in sums:
        term, number = (
            text.replace("·", "*").replace("−", "-") for text in (left.rpartition(" = ")[2], value)
        )
        assert eval(term) == pytest.approx(float(number), rel=2e-3)


def test_three_searches_agree():
    G = nx.Graph()
    G.add_weighted_edges_from([(0, 1, 9), (0, 2, 2), (2, 1, 3)])
    data = from_one_source_data(Run.of(prepare_graph(G), ShortestPaths()))
    assert (data.names, data.floyd, data.dijkstra, data.edges) == (
        ["0", "2", "1"],
        [0, 2, 5],
        [0, 2, 5],
        [0, 1, 1],
    )
    run = Run.of(prepare_graph(nx.DiGraph([(0, 1, {"weight": -1})])), ShortestPaths())
    with pytest.raises(ValueError, match="negative length"):
        from_one_source_data(run)
