"""Sensors on a graph: against all sets of nodes, and networkx."""

from itertools import combinations
from math import e

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dmlib.feature_selection import SensorPlacement
from dmlib.feature_selection.coverage import best_coverage, coverage_bound, greedy_coverage
from dmlib.feature_selection.figures.all_filters import all_filters
from dmlib.feature_selection.questions import questions
from dmlib.feature_selection.reference import feature_selection_reference
from dmlib.feature_selection.scene import feature_selection_scene
from dmlib.pictures.ledger import Formula
from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from dmlib.problem import prepare_graph
from tests.pictures.examples import at
from tests.runs import stopped

KARATE, NOVEL = nx.karate_club_graph(), nx.les_miserables_graph()
graphs = st.builds(
    nx.gnp_random_graph, st.integers(1, 10), st.floats(0.0, 0.9), seed=st.integers(0, 10_000)
)


def covered_by(G, nodes):
    """Return what sensors cover, by networkx."""
    return set(nodes).union(*(G[node] for node in nodes))


@settings(max_examples=60, deadline=None)
@given(G=graphs, k=st.integers(1, 10), lazy=st.booleans())
def test_it_reaches_its_share_of_the_best_of_all_sets(G, k, lazy):
    model = SensorPlacement(k, lazy=lazy).fit(G)
    assert model.n_covered_ == len(covered_by(G, model.sensors_))
    best = max(len(covered_by(G, nodes)) for nodes in combinations(G, min(k, len(G))))
    assert best >= model.n_covered_ >= (1 - 1 / e) * best
    matrix, n = model.neighbourhoods(G), min(k, len(G))
    assert best_coverage(matrix, n) == best
    bound = coverage_bound(list(model.steps(G)), n)
    assert best <= bound
    if len(model.sensors_) == n:
        assert model.n_covered_ >= (1 - 1 / e) * bound


@settings(max_examples=60, deadline=None)
@given(G=graphs, k=st.one_of(st.none(), st.integers(1, 10)))
def test_lazy_choices_are_the_greedy_ones_by_no_more_gains(G, k):
    greedy, lazy = (SensorPlacement(k, lazy=lazy).fit(G) for lazy in (False, True))
    assert lazy.sensors_ == greedy.sensors_
    assert lazy.n_evaluated_ <= greedy.n_evaluated_
    assert list(greedy.sensors_) == greedy_coverage(greedy.neighbourhoods(G), k)
    for is_lazy in (False, True):
        covered = np.zeros(len(G), bool)
        for step in SensorPlacement(k, lazy=is_lazy).steps(G):
            true = (greedy.neighbourhoods(G) & ~covered).sum(axis=1)
            known = ~step.support  # a sensor adds nothing more
            assert (step.gains[known] >= true[known]).all()
            if step.phase == "choose":
                assert step.gains[step.chosen[-1]] == true.max()
            covered = step.covered


@settings(max_examples=40, deadline=None)
@given(G=graphs)
def test_without_a_number_the_sensors_dominate_the_graph(G):
    model = SensorPlacement().fit(G)
    assert nx.is_dominating_set(G, set(model.sensors_))
    assert model.covered_.all()
    degrees = [degree for _, degree in G.degree]
    # Chvatal: no more than the harmonic number of the largest set times the fewest.
    fewest = next(
        k
        for k in range(1, len(G) + 1)
        if any(nx.is_dominating_set(G, set(nodes)) for nodes in combinations(G, k))
    )
    assert len(model.sensors_) <= sum(1 / i for i in range(1, max(degrees) + 2)) * fewest + 1e-9


@settings(max_examples=40, deadline=None)
@given(G=graphs, seed=st.integers(0, 1000))
def test_the_quality_is_submodular_and_never_falls(G, seed):
    rng, matrix = np.random.default_rng(seed), SensorPlacement().neighbourhoods(G)
    small = rng.random(len(G)) < 0.3
    large = small | (rng.random(len(G)) < 0.3)
    gains = [(matrix & ~matrix[nodes].any(axis=0)).sum(axis=1) for nodes in (small, large)]
    assert (gains[0] >= gains[1]).all()
    assert (gains[1] >= 0).all()


def test_directions_weights_and_loops_do_not_count():
    D = nx.DiGraph()
    D.add_weighted_edges_from([("a", "b", 0.5), ("c", "b", 9), ("c", "c", 1)])
    model = SensorPlacement(1).fit(D)
    assert (model.sensors_, model.n_covered_, model.n_sensors_) == ((1,), 3, 1)


@pytest.mark.parametrize("G", [nx.Graph(), [[0, 1], [1, 0]]], ids=["empty", "matrix"])
def test_what_is_no_graph_is_refused(G):
    with pytest.raises(ValueError, match="networkx graph with nodes"):
        SensorPlacement().fit(G)


@pytest.mark.parametrize("k", [None, 1, 3, 99])
@pytest.mark.parametrize("G", [KARATE, NOVEL, nx.empty_graph(3), nx.path_graph(1)])
def test_networkx_chooses_the_same(G, k):
    run = Run.of(prepare_graph(G), SensorPlacement(k, lazy=True))
    theirs = feature_selection_reference(run).answer(run)
    assert theirs.support_.tolist() == run.fitted.support_.tolist()


# --- picture, words and questions -----------------------------------------------------------------


def scene_of(G, *args, **params):
    run = Run.of(prepare_graph(G), SensorPlacement(*args, **params))
    return run, feature_selection_scene(run)


def text_of(frame):
    return " | ".join(block.text for block in frame.ledger if isinstance(block, Formula))


def test_nodes_have_the_colours_of_what_covers_them():
    run, scene = scene_of(KARATE, 3)
    points = scene.marks[3]
    for i, step in enumerate(run.trace.steps):
        colors = at(points.color, i)
        assert set(np.flatnonzero(colors == 0)) == set(step.chosen)
        if step.phase == "choose":
            before = run.trace.steps[i - 1].covered
            new = set(np.flatnonzero(step.covered & ~before)) - set(step.chosen)
            assert set(np.flatnonzero(colors == 2)) == new


def test_the_end_has_the_best_or_a_bound_of_it():
    _, scene = scene_of(KARATE, 3)
    assert "best of 3 = 33: greedy reaches 100 %" in text_of(scene.frames[-1])
    _, scene = scene_of(NOVEL, 5)
    bound = "best of 5 ≤ 77 (q(S) + the 5 largest gains): greedy reaches at least 89.6 %"
    assert bound in text_of(scene.frames[-1])
    assert "(1 − 1/e) · 77 = 48.67 ≤ 69" in text_of(scene.frames[-1])


def test_sensors_that_cover_all_are_the_best():
    _, scene = scene_of(NOVEL)
    assert "best of 10 = 77: greedy reaches 100 %" in text_of(scene.frames[-1])


def test_the_ledger_tells_how_a_gain_shrinks():
    _, scene = scene_of(KARATE, 2)
    assert "|N(node 0)| = 17, of which 4 were covered: 17 − 4 = 13" in text_of(scene.frames[2])
    assert "submodular: node 32 added 13 to ∅, and adds 1 now" in text_of(scene.frames[2])
    assert "gains computed: 67; all are 34 + 33 = 67" in text_of(scene.frames[2])


def test_a_lazy_step_computes_one_gain():
    run, scene = scene_of(KARATE, 2, lazy=True)
    number = next(i for i, step in enumerate(run.trace.steps) if step.phase == "evaluate")
    assert scene.frames[number].caption == "The gain of node 0 is computed again: it adds 13 now."
    table = scene.frames[number].ledger[-1]
    assert (table.head[-1], table.rows[0][0], list(table.emphasis)) == ("adds ≤", "node 0", [0])


def test_a_stopped_run_and_one_of_one_node_have_a_picture():
    run, _ = scene_of(KARATE, 3)
    assert len(feature_selection_scene(stopped(run, 0)).frames) == 1
    assert len(feature_selection_scene(stopped(run, 2)).frames) == 2
    _, scene = scene_of(nx.path_graph(1))
    assert "1 sensor covers 1 of 1 nodes" in scene.frames[-1].caption


@pytest.mark.parametrize("lazy", [False, True])
def test_answers_are_those_of_networkx(lazy):
    run, _ = scene_of(NOVEL, 6, lazy=lazy)
    nodes, topics = list(NOVEL), set()
    for question in questions(run):
        topics.add(question.topic)
        step = run.trace.steps[question.step]
        before = covered_by(NOVEL, [nodes[j] for j in step.chosen[:-1]])
        gains = [len(covered_by(NOVEL, [node]) - before) for node in nodes]
        if question.topic == "next node":
            for j, gain in enumerate(gains):
                assert judge(question, [j + 1]).is_right == (gain == max(gains))
        else:
            gain = gains[step.chosen[-1]]
            counted = {"gain of a node": gain, "nodes covered": len(before) + gain}
            assert judge(question, counted[question.topic]).is_right
    assert topics == {"next node", "gain of a node", "nodes covered"}


def test_figures_of_columns_refuse_a_graph():
    run, _ = scene_of(KARATE)
    with pytest.raises(ValueError, match="nodes in place of columns"):
        all_filters(run)
