"""The pictures of graphs: frames, ledgers, the marks of their rows, and the figure."""

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
)
from dmlib.similarity.graphs_similarity.figures.from_one_source import from_one_source_data
from dmlib.similarity.graphs_similarity.scene import graphs_similarity_scene
from tests.pictures.examples import at
from tests.runs import stopped

MODELS = [
    ShortestPaths(),
    SingleSourcePaths(),
    SingleSourcePaths("breadth-first"),
    GraphKernel(),
    GraphEditDistance(),
    NodeCentrality(),
]


def scene_of(G, model, **options):
    return graphs_similarity_scene(Run.of(prepare_graph(G), model, **options))


def formulas(frame):
    return [block.text for block in frame.ledger if isinstance(block, Formula)]


def disjoint(*graphs):
    """Return the graphs as the components of one."""
    return nx.disjoint_union_all(graphs)


def weighted_graph(*edges):
    G = nx.Graph()
    G.add_weighted_edges_from(edges)
    return G


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_the_mean_distance_is_that_of_networkx(kind):
    G = nx.cycle_graph(5, create_using=kind)
    (text,) = (
        text
        for text in formulas(scene_of(G, ShortestPaths()).frames[-1])
        if text.startswith("mean distance")
    )
    assert float(text.split(" = ")[-1]) == pytest.approx(nx.average_shortest_path_length(G), 1e-3)


def test_pairs_without_a_path_have_no_mean_distance():
    G = nx.Graph([("a", "b")])
    G.add_node("c")
    assert not any("mean" in text for text in formulas(scene_of(G, ShortestPaths()).frames[-1]))


def test_the_ledger_has_the_minimum():
    G = weighted_graph(("a", "b", 9), ("a", "c", 2), ("b", "c", 3))
    scene = scene_of(G, ShortestPaths())
    frame = scene.frames[3]
    assert frame.caption == "Paths may lead through c too: 1 pair has a shorter path."
    assert formulas(frame) == ["D(a, b) = min(9, 2 + 3) = 5"]
    last = formulas(scene.frames[-1])
    assert "W = Σ D(i, j) over i < j = 10, the Wiener index" in last
    assert "mean distance: 2 W / (n (n − 1)) = 2 · 10 / (3 · 2) = 3.333" in last
    image = next(mark for mark in scene.marks if isinstance(mark, Raster))
    assert np.count_nonzero(at(image.pixels, 0) != at(image.pixels, -1)) == 2


def test_an_edit_has_its_bound():
    scene = scene_of(disjoint(nx.path_graph(3), nx.cycle_graph(3)), GraphEditDistance())
    assert formulas(scene.frames[0])[0] == "f = g + h = 0 + 1 = 1"
    assert scene.frames[-1].caption.startswith("Done. The edit distance is 1:")


def test_every_round_and_the_end_have_an_isomorphism_test():
    scene = scene_of(disjoint(nx.path_graph(4), nx.star_graph(3)), GraphKernel(n_iter=1))
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
    cycles = disjoint(nx.cycle_graph(5), nx.cycle_graph(5))
    last = scene_of(cycles, GraphKernel(kernel)).frames[-1]
    assert last.caption.endswith("; they are isomorphic.")
    regular = disjoint(nx.circular_ladder_graph(3), nx.complete_bipartite_graph(3, 3))
    last = scene_of(regular, GraphKernel(kernel)).frames[-1]
    assert last.caption.endswith("; they are not isomorphic.")
    test = next(text for text in formulas(last) if "isomorphism test" in text)
    assert ("no mapping keeps the edges" in test) == (kernel != "graphlet")
    last = scene_of(regular, GraphEditDistance()).frames[-1]
    assert "isomorphism test: the graphs are not isomorphic" in formulas(last)


# --- rows of the ledger and their marks -----------------------------------------------------------


def table_of(frame, *head):
    """Return the table of a frame with these first columns."""
    tables = [block for block in frame.ledger if not isinstance(block, Formula)]
    return next(table for table in tables if table.head[: len(head)] == head)


def parts(scene, table, row, channel, kind=Rects, frame=-1):
    """Return a channel of the parts of each mark that a row of a table highlights."""
    values = []
    for mark in scene.marks:
        if isinstance(mark, kind) and mark.of == table.by:
            is_part = np.ravel(at(mark.numbers, frame)) == table.numbers[row]
            values.append(np.ravel(at(getattr(mark, channel), frame))[is_part].tolist())
    return values


def test_labels_and_rounds_answer_to_bars_and_nodes():
    scene = scene_of(disjoint(nx.path_graph(4), nx.star_graph(3)), GraphKernel(n_iter=1))
    table = table_of(scene.frames[1], "label")
    assert len(table.rows) == 3
    for k, (_, _, first, second) in enumerate(table.rows):
        assert parts(scene, table, k, "x1", frame=1) == [[first], [second]]
        (symbols,) = parts(scene, table, k, "symbol", Points, frame=1)
        assert (symbols.count(0), symbols.count(1)) == (first, second)  # circles: first graph
    for head, frame, kernel in (("round", -1, "weisfeiler-lehman"), ("edges", 2, "random-walk")):
        G = disjoint(nx.path_graph(4), nx.star_graph(3))
        scene = scene_of(G, GraphKernel(kernel, n_iter=2))
        table = table_of(scene.frames[frame], head)
        heights = [parts(scene, table, k, "y1", frame=frame)[-1][0] for k in range(3)]
        assert heights == pytest.approx([row[1] for row in table.rows])


def test_pairs_and_nodes_of_a_path_answer_to_cells_and_nodes():
    G = weighted_graph(("a", "b", 9), ("a", "c", 2), ("b", "c", 3))
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
    G = weighted_graph((0, 1, 9), (0, 2, 2), (2, 1, 3), (1, 3, 1))
    scene = scene_of(G, model)
    table = next(block for block in scene.frames[-1].ledger if column in getattr(block, "head", ()))
    names = next(panel for panel in scene.panels if panel.name != "data").y.ticks
    assert len(table.rows) == 4
    for k, row in enumerate(table.rows):
        cells = dict(zip(table.head, row, strict=True))
        name = cells.get("to", cells.get("node", ""))
        assert parts(scene, table, k, "x1") == [[pytest.approx(cells[column], abs=1e-4)]]
        assert names[round(parts(scene, table, k, "y0")[0][0] + 0.35)] == name
        assert parts(scene, table, k, "x", Points) == [[prepare_graph(G).positions[int(name), 0]]]


def test_candidates_and_a_mapping_answer_to_bars_and_nodes():
    G = disjoint(nx.path_graph(3), nx.path_graph(2))
    scene = scene_of(G, GraphEditDistance())
    candidates = table_of(scene.frames[0], "becomes")
    mapping = table_of(scene.frames[-1], "node", "becomes")
    for k, (_, g, _, f) in enumerate(candidates.rows):
        assert parts(scene, candidates, k, "x1", frame=0) == [[float(g)], [float(f)]]
    assert "deleted" in [row[1] for row in mapping.rows]
    for k, row in enumerate(mapping.rows):
        places = [prepare_graph(G).positions[int(name), 0] for name in row if name != "deleted"]
        assert sorted(parts(scene, mapping, k, "x", Points)[0]) == sorted(places)
        assert len(parts(scene, mapping, k, "x0", Segments)[0]) == len(places) - 1


def test_common_walks_of_shorter_lengths_stay():
    G = disjoint(nx.path_graph(2), nx.path_graph(3))
    scene = scene_of(G, GraphKernel("random-walk", n_iter=2))
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


def test_a_graph_without_features_has_no_share_of_another():
    G = disjoint(nx.empty_graph(1), nx.path_graph(2))
    G.add_nodes_from((i, {"graph": "one" if i else "two"}) for i in G)
    scene = scene_of(G, GraphKernel("shortest-path"))
    caption = scene.frames[-1].caption
    assert caption == "Done. The kernel of the two graphs is 0; they are not isomorphic."


def test_pairs_at_a_distance_are_drawn():
    G = disjoint(nx.path_graph(3), nx.path_graph(3))
    scene = scene_of(G, GraphKernel("shortest-path"))
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
    texts = [text for text in formulas(scene.frames[-1]) if " = " in text]
    assert len(texts) == 1 + (fitted.scores_.argmax() != 1)
    for text in texts:
        *_, term, number = text.replace("·", "*").replace("−", "-").split(" = ")
        assert eval(term) == pytest.approx(float(number), rel=2e-3)


def test_three_searches_agree():
    G = weighted_graph((0, 1, 9), (0, 2, 2), (2, 1, 3))
    data = from_one_source_data(Run.of(prepare_graph(G), ShortestPaths()))
    assert data.names == ["0", "2", "1"]
    assert data.floyd == data.dijkstra == [0, 2, 5]
    assert data.edges == [0, 1, 1]
    run = Run.of(prepare_graph(nx.DiGraph([(0, 1, {"weight": -1})])), ShortestPaths())
    with pytest.raises(ValueError, match="negative length"):
        from_one_source_data(run)
