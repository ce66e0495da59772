"""The numbers of the lesson on OPTICS, computed again."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage

from dmlib.clustering import OPTICS
from tests.clustering.dbscan.test_lesson import PLACES, X, cells, clusters
from tests.contract.test_lessons import section, text_of


@pytest.fixture
def by_hand():
    return section(text_of("optics"), "By hand")


@pytest.fixture
def model():
    return OPTICS(2).fit(X)


def test_table(by_hand, model):
    assert cells(by_hand, "x") == [str(x) for x in PLACES]
    assert cells(by_hand, "core distance") == [f"{d:g}" for d in model.core_distances_]
    assert cells(by_hand, "reachability") == [
        f"{d:g}".replace("inf", "∞") for d in model.reachability_
    ]


def test_walk(by_hand):
    steps = list(OPTICS(2).steps(X))[:-1]
    assert PLACES[[step.row for step in steps]].tolist() == [1, 2, 3, 5, 7, 8, 9, "N"]

    def reached(i):
        step = steps[i]
        return dict(
            zip(
                PLACES[step.updated].tolist(),
                step.reachabilities[step.updated].tolist(),
                strict=True,
            )
        )

    def before(i):
        return dict(zip(PLACES[steps[i].updated].tolist(), steps[i].before.tolist(), strict=True))

    assert {x: reached(0)[x] for x in (2, 3, 5)} == {2: 1, 3: 2, 5: 4}
    assert (reached(1)[3], before(1)[3], reached(1)[5]) == (1, 2, 3)
    assert reached(2)[5] == 2
    assert (reached(3)[7], reached(3)[8]) == (2, 3)
    assert [step.reachability for step in steps[5:]] == [1, 1, 5]
    for sentence in (
        "max(1, 1) = **1** instead of 2",
        "max(2, 2) = **2**, 8 at 3",
        "at last N at **5**",
    ):
        assert sentence in by_hand


def test_cuts(by_hand, model):
    low, high = model.cut(1.5), model.cut(2.0)
    assert clusters(low) == [{1, 2, 3}, {7, 8, 9}]
    assert set(PLACES[low == -1].tolist()) == {5, "N"}
    assert clusters(high) == [{1, 2, 3, 5, 7, 8, 9}]
    assert "A cut at 1.5 gives {1, 2, 3} and {7, 8, 9}; 5 and N are noise." in by_hand
    assert clusters(model.cut(1.0)) == clusters(low)


def test_a_walk_of_two_follows_single_linkage():
    points = np.random.default_rng(0).normal(size=(40, 2))
    reachability = OPTICS(2).fit(points).reachability_
    assert np.allclose(np.sort(reachability)[:-1], linkage(points, "single")[:, 2])
