"""Spectral clustering of graphs: scikit-learn and networkx as oracles, brute force, the page."""

import json
import re
from functools import partial
from itertools import combinations
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import cluster
from sklearn.metrics import adjusted_rand_score

from dmlib.clustering import SpectralClustering, SpectralGraphClustering
from dmlib.clustering.spectral.questions import questions
from dmlib.clustering.spectral.reference import spectral_reference
from dmlib.clustering.spectral.scene import spectral_scene
from dmlib.pictures.run import Run
from dmlib.problem import prepare_graph
from tests.visit import open_preset, sentences_of, sound, visit

METHOD = "spectral, of a graph"
GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "graph_cuts.json").read_text())
KARATE, NOVEL = nx.karate_club_graph(), nx.les_miserables_graph()
NINE = nx.Graph(GOLDEN["edges"])

run_of = partial(open_preset, "spectral")


@pytest.mark.parametrize("n_clusters", [2, 3, 4])
@pytest.mark.parametrize("G", [KARATE, NOVEL, NINE], ids=["karate", "novel", "nine"])
def test_clusters_of_scikit_learn(G, n_clusters):
    W = nx.to_numpy_array(G)
    theirs = cluster.SpectralClustering(
        n_clusters, affinity="precomputed", n_init=50, random_state=0
    ).fit(W)
    ours = SpectralGraphClustering(n_clusters, n_init=50, random_state=0).fit(G)
    assert adjusted_rand_score(theirs.labels_, ours.labels_) > 0.9


@pytest.mark.parametrize("laplacian", ["random_walk", "symmetric", "unnormalised"])
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("G", [KARATE, NOVEL], ids=["karate", "novel"])
def test_eigenvalues_and_cuts_of_networkx(G, weighted, laplacian):
    weight = "weight" if weighted else None
    model = SpectralGraphClustering(3, weighted=weighted, laplacian=laplacian, random_state=0)
    model.fit(G)
    spectrum = (
        nx.laplacian_spectrum if laplacian == "unnormalised" else nx.normalized_laplacian_spectrum
    )
    expected = np.sort(spectrum(G, weight=weight))[: len(model.eigenvalues_)]
    np.testing.assert_allclose(model.eigenvalues_, expected, atol=1e-9)
    nodes = np.array(list(G), object)
    parts = [set(nodes[model.labels_ == label]) for label in range(3)]
    cuts = [nx.cut_size(G, part, weight=weight) for part in parts]
    by_size = [cut / len(part) for cut, part in zip(cuts, parts, strict=True)]
    by_volume = [
        cut / nx.volume(G, part, weight=weight) for cut, part in zip(cuts, parts, strict=True)
    ]
    assert model.ratio_cut_ == pytest.approx(np.mean(by_size))
    assert model.normalized_cut_ == pytest.approx(np.mean(by_volume))


def test_the_fiedler_vector_of_networkx_cuts_alike():
    model = SpectralGraphClustering(2, laplacian="unnormalised", random_state=0).fit(NINE)
    signs = nx.fiedler_vector(NINE, seed=0) > 0
    assert adjusted_rand_score(signs, model.labels_) == 1


def test_nine_nodes_have_the_smallest_cuts_of_all_bipartitions():
    model = SpectralGraphClustering(2, random_state=0).fit(NINE)
    expected = GOLDEN["expected"]["B: nodes 1-4"]
    assert model.ratio_cut_ == pytest.approx(expected["ratio_cut"])
    assert model.normalized_cut_ == pytest.approx(expected["normalized_cut"])
    smallest = min(
        nx.cut_size(NINE, part)
        * (1 / nx.volume(NINE, part) + 1 / nx.volume(NINE, set(NINE) - part))
        for size in range(1, 5)
        for part in map(set, combinations(NINE, size))
    )
    assert model.normalized_cut_ == pytest.approx(smallest / 2)


@given(st.integers(4, 12), st.integers(0, 10_000), st.integers(1, 3))
@settings(deadline=None, max_examples=30)
def test_it_is_spectral_clustering_of_the_adjacency_matrix(n, seed, k):
    G = nx.gnp_random_graph(n, 0.5, seed=seed)
    if not G.number_of_edges():
        return
    rng = np.random.default_rng(seed)
    for u, v in G.edges:
        G.edges[u, v]["weight"] = float(rng.integers(1, 9))
    ours = SpectralGraphClustering(k, random_state=0).fit(G)
    plain = SpectralClustering(k, affinity="precomputed", random_state=0).fit(nx.to_numpy_array(G))
    np.testing.assert_allclose(ours.eigenvalues_, plain.eigenvalues_, atol=1e-9)
    assert ours.n_connected_components_ == nx.number_connected_components(G)
    last = list(SpectralGraphClustering(k, random_state=0).steps(G))[-1]
    assert last.normalized_cut == pytest.approx(ours.normalized_cut_)
    assert last.ratio_cut == pytest.approx(ours.ratio_cut_)


def test_opposite_edges_add_up_and_loops_do_not_count():
    D = nx.DiGraph()
    D.add_weighted_edges_from([(1, 2, 2), (2, 1, 3), (2, 3, 4), (3, 3, 9)])
    model = SpectralGraphClustering(2, random_state=0).fit(D)
    assert model.affinity_matrix_.tolist() == [[0, 5, 0], [5, 0, 4], [0, 4, 0]]


@pytest.mark.parametrize(
    ("G", "words"),
    [
        (nx.path_graph(1), "fewer clusters"),
        (nx.empty_graph(4), "Draw edges"),
        (nx.Graph([(1, 2, {"weight": -1.0}), (2, 3, {"weight": 1.0})]), "negative"),
        ([[0, 1], [1, 0]], "networkx graph"),
    ],
    ids=["one node", "no edge", "negative weight", "matrix"],
)
def test_graphs_that_cannot_be_cut(G, words):
    with pytest.raises(ValueError, match=words):
        SpectralGraphClustering(2).fit(G)


# The page
# ------------------------------------------------------------------------------------------------


def test_the_real_split():
    run, _, look_for = run_of("Karate club: the real split")
    wrong = run.fitted.labels_ != run.problem.y
    wrong = wrong if wrong.sum() < len(wrong) / 2 else ~wrong
    assert [run.problem.names[i] for i in np.flatnonzero(wrong)] == ["8"]
    assert f"{run.fitted.normalized_cut_:.3g}" in look_for


def test_two_cuts_of_a_novel():
    run, _, look_for = run_of("Ratio cut and normalised cut of a novel")
    unnormalised = SpectralGraphClustering(2, laplacian="unnormalised", random_state=0).fit(NOVEL)
    assert min(np.bincount(unnormalised.labels_)) == 2
    assert min(np.bincount(run.fitted.labels_)) == 10
    assert unnormalised.ratio_cut_ < run.fitted.ratio_cut_
    assert unnormalised.normalized_cut_ > run.fitted.normalized_cut_
    for number in (unnormalised.ratio_cut_, run.fitted.normalized_cut_):
        assert f"{number:.3g}" in look_for


def test_nodes_go_by_their_names():
    scene = run_of("Ratio cut and normalised cut of a novel").scene
    captions = [frame["caption"] for frame in scene["frames"]]
    assert "Valjean" in " ".join(captions)
    assert not any(re.search(r"row \d", caption) for caption in captions)


def test_the_library_agrees():
    run = Run.of(prepare_graph(KARATE, target="club"), SpectralGraphClustering(2, random_state=0))
    reference = spectral_reference(run).answer(run)
    np.testing.assert_array_equal(reference.labels_, run.fitted.labels_)
    np.testing.assert_allclose(reference.eigenvalues_, run.fitted.eigenvalues_, atol=1e-9)


def test_questions_and_picture_of_a_drawn_graph():
    run = Run.of(prepare_graph(NINE), SpectralGraphClustering(2, random_state=0))
    cut = {question.topic: question for question in questions(run)}["cut"]
    assert cut.answer.value == 2
    assert (
        spectral_scene(run)
        .frames[-1]
        .caption.startswith("Done: the 2 clusters cut edges of the weight 2 of 14")
    )


def test_a_graph_of_too_few_nodes_is_refused_in_a_sentence():
    page = sound(
        visit("spectral", **{"spectral.method": METHOD, "source": "draw", "graph": "GQZAA."})
    )
    assert "Choose fewer clusters" in sentences_of(page)[0]
