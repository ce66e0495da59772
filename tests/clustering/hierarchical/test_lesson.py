"""The numbers of the lesson on agglomerative clustering, computed again."""

import numpy as np
import pytest
from scipy.cluster import hierarchy
from scipy.spatial.distance import pdist

from dmlib.clustering import AgglomerativeClustering
from dmlib.clustering.hierarchical.dendrogram import lance_williams, merged_distances
from tests.contract.test_lessons import section, text_of

POINTS = np.array([[0.0], [1.5], [4.5], [5.5], [9.0]])
TRIANGLE = np.array([[0.0, 0.0], [2.0, 0.0], [1.0, 1.8]])


def fitted(linkage, X=POINTS):
    return AgglomerativeClustering(2, linkage=linkage).fit(X)


def parts(model):
    return {
        frozenset("ABCDE"[i] for i in np.flatnonzero(model.labels_ == label)) for label in (0, 1)
    }


@pytest.fixture
def by_hand():
    return section(text_of("hierarchical"), "By hand")


def test_heights(by_hand):
    assert pdist(POINTS).tolist() == [1.5, 4.5, 5.5, 9, 3, 4, 7.5, 1, 4.5, 3.5]
    heights = {
        linkage: fitted(linkage).distances_ for linkage in ("single", "complete", "average", "ward")
    }
    assert heights["single"].tolist() == [1, 1.5, 3, 3.5]
    assert heights["complete"].tolist() == [1, 1.5, 4.5, 9]
    assert heights["average"].tolist() == pytest.approx([1, 1.5, 4, 33.5 / 6])
    assert heights["ward"][:2].tolist() == [1, 1.5]
    for number in (33.5 / 6, *heights["ward"][2:]):
        assert f"**{number:.4g}**" in by_hand


def test_the_new_row_of_the_matrix(by_hand):
    for linkage, row in {
        "single": [4.5, 3, 3.5],
        "complete": [5.5, 4, 4.5],
        "average": [5, 3.5, 4],
    }.items():
        steps = list(AgglomerativeClustering(2, linkage=linkage).steps(POINTS))
        assert steps[1].pair == (2, 3)
        assert steps[1].after.tolist() == row
        line = next(line for line in by_hand.splitlines() if line.startswith(f"| {linkage}"))
        assert [float(cell.split("=")[-1]) for cell in line.split("|")[2:-1]] == row


def test_cuts_into_two(by_hand):
    assert parts(fitted("single")) == {frozenset("ABCD"), frozenset("E")}
    for linkage in ("complete", "average", "ward", "centroid"):
        assert parts(fitted(linkage)) == {frozenset("AB"), frozenset("CDE")}
    assert (
        "single linkage leaves E alone; complete and average linkage give {A, B} and {C, D, E}"
        in by_hand
    )


def test_cophenetic_correlations():
    text = section(text_of("hierarchical"), "How good is the tree?")
    for linkage in ("single", "complete", "average"):
        assert f"**{fitted(linkage).cophenetic_correlation(POINTS):.3f}** for {linkage}" in text


def test_an_inversion():
    assert fitted("centroid", TRIANGLE).distances_.tolist() == pytest.approx([2, 1.8])
    assert "merges at 2 and\n  then at 1.8" in section(text_of("hierarchical"), "When it fails")


def test_answers():
    squares = pdist(POINTS) ** 2
    for linkage in ("single", "complete"):
        assert (
            hierarchy.linkage(squares, linkage)[:, :2].tolist()
            == fitted(linkage).children_.tolist()
        )
    assert fitted("ward", np.array([[0.0], [5.0]])).distances_.tolist() == [5]
    far = np.array([*POINTS[:4], [100.0]])
    for linkage in ("single", "complete", "average", "centroid", "ward"):
        assert parts(fitted(linkage, far)) == {frozenset("ABCD"), frozenset("E")}
    to_a, to_b = pdist(POINTS)[[1, 2, 3]], pdist(POINTS)[[4, 5, 6]]
    merged = merged_distances("complete", to_a, to_b, 1.5, (1, 1), np.ones(3, int))
    assert merged.tolist() == [4.5, 5.5, 9]


def test_coefficients():
    assert lance_williams("ward", 2, 3, 5) == ((2 + 5) / 10, (3 + 5) / 10, -5 / 10, 0)
    assert lance_williams("centroid", 2, 3, 5) == (2 / 5, 3 / 5, -6 / 25, 0)
