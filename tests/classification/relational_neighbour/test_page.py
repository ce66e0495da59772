"""The page of the relational neighbour classifier: presets, the lesson, its kinds of data."""

import io

import networkx as nx
import numpy as np
import pytest

from dmlib.classification import WeightedVoteRelationalNeighbor
from dmlib.classification.relational_neighbour.homophily import homophily
from tests.classification.relational_neighbour.test_algorithm import FIVE, LABELS
from tests.contract.test_lessons import section, text_of
from tests.visit import open_preset, sound, stage, visit, watched_runs

SLUG = "relational_neighbour"


def run_of(title):
    """Open a preset; return the run, the number of misclassified and of held-out nodes."""
    run = open_preset(SLUG, title).run
    test = run.problem.test
    return run, int((run.fitted.transduction_[test] != run.problem.y[test]).sum()), int(test.sum())


def test_start():
    run, *counts = run_of("Four labels split a club")
    assert (counts, run.fitted.n_iter_) == ([1, 30], 30)
    assert run.fitted.transduction_[8] != run.problem.y[8]
    assert np.bincount(run.problem.y[~run.problem.test]).tolist() == [2, 2]


def test_by_hand():
    run, _, _ = run_of("Five nodes by hand")
    assert run.problem.training.y.tolist() == [0, 1, -1, -1, -1]
    assert sorted(run.problem.graph.edges(data="weight")) == sorted(
        (str(u), str(v), w) for u, v, w in FIVE.edges.data("weight")
    )
    np.testing.assert_allclose(
        run.fitted.label_distributions_[2:, 0], [27 / 35, 5 / 7, 13 / 35], atol=1e-5
    )


def test_no_homophily():
    run, *counts = run_of("No homophily")
    mixing_of_classes = homophily(run.problem)
    assert (counts, mixing_of_classes.share, mixing_of_classes.assortativity) == ([13, 16], 0, -1)


def test_unlucky():
    run, *counts = run_of("Unlucky labels")
    assert counts == [15, 30]
    assert np.flatnonzero(~run.problem.test).tolist() == [0, 13, 14, 18]


def test_out_of_reach():
    run, _, _ = run_of("Parts without a known label")
    reached = run.fitted.reached_
    assert (~reached).sum() == 16
    assert (run.fitted.transduction_ == run.problem.y)[reached].all()
    assert np.ptp(run.fitted.label_distributions_[~reached]) == pytest.approx(0)


def test_novel():
    run, *counts = run_of("Characters of a novel")
    assert (counts, len(run.problem.classes)) == ([2, 62], 5)


def test_in_order_and_annealing():
    plain, in_order, annealed = (
        run_of(title)[0] for title in ("Four labels split a club", "In order", "Fast annealing")
    )
    assert [run.fitted.n_iter_ for run in (plain, in_order, annealed)] == [30, 17, 12]
    np.testing.assert_array_equal(in_order.fitted.transduction_, plain.fitted.transduction_)
    wrong = np.flatnonzero(
        annealed.problem.test & (annealed.fitted.transduction_ != annealed.problem.y)
    )
    assert wrong.tolist() == [30]
    assert (
        annealed.fitted.label_distributions_.max(axis=1).mean()
        < plain.fitted.label_distributions_.max(axis=1).mean()
    )


def test_example_of_the_lesson():
    text = section(text_of(SLUG), "By hand")
    steps = [
        step
        for step in WeightedVoteRelationalNeighbor().steps(FIVE, LABELS)
        if step.phase != "done"
    ]
    for step in steps[:4]:
        assert (
            f"| {step.sweep} | " + " | ".join(f"{p:.4g}" for p in step.proba[2:, 0]) + " |" in text
        )


def test_known_labels_and_seed_choose_the_nodes():
    def known_nodes(**link):
        with watched_runs() as runs:
            sound(visit(SLUG, **link))
        return np.flatnonzero(~runs[-1].problem.test).tolist()

    assert len(known_nodes(known="0.5")) == 2 * 9
    assert known_nodes(seed="3") != known_nodes()


def test_a_file_of_edges_gets_communities():
    page = visit(SLUG, source="upload", known_nodes="0.34")
    page.file_uploader[0].upload("edges.csv", b"a,b\nb,c\na,c\nc,d\nd,e\ne,f\nd,f\n", "text/csv")
    scene = stage(sound(page.run()))
    assert "2 communities" in " ".join(scene["notes"])
    assert scene["frames"][-1]["caption"].startswith("Done.")


def test_a_graph_of_one_class_is_refused_in_a_sentence():
    page = visit(SLUG, source="upload")
    page.file_uploader[0].upload("edges.csv", b"a,b\nb,c\na,c\n", "text/csv")
    assert "All nodes are of one class" in stage(sound(page.run()))["frames"][0]["caption"]


def test_an_uploaded_graph_may_carry_classes():
    page = visit(SLUG, source="upload", known_nodes="0.5")
    edges = b"a,b\nb,c\na,c\nc,d\nd,e\ne,f\nd,f\n"
    classes = b"a,,red\nb,,red\nc,,red\nd,,blue\ne,,blue\n"
    page.file_uploader[0].upload("edges.csv", edges + classes, "text/csv")
    with watched_runs() as runs:
        frame = stage(sound(page.run()))
    assert runs[-1].problem.classes == ("blue", "red")
    assert runs[-1].problem.y.tolist() == [1, 1, 1, 0, 0, -1]
    assert not any("communities" in note for note in frame["notes"])
    assert any("class of 1 of 6 nodes is not known" in note for note in frame["notes"])


@pytest.mark.parametrize(
    ("link", "classes"),
    [
        ({}, {"Mr. Hi", "Officer"}),
        ({"labels": "side"}, {"left", "right"}),
        ({"labels": "(communities)"}, {"community 1", "community 2", "community 3"}),
        ({"labels": "no such attribute"}, {"Mr. Hi", "Officer"}),
    ],
)
def test_the_reader_decides_which_attribute_of_an_uploaded_graph_is_the_class(link, classes):
    graph, file = nx.karate_club_graph(), io.BytesIO()
    for node, attributes in graph.nodes(data=True):
        attributes["side"] = "left" if node % 3 else "right"
    nx.write_graphml(graph, file)
    page = visit(SLUG, source="upload", **link)
    page.file_uploader[0].upload("club.graphml", file.getvalue(), "text/xml")
    with watched_runs() as runs:
        sound(page.run())
    assert set(runs[-1].problem.classes) == classes
