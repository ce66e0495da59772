"""The numbers of the lesson on DBSCAN, computed again."""

import numpy as np
import pytest

from dmlib.clustering import DBSCAN, k_distances
from tests.contract.test_lessons import section, text_of

PLACES = np.array([1, 2, 3, 5, 7, 8, 9, "N"], object)
X = np.array([(1, 1), (2, 1), (3, 1), (5, 1), (7, 1), (8, 1), (9, 1), (9, 6)], float)


@pytest.fixture
def by_hand():
    return section(text_of("dbscan"), "By hand")


def cells(text, name):
    (line,) = [line for line in text.splitlines() if line.startswith(f"| {name} |")]
    return [cell.strip(" *") for cell in line.split("|")[2:-1]]


def clusters(labels):
    return [set(PLACES[labels == k].tolist()) for k in range(labels.max() + 1)]


def test_table(by_hand):
    steps = {step.row: step for step in DBSCAN(2, min_samples=4).steps(X) if step.row is not None}
    assert cells(by_hand, "x") == [str(x) for x in PLACES]
    neighbors = [" ".join(map(str, PLACES[steps[i].neighbors])) for i in range(len(X))]
    assert cells(by_hand, "neighbours") == neighbors
    assert cells(by_hand, "how many") == [str(len(steps[i].neighbors)) for i in range(len(X))]
    assert cells(by_hand, "distance to the 3rd other") == [f"{d:.4g}" for d in k_distances(X, 3)]


def test_walk_from_the_left(by_hand):
    walk = [
        (PLACES[step.row], step)
        for step in DBSCAN(2, min_samples=4).steps(X)
        if step.row is not None
    ]
    assert [place for place, _ in walk] == [1, 2, 3, 5, 7, 8, 9, "N"]
    first, second, third, fifth, seventh, *last_steps = (step for _, step in walk)
    assert not first.core
    assert not second.core
    assert third.core
    assert PLACES[third.rescued].tolist() == [1, 2]
    assert PLACES[third.seeds].tolist() == [5]
    assert not fifth.core
    assert PLACES[seventh.joined].tolist() == [7, 8, 9]
    assert [step.labels[step.row] for step in last_steps] == [1, 1, -1]
    assert "5 stays where it is." in by_hand


def test_order_decides_about_5(by_hand):
    forwards, backwards = (
        DBSCAN(2, min_samples=4, order=order).fit(X).labels_ for order in ("index", "reverse")
    )
    assert clusters(forwards) == [{1, 2, 3, 5}, {7, 8, 9}]
    assert clusters(backwards) == [{5, 7, 8, 9}, {1, 2, 3}]
    assert "The clusters are {1, 2, 3, 5} and {7, 8, 9}." in by_hand
    assert "then they are {5, 7, 8, 9} and {1, 2, 3}" in by_hand


def test_k_distances():
    text = section(text_of("dbscan"), "Choosing eps and min_samples")
    assert ", ".join(f"{d:.4g}" for d in sorted(k_distances(X, 3), reverse=True)) in text
    assert "the line at 2 leaves two core points" in text
    assert len(DBSCAN(2, min_samples=4).fit(X).core_sample_indices_) == 2


def test_answers():
    assert DBSCAN(2, min_samples=1).fit(X).n_noise_ == 0
    looser = DBSCAN(2, min_samples=3).fit(X)
    assert PLACES[looser.core_sample_indices_].tolist() == [1, 2, 3, 5, 7, 8, 9]
    assert (looser.n_clusters_, looser.n_noise_) == (1, 1)
    assert clusters(DBSCAN(4, min_samples=4).fit(2 * X).labels_) == clusters(
        DBSCAN(2, min_samples=4).fit(X).labels_
    )
