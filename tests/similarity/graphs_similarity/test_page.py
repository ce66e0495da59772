"""The page of graphs: presets, the lesson, drawn and uploaded graphs."""

from functools import partial

import networkx as nx
import numpy as np
import pytest

from dmlib.datasets.molecules import hydrogens, parse_smiles
from dmlib.similarity import GraphKernel, is_isomorphic, wiener_index
from dmlib.similarity.graphs_similarity.graph_classifier import graph_classes
from dmlib.similarity.graphs_similarity.graphs import graph_list, two_graphs
from tests.contract.test_lessons import section, text_of
from tests.visit import open_preset, say, sentences_of, sound, stage, visit, watched_runs

SLUG = "graphs_similarity"
run_of = partial(open_preset, SLUG)


# --- presets and lesson ---------------------------------------------------------------------------


def table_rows(start):
    """Return the cells of the rows of the lesson's table "By hand" that begin with a text."""
    lines = section(text_of(SLUG), "By hand").splitlines()
    rows = [line.split("|")[2:-1] for line in lines if line.startswith(start)]
    return [[float(cell.strip().replace("∞", "inf")) for cell in row] for row in rows]


def test_square_and_triangle():
    run, _, text = run_of("A square and a triangle")
    assert (run.fitted.value_, run.fitted.terms_.tolist()) == (62, [36, 18, 8, 0])
    assert "36 + 18 + 8 + 0 = 62" in text
    labels = [step.round.counts for step in run.trace.steps if step.phase == "count"]
    assert [a == b for a, b in labels] == [True, True, False, False]
    assert table_rows("| adds") == [[36, 18, 8, 0]]


def test_longer_edge():
    run = run_of("The longer edge").run
    assert ([v + 1 for v in run.fitted.path_], run.fitted.value_) == ([1, 3, 4, 2], 7)
    through = [step.distances[0, 1] for step in run.trace.steps if step.phase == "through"]
    assert table_rows("| D(1, 2)") == [through[:4]] == [[9, 9, 9, 7]]


def test_nearest_first():
    run, _, text = run_of("The nearest node first")
    assert ([v + 1 for v in run.fitted.order_], run.fitted.value_) == ([1, 3, 4, 2, 5, 6], 7)
    assert "1, 3, 4, 2, 5 and 6" in text
    settled = [step.distances for step in run.trace.steps if step.phase == "settle"][:4]
    assert table_rows("| d(") == [[float(d[node]) for d in settled] for node in (1, 2, 3, 4)]


def test_fewest_edges():
    run, _, text = run_of("The fewest edges")
    assert (run.fitted.value_, [v + 1 for v in run.fitted.path_]) == (1, [1, 2])
    assert "1 edge" in text


def test_city():
    run, _, text = run_of("Through a city")
    assert (len(run.fitted.path_) - 1, run.fitted.value_, run.fitted.wiener_index_) == (8, 25, 3376)
    assert "8 edges and is 25 long" in text


def test_relabelling_cannot_tell():
    run = run_of("Relabelling cannot tell").run
    assert run.fitted.value_ == pytest.approx(1)
    by_paths = run_of("Relabelling cannot tell", kernel="shortest-path").run
    assert by_paths.fitted.value_ < 0.99
    assert not is_isomorphic(*two_graphs(run.problem.graph))


def test_common_walks():
    run, _, text = run_of("Common walks")
    assert run.fitted.terms_[:3] == pytest.approx([36, 14.4, 6.76])
    assert "36 pairs of nodes, 144 common walks of one edge and 676 of two" in text


def test_two_edits():
    run, _, text = run_of("Two edits apart")
    assert (run.fitted.value_, run.fitted.exact_, run.fitted.n_expanded_) == (2, True, 35)
    assert "extended 35 mappings" in text


def test_leaders():
    run, _, text = run_of("The leaders of a club")
    order = np.argsort(-run.fitted.scores_)
    assert [run.problem.names[i] for i in order[:2]] == ["33", "0"]
    assert round(run.fitted.value_, 4) == 0.1009
    run = run_of("The leaders of a club", measure="betweenness").run
    assert run.problem.names[int(run.fitted.scores_.argmax())] == "0"
    assert f"0 leads with {run.fitted.value_:.4g}" in text


def test_more_alike():
    title = "Which molecule is more alike"
    lesson = section(text_of(SLUG), "Molecules").splitlines()
    for name in ("1-propanol", "dimethyl ether"):
        run, _, text = run_of(title, **{"graphs.second": name})
        assert f"{run.fitted.value_:.3f}" in text
        (line,) = (line for line in lesson if line.startswith(f"| {name}"))
        first, second, k, value = (cell.split("=")[-1].strip() for cell in line.split("|")[2:-1])
        assert run.fitted.terms_.tolist() == [float(first), float(second)]
        assert run.fitted.terms_.sum() == float(k)
        assert value == f"{run.fitted.value_:.3f}"


def test_acids_and_alcohols():
    run, _, text = run_of("Acids and alcohols")
    _, names = graph_list(run.problem.graph)
    wrong = np.flatnonzero(run.fitted.predicted_ != graph_classes(run.problem.graph)[1])
    assert ([names[i] for i in wrong], len(names)) == (["methanol"], 18)
    assert "only methanol, of two atoms, is misclassified, 1 of 18" in text
    assert "17 of 18" in section(text_of(SLUG), "Molecules")
    run, _, text = run_of("Shape without elements")
    assert run.fitted.n_errors_ == 5
    assert run.fitted.predicted_[names.index("2-propanol")] == 0
    nearest = next(step for step in run.trace.steps if step.graph == names.index("2-propanol"))
    assert names[nearest.neighbors[0]] == "acetic acid"
    assert "5 of 18 are misclassified. With the elements, 1" in text


def test_fifty_molecules():
    run, _, text = run_of("Fifty molecules")
    graphs, names = graph_list(run.problem.graph)
    codes = graph_classes(run.problem.graph)[1]
    wrong = np.flatnonzero(run.fitted.predicted_ != codes)
    rings = [names[i] for i in wrong if not nx.is_tree(graphs[i])]
    assert (len(names), len(wrong), len(rings)) == (50, 8, 4)
    assert "42 of 50" in text
    assert "4 of the 8 that are not are rings" in text
    assert not set(wrong) & set(np.flatnonzero(codes == 0))
    assert run.fitted.classes_[0] == "acid"
    assert "42 of [fifty molecules]" in section(text_of(SLUG), "Molecules")


def test_chain_and_star():
    assert run_of("A chain and its isomer").run.fitted.wiener_index_ == 16
    chain = run_of("A chain and its isomer", **{"graphs.one": "pentane"})
    assert chain.run.fitted.wiener_index_ == 20
    assert "Wiener index 16" in chain.look_for
    assert "it has 20" in chain.look_for
    assert "16, pentane 20" in text_of(SLUG)


def test_bonds_are_not_counted():
    pair = [parse_smiles("CCO"), parse_smiles("CC=O")]
    assert GraphKernel(labels="class", normalize=True).fit(pair).value_ == pytest.approx(1)
    assert hydrogens(pair[0]) - hydrogens(pair[1]) == 2


def test_one_graph_is_not_compared_with_itself():
    page = visit(SLUG, source="library", data="molecules", **{"graphs.second": "ethane"})
    assert "ethane is chosen twice" in " ".join(sentences_of(sound(page)))


def test_answers_of_the_lesson():
    assert wiener_index(nx.path_graph(4)) == 10
    assert "3 + 4 + 3 = **10**" in text_of(SLUG)


# --- drawn graphs and files -----------------------------------------------------------------------


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
    assert "Of 3 graphs, 1 and 2 are taken." in scene["notes"]
    kernel = 3 * 4 + 1 * 3
    caption = scene["frames"][-1]["caption"]
    assert caption.startswith(f"Done. The kernel of the two graphs is {kernel}, ")


def test_a_negative_length_is_refused():
    page = visit(SLUG, source="upload", **{f"{SLUG}.method": "Shortest paths"})
    page.file_uploader[0].upload("edges.csv", b"from,to,weight\na,b,-9\nb,c,5\n", "text/csv")
    assert "to and fro" in " ".join(sentences_of(sound(page.run())))


def test_a_file_of_arrows_may_have_negative_lengths_but_no_negative_cycle():
    arrows = b"from,to,weight\na,b,4\na,c,2\nb,c,-3\nc,d,%s\nd,b,1\n"
    link = {
        "source": "upload",
        "directed": "true",
        f"{SLUG}.method": "Shortest paths",
        f"{SLUG}.target": "4",
    }
    for weight, text in (
        (b"3", "from a to d has 3 edges and the length 4"),
        (b"1", "has a negative length, so no path"),
    ):
        page = visit(SLUG, **link)
        page.file_uploader[0].upload("arrows.csv", arrows % weight, "text/csv")
        assert text in stage(sound(page.run()))["frames"][-1]["caption"]


def test_drawn_edges_have_directions_in_a_directed_graph():
    drawing = {
        "base": "graph",
        "points": [[1, 1, 0], [5, 5, 0], [9, 1, 0]],
        "edges": [[1, 0], [2, 1]],
    }
    for link, arrows in (
        ({}, [("1", "2"), ("2", "3")]),
        ({"directed": "true"}, [("2", "1"), ("3", "2")]),
    ):
        page = visit(SLUG, **link, **{f"{SLUG}.method": "Centrality"})
        with watched_runs() as runs:
            sound(say(page, edited=drawing))
        assert sorted(runs[-1].problem.graph.edges) == arrows


def test_the_other_pages_begin_to_draw_with_their_graph():
    assert len(stage(visit("graph_clustering", source="draw"))["edit"]["points"]) == 6
    assert len(stage(visit(SLUG))["edit"]["points"]) == 12


@pytest.mark.parametrize(
    ("method", "label"),
    [
        ("Graph kernel", "Kernel"),
        ("Shortest paths", "Distance"),
        ("Paths from one node", "Distance"),
        ("Edit distance", "Edit distance"),
        ("Centrality", "Largest centrality"),
    ],
)
def test_the_headline_is_called_what_it_is(method, label):
    page = visit("graphs_similarity", **{"graphs_similarity.method": method})
    (number,) = stage(sound(page))["results"][-1]
    assert number["label"] == label
