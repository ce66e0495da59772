"""Where to cut a reachability curve."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_blobs, make_moons

from dmlib.clustering import OPTICS
from dmlib.clustering.reachability import cut_height

DATA = {
    "iris": load_iris().data[:, 2:],
    "blobs": make_blobs(120, centers=[[0, 0], [9, 0], [0, 9], [9, 9]], random_state=4)[0],
    "moons": make_moons(120, noise=0.05, random_state=0)[0],
    "noise": np.random.default_rng(0).uniform(size=(120, 2)),
}


def suggested(model):
    return cut_height("auto", model.reachability_, model.core_distances_, model.max_eps)


@pytest.mark.parametrize("X", DATA.values(), ids=DATA)
def test_the_suggestion_is_in_the_widest_range_with_one_number_of_clusters(X):
    model = OPTICS().fit(X)
    heights = np.linspace(
        np.median(model.core_distances_),
        model.reachability_[1:].max(where=np.isfinite(model.reachability_[1:]), initial=0),
        2000,
    )
    numbers = np.array([model.cut(height).max() + 1 for height in heights])
    changes = np.flatnonzero(np.diff(numbers, prepend=-1))
    ranges = [
        r
        for r in zip(changes, np.append(changes[1:], len(heights)), strict=True)
        if numbers[r[0]] > 1
    ]
    first, last = max(ranges, key=lambda r: r[1] - r[0])
    height = suggested(model)
    assert heights[first] <= height <= heights[last - 1]
    assert model.cut(height).max() + 1 == numbers[first]


@pytest.mark.parametrize(("name", "n_clusters"), [("blobs", 4), ("moons", 2)])
def test_groups_are_found(name, n_clusters):
    model = OPTICS().fit(DATA[name])
    assert model.cut(suggested(model)).max() + 1 == n_clusters


@pytest.mark.parametrize(
    ("X", "max_eps", "height"),
    [
        (np.zeros((8, 2)), np.inf, 1.0),
        (np.arange(6.0)[:, None], np.inf, 1.1),
        (np.array([[0.0], [1.0], [9.0], [10.0]]), 5.0, 3.0),
        (np.array([[0.0], [1.0], [9.0], [10.0]]), 1.0, 1.0),
    ],
    ids=["equal rows", "no valley", "two walks", "a short radius"],
)
def test_a_curve_without_valleys_has_a_cut_too(X, max_eps, height):
    assert suggested(OPTICS(2, max_eps=max_eps).fit(X)) == height


@pytest.mark.parametrize(("max_eps", "height"), [(np.inf, 1.0), (0.0, 0.0), (2.0, 1.0), (0.5, 0.5)])
def test_no_core_point_at_all(max_eps, height):
    infinite = np.full(4, np.inf)
    assert cut_height("auto", infinite, infinite, max_eps) == height


def test_a_given_height_is_kept_within_what_was_looked_at():
    assert cut_height(0.3, np.ones(3), np.ones(3), 2.0) == 0.3
    assert cut_height(3.0, np.ones(3), np.ones(3), 2.0) == 2.0
