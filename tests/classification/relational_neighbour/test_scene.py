"""Picture, ledger and figures of the relational neighbour classifier agree with its steps."""

import networkx as nx
import numpy as np
import pytest

from dmlib.classification import WeightedVoteRelationalNeighbor
from dmlib.classification.relational_neighbour.figures.error_by_known import (
    error_by_known_data,
    plot_error_by_known,
)
from dmlib.classification.relational_neighbour.figures.mixing import mixing
from dmlib.classification.relational_neighbour.homophily import homophily
from dmlib.classification.relational_neighbour.scene import PALE, relational_neighbour_scene
from dmlib.datasets import load, make
from dmlib.pictures.ledger import Formula, LedgerTable
from dmlib.pictures.marks import NO_CLASS, Points, Segments
from dmlib.pictures.regions import errors
from dmlib.pictures.run import Run
from dmlib.problem import prepare_graph
from tests.classification.relational_neighbour.test_algorithm import FIVE, LABELS
from tests.pictures.examples import at
from tests.runs import stopped


def run_of(G, target=None, known_share=1.0, seed=0, selected=None, **params):
    problem = prepare_graph(
        G, target=target, labelled=True, known_share=known_share, random_state=seed
    )
    return Run.of(problem, WeightedVoteRelationalNeighbor(**params), selected=selected)


def five(**params):
    G = FIVE.copy()
    nx.set_node_attributes(G, dict(zip(G, LABELS, strict=True)), "class")
    return run_of(G, "class", **params)


def club(**params):
    return run_of(load("karate_club").graph, "club", known_share=0.1, **params)


def formulas(frame):
    return [block.text for block in frame.ledger if isinstance(block, Formula)]


def tables(frame):
    return {block.title: block.rows for block in frame.ledger if isinstance(block, LedgerTable)}


def test_the_vote_is_told_in_numbers():
    start, first, *_ = relational_neighbour_scene(five()).frames
    assert (
        start.caption == "2 of 5 labels are known; the other nodes start "
        "at the class frequencies of the known labels."
    )
    assert (
        first.caption == "Sweep 1: node 3 changes most, to P(A) = 0.75; 1 node changes its class."
    )
    assert formulas(first)[0] == "vote(A | 3) = (2·1 + 1·0.5 + 1·0.5) / 4 = 3 / 4 = 0.75"
    assert tables(first)["Votes on 3 for A"][0] == ("1", 2, 1, 2)
    assert tables(first)["Vote = Σ w · P / Σ w"] == [("A", 3, 4, 0.75), ("B", 1, 4, 0.25)]


@pytest.mark.parametrize("update", ["simultaneous", "in order"])
@pytest.mark.parametrize("decay", [1.0, 0.7])
def test_every_vote_that_is_told_is_that_of_the_sweep(update, decay):
    run = club(update=update, decay=decay)
    steps = run.trace.steps
    for node in np.flatnonzero(run.problem.test)[:8]:
        selected_run = Run(run.problem, run.trace, selected=int(node))
        for before, step, frame in zip(
            steps, steps[1:-1], relational_neighbour_scene(selected_run).frames[1:], strict=False
        ):
            votes = np.array([row[-1] for row in tables(frame)["Vote = Σ w · P / Σ w"]])
            mixed = step.beta * votes + (1 - step.beta) * before.proba[node]
            np.testing.assert_allclose(
                mixed, step.proba[node], atol=1e-4
            )  # it is told with four digits


def test_a_known_and_a_lonely_node_say_why_nobody_votes_on_them():
    assert (
        "1 is known: P(A) = 1"
        in formulas(relational_neighbour_scene(five(selected=0)).frames[-1])[0]
    )
    G = nx.Graph([(0, 1)])
    G.add_node(2)
    nx.set_node_attributes(G, {0: "a", 1: "b"}, "class")
    scene = relational_neighbour_scene(run_of(G, "class", selected=2))
    assert formulas(scene.frames[-1])[0] == "2 has no neighbours and keeps the start"
    assert "1 node has no path to a known label and keeps the start." in scene.frames[-1].caption


def test_colours_are_classes_and_the_stronger_the_surer():
    run = club()
    scene = relational_neighbour_scene(run)
    nodes = next(mark for mark in scene.marks if isinstance(mark, Points) and mark.data)
    labels = run.problem.training.y
    assert (at(nodes.color, 0)[labels < 0] == NO_CLASS).all()  # as many known labels of each class
    np.testing.assert_array_equal(at(nodes.color, -1), run.fitted.transduction_)
    first = run.fitted.label_distributions_.max(axis=1)
    np.testing.assert_allclose(at(nodes.opacity, -1), PALE + (1 - PALE) * (2 * first - 1))
    rings = next(
        mark for mark in scene.marks if isinstance(mark, Points) and mark.hollow is not None
    )
    assert len(at(rings.x, -1)) == (labels >= 0).sum() == 4


def test_voting_edges_are_those_of_the_node_that_changes_most():
    run = club()
    scene = relational_neighbour_scene(run)
    lit = next(
        mark for mark in scene.marks if isinstance(mark, Segments) and mark.color is not None
    )
    for i, step in enumerate(run.trace.steps):
        degree = run.problem.graph.degree[int(step.change.argmax())] if step.phase == "sweep" else 0
        assert len(at(lit.x0, i)) == degree


def test_the_curve_ends_at_the_test_error_of_every_classifier():
    run = club()
    scene = relational_neighbour_scene(run)
    ((name, size, wrong),) = errors(run.problem, run.fitted)
    assert (name, size, wrong) == ("test", 30, 1)
    end = next(mark for mark in scene.marks if isinstance(mark, Points) and mark.panel == "error")
    assert at(end.y, -1)[-1] == pytest.approx(wrong / size)
    assert scene.frames[-1].caption.endswith("1 of 30 held-out nodes is misclassified.")


def test_awkward_graphs_have_a_picture_or_a_sentence():
    assert (
        relational_neighbour_scene(five()).panels[-1].name == "data"
    )  # nothing is held out: no curve
    assert len(relational_neighbour_scene(stopped(club(), 2)).frames) == 2
    assert "directions" in " ".join(
        relational_neighbour_scene(run_of(make("random_graph", directed=True).graph)).notes
    )
    for G in (nx.empty_graph(3), nx.Graph([(0, 1, {"weight": 0})])):
        with pytest.raises(ValueError, match="neither classes nor edges"):
            prepare_graph(G, labelled=True)
    with pytest.raises(ValueError, match="All nodes are of one class"):
        run_of(nx.complete_graph(4))  # a single community


# Homophily, and the share of known labels
# -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["karate_club", "southern_women", "les_miserables"])
def test_homophily_counts_edges(name):
    data = load(name)
    problem = prepare_graph(data.graph, target=data.target, labelled=True)
    result = homophily(problem)
    ends = problem.y[problem.edges]
    assert result.same == (ends[:, 0] == ends[:, 1]).sum() == np.trace(result.mixing)
    assert result.n_edges == len(ends) == np.triu(result.mixing).sum()
    e = result.mixing + np.diag(np.diag(result.mixing))
    e = e / e.sum()
    chance = (e.sum(axis=1) ** 2).sum()
    assert result.assortativity == pytest.approx((np.trace(e) - chance) / (1 - chance))
    assert np.triu(result.expected).sum() == pytest.approx(result.n_edges)
    assert len(mixing(run_of(data.graph, data.target)).data) == 1


def test_without_edges_between_classes_homophily_is_a_sentence():
    G = nx.path_graph(3)
    nx.set_node_attributes(G, {0: "a", 2: "b"}, "class")
    with pytest.raises(ValueError, match="No edge joins two nodes whose class is known"):
        mixing(run_of(G, "class"))


def test_more_known_labels_leave_a_smaller_error():
    run = club()
    data = error_by_known_data(run.model, run.problem)
    means = data.errors.mean(axis=1)
    assert means[0] > 2 * means[3] > 2 * means[-1]
    assert data.majority == 0.5
    assert data.errors[1][0] == pytest.approx(1 / 30)  # the run's own choice
    assert len(plot_error_by_known(data).data) == 2
    small = five()
    with pytest.raises(ValueError, match="no label can be held out"):
        error_by_known_data(small.model, small.problem)
