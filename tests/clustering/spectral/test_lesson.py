"""The numbers in the lesson on spectral clustering, computed again."""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from dmlib.clustering import SpectralClustering, graph_cuts
from dmlib.clustering.spectral.laplacian import smallest_eigenpairs
from tests.contract.test_lessons import section, text_of

EDGES = [(1, 2), (1, 3), (2, 3), (3, 4), (4, 5), (4, 6), (5, 6)]
GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "graph_cuts.json").read_text())


def graph(edges, n_nodes):
    W = np.zeros((n_nodes, n_nodes))
    for i, j in edges:
        W[i - 1, j - 1] = W[j - 1, i - 1] = 1
    return W


TRIANGLES = graph(EDGES, 6)


def cuts(part, W=TRIANGLES):
    return graph_cuts(W, [node in part for node in range(1, len(W) + 1)])


@pytest.fixture
def by_hand():
    return section(text_of("spectral"), "By hand")


def test_degrees(by_hand):
    joined = [" ".join(str(j + 1) for j in np.flatnonzero(row)) for row in TRIANGLES]
    assert f"| neighbours | {' | '.join(joined)} |" in by_hand
    assert f"| degree | {' | '.join(str(int(row.sum())) for row in TRIANGLES)} |" in by_hand


def test_second_eigenvector(by_hand):
    spectrum = smallest_eigenpairs(TRIANGLES, "unnormalised", 2)
    value, v = spectrum.eigenvalues[1], spectrum.vectors[:, 1]
    assert value == pytest.approx((5 - np.sqrt(17)) / 2)
    a, b = np.abs(v[[0, 2]])
    assert np.abs(v).tolist() == pytest.approx([a, a, b, b, a, a])
    assert (np.sign(v) == np.sign(v[0])).tolist() == [True] * 3 + [False] * 3
    for number in (value, a, b):
        assert f"**{number:.3f}**" in by_hand
    assert f"(a - b)^2$ = {(a - b) ** 2:.4f}" in by_hand
    assert f"(2b)^2$ = {(2 * b) ** 2:.4f}" in by_hand
    assert 4 * (a - b) ** 2 + (2 * b) ** 2 == pytest.approx(value)


def test_three_cuts(by_hand):
    for part in ((1, 2, 3), (1, 2), (1,)):
        line = next(
            line
            for line in by_hand.splitlines()
            if line.startswith(f"| {', '.join(map(str, part))} |")
        )
        measured = cuts(part)
        assert f"| {measured.cut:g} |" in line
        for measure in (measured.ratio_cut, measured.normalized_cut):
            assert f"= **{measure:.3g}**" in line


def test_no_cut_is_below_the_relaxed_one(by_hand):
    value = smallest_eigenpairs(TRIANGLES, "unnormalised", 2).eigenvalues[1]
    subsets = [part for size in (1, 2, 3) for part in combinations(range(1, 7), size)]
    assert min(cuts(part).ratio_cut for part in subsets) == pytest.approx(1 / 3)
    assert value / 2 < 1 / 3
    assert f"Half of $\\lambda$ is {value / 2:.3f}" in by_hand


def test_nine_nodes():
    text = section(text_of("spectral"), "Why not the smallest cut")
    W = graph(GOLDEN["edges"], 9)
    assert f"with {len(GOLDEN['edges'])} edges" in text
    assert W[8].sum() == 1
    single, middle = cuts((9,), W), cuts((1, 2, 3, 4), W)
    assert (single.cut, middle.cut) == (1, 2)
    for pair in (
        (single.ratio_cut, middle.ratio_cut),
        (single.normalized_cut, middle.normalized_cut),
    ):
        assert "**{:.3g}** and **{:.3g}**".format(*pair) in text


def test_answers():
    pairs = graph([(1, 2), (3, 4), (5, 6)], 6)
    for laplacian, largest in {"unnormalised": 2 * 0.7, "symmetric": 2, "random_walk": 2}.items():
        assert (smallest_eigenpairs(pairs, laplacian, 6).eigenvalues[:4] == 0).tolist() == [
            True
        ] * 3 + [False]
        pair = smallest_eigenpairs(0.7 * graph([(1, 2)], 2), laplacian, 2).eigenvalues
        assert pair.tolist() == pytest.approx([0, largest])
    moved = cuts((1, 2, 3, 4))
    assert (moved.cut, sorted(moved.volumes)) == (2, [4, 10])
    assert moved.normalized_cut == pytest.approx(0.35)
    for laplacian in ("unnormalised", "random_walk"):
        first = SpectralClustering(
            2, affinity="precomputed", laplacian=laplacian, random_state=0
        ).fit(TRIANGLES)
        assert np.ptp(first.embedding_[:, 0]) == pytest.approx(0, abs=1e-12)
