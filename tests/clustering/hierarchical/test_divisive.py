"""Divisive clustering against R's cluster::diana, exact arithmetic, and its own definition."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.cluster.hierarchy import cophenet, is_monotonic, is_valid_linkage
from scipy.spatial.distance import pdist, squareform

from dmlib.clustering import DivisiveClustering
from dmlib.clustering.hierarchical.divisive_scene import divisive_scene
from dmlib.datasets import load
from dmlib.pictures.run import Run
from tests.visit import open_preset

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "diana_usarrests.json").read_text())
# Kaufman and Rousseeuw (1990), table 6; the coefficient as in the manual of R's package cluster
AGRICULTURE = [
    *([16.8, 2.7], [21.3, 5.7], [18.7, 3.5], [5.9, 22.2], [11.4, 10.9], [17.8, 6.0]),
    *([10.9, 14.0], [16.6, 8.5], [21.0, 3.5], [16.4, 4.3], [7.8, 17.4], [14.0, 2.3]),
]
FIVE = ["0", "1.5", "4.5", "5.5", "9"]

tables = arrays(
    float, st.tuples(st.integers(2, 12), st.integers(1, 3)), elements=st.integers(-6, 6).map(float)
)


def exact_splits(values):
    """Return the splits of numbers as (height, remaining, splinter), in exact arithmetic."""
    x = [Fraction(value) for value in values]
    clusters, found = [list(range(len(x)))], []

    def mean(i, rows):
        rows = [j for j in rows if j != i]
        return sum(abs(x[i] - x[j]) for j in rows) / len(rows)

    def diameter(rows):
        return max(abs(x[i] - x[j]) for i in rows for j in rows)

    while any(len(rows) > 1 for rows in clusters):
        widest = max((rows for rows in clusters if len(rows) > 1), key=diameter)
        clusters.remove(widest)
        remaining = sorted(widest)
        splinter = [max(remaining, key=lambda i, rows=widest: mean(i, rows))]
        remaining.remove(splinter[0])
        while len(remaining) > 1:
            gains = {i: mean(i, remaining) - mean(i, splinter) for i in remaining}
            best = max(gains, key=gains.get)
            if gains[best] <= 0:
                break
            remaining.remove(best)
            splinter.append(best)
        found.append((diameter(widest), set(remaining), set(splinter)))
        clusters += [remaining, splinter]
    return found


def split_steps(X, **params):
    return [step for step in DivisiveClustering(1, **params).steps(X) if step.phase == "split"]


def test_the_tree_of_us_arrests_is_that_of_r():
    X = load("us_arrests").frame.select_dtypes("number").to_numpy(float)
    model = DivisiveClustering(2).fit(X)
    joint = squareform(cophenet(model.linkage_))
    order = np.array(GOLDEN["order"]) - 1
    np.testing.assert_allclose(joint[order[:-1], order[1:]], GOLDEN["heights"], atol=1e-6)
    assert model.divisive_coefficient_ == pytest.approx(GOLDEN["divisive_coefficient"], abs=1e-7)


def test_the_coefficient_of_the_agriculture_of_twelve_countries():
    assert DivisiveClustering(2).fit(AGRICULTURE).divisive_coefficient_ == pytest.approx(
        0.8711062, abs=1e-7
    )


@pytest.mark.parametrize("values", [FIVE, ["0", "1", "3", "3.5", "8", "9", "15"]])
def test_splits_in_exact_arithmetic(values):
    X = [[float(value)] for value in values]
    exact = exact_splits(values)
    steps = split_steps(X)
    assert len(steps) == len(exact)
    for step, (height, remaining, splinter) in zip(steps, exact, strict=True):
        assert step.height == height
        assert set(step.members[~step.is_splinter].tolist()) == remaining
        assert set(step.members[step.is_splinter].tolist()) == splinter
    heights = {}
    for height, *parts in exact:
        heights |= {rows.pop(): height for rows in map(set, parts) if len(rows) == 1}
    top = exact[0][0]
    coefficient = sum(1 - heights[i] / top for i in heights) / len(values)
    assert DivisiveClustering(2).fit(X).divisive_coefficient_ == pytest.approx(float(coefficient))


@given(tables, st.sampled_from(["euclidean", "manhattan", "chebyshev"]))
@settings(deadline=None, max_examples=40)
def test_splits_are_laminar_and_as_high_as_the_diameter(X, metric):
    model = DivisiveClustering(1, metric=metric).fit(X)
    assert is_valid_linkage(model.linkage_)
    assert is_monotonic(model.linkage_)
    D = squareform(model.distances_between(X))
    clusters = [set(range(len(X)))]
    for step in split_steps(X, metric=metric):
        members = set(step.members.tolist())
        clusters.remove(members)  # a split has a cluster of before, or this raises
        assert step.height == pytest.approx(D[np.ix_(step.members, step.members)].max())
        assert all(
            D[np.ix_(rows, rows)].max() <= step.height + 1e-9 for rows in map(list, clusters)
        )
        splinter = set(step.members[step.is_splinter].tolist())
        assert splinter
        assert splinter < members
        clusters += [splinter, members - splinter]
    assert all(len(rows) == 1 for rows in clusters)
    assert not len(model.linkage_) or (squareform(cophenet(model.linkage_)) >= D - 1e-9).all()


@given(tables)
@settings(deadline=None, max_examples=30)
def test_a_matrix_of_distances_gives_the_same_tree(X):
    plain = DivisiveClustering(1, metric="manhattan").fit(X)
    D = squareform(pdist(X, "cityblock"))
    np.testing.assert_array_equal(
        DivisiveClustering(1, metric="precomputed").fit(D).linkage_, plain.linkage_
    )


@pytest.mark.parametrize("n_clusters", range(1, 7))
def test_a_cut_undoes_the_last_splits(n_clusters):
    X = np.random.default_rng(3).normal(size=(20, 2))
    labels = DivisiveClustering(n_clusters).fit(X).labels_
    parts = [np.arange(20)]
    for step in split_steps(X)[: n_clusters - 1]:
        parts = [rows for rows in parts if set(rows) != set(step.members)]
        parts += [step.members[step.is_splinter], step.members[~step.is_splinter]]
    assert {frozenset(np.flatnonzero(labels == k)) for k in range(n_clusters)} == set(
        map(frozenset, parts)
    )


def test_equal_rows_have_no_coefficient():
    assert np.isnan(DivisiveClustering(1).fit(np.zeros((4, 1))).divisive_coefficient_)


@pytest.mark.parametrize(
    ("params", "words"), [({"n_clusters": 9}, "fewer clusters"), ({"metric": "x"}, "metric")]
)
def test_what_is_refused(params, words):
    with pytest.raises(ValueError, match=words):
        DivisiveClustering(**params).fit([[0.0], [1.0]])


def test_the_dendrogram_grows_from_its_top():
    run = open_preset("hierarchical", "Five points from the top").run
    assert run.fitted.divisive_coefficient_ == pytest.approx(0.6889, abs=1e-4)
    scene = divisive_scene(Run.of(run.problem, run.model))
    phases = [frame.phase for frame in scene.frames]
    assert phases.count("split") == 4
    assert phases.count("move") == 1
    assert "6.125" in scene.frames[1].caption


def test_from_the_top_the_loose_group_stays_together():
    run, _, look_for = open_preset("hierarchical", "From the top and from the bottom")
    labels, y = run.fitted.labels_, run.problem.y
    matched = sum(np.bincount(y[labels == k]).max() for k in range(3))
    assert len(y) - matched <= 3
    assert "of 150 points" in look_for
