"""The page of cluster validity: its presets and its lesson say what is so."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial.distance import cdist
from sklearn.base import clone
from sklearn.neighbors import kneighbors_graph

from dmlib.clustering import ClusterValidity
from dmlib.clustering.cluster_validity.algorithm import MEASURES
from dmlib.clustering.cluster_validity.figures import sweeps
from dmlib.clustering.cluster_validity.figures.side_by_side import side_by_side_data
from dmlib.clustering.cluster_validity.reference import validity_reference
from dmlib.clustering.cluster_validity.scene import cluster_validity_scene
from dmlib.comparison import Incomparable, compare
from dmlib.pictures.run import Run
from tests.contract.test_lessons import section, text_of
from tests.visit import open_preset, sound, stage, visit, warnings


def run_of(title, **link):
    """Open a preset as a link; return the run on the page, its frames and what to look for."""
    run, scene, look_for = open_preset("cluster_validity", title, **link)
    return run, scene["frames"], look_for


def ignore(task):
    pass


def measures_of(run, **params):
    return clone(run.model).set_params(**params).fit(*run.problem.training.arguments).measures_


def test_three_groups():
    run, _, look_for = run_of("Silhouettes of three groups")
    assert f"{run.fitted.value_:.4f}" == "0.5563"
    assert f"{measures_of(run, clustering='random')['silhouette']:.4f}" == "-0.0392"
    assert "0.5563" in look_for
    assert "−0.0392" in look_for


def test_six_points_and_their_pairs():
    run, frames, look_for = run_of("Six points by hand")
    measures = run.fitted.measures_
    assert_allclose(run.problem.X[:, 0], [1, 2, 3, 7, 8, 9])
    for name, number in (
        ("silhouette", "0.773"),
        ("sse", "4"),
        ("dunn", "2"),
        ("calinski_harabasz", "54"),
        ("davies_bouldin", "0.2222"),
    ):
        assert f"{measures[name]:.4g}" == number
        assert number in look_for
    run, frames, look_for = run_of("Pairs by hand")
    assert f"{run.fitted.value_:.4f}" == "0.3243"
    assert "0.3243" in look_for
    (pairs,) = (
        part for part in frames[-2]["ledger"] if part.get("title") == "Pairs: TP, FP / FN, TN"
    )
    assert pairs["rows"] == [["together", 4, 2], ["apart", 3, 6]]


def test_the_numbers_of_the_lesson():
    text = section(text_of("cluster_validity"), "By hand")
    X, y = np.array([[1.0], [2], [3], [7], [8], [9]]), [0, 0, 0, 0, 1, 1]
    measures = ClusterValidity("kmeans", 2, random_state=0).fit(X, y).measures_
    for name, number in (
        ("sse", "**4**"),
        ("calinski_harabasz", "**54**"),
        ("silhouette", "**0.773**"),
        ("dunn", "**2**"),
        ("davies_bouldin", "**0.222**"),
        ("purity", "**0.833**"),
        ("rand", "**0.667**"),
        ("jaccard", "**0.444**"),
        ("adjusted_rand", "**0.324**"),
        ("separation_max", "**8**"),
        ("separation_min", "**4**"),
        ("separation_mean", "**6**"),
        ("separation_centroid", "**6**"),
        ("gini", "**0.222**"),
        ("links_within", "**12**"),
        ("links_within_by_size", "**4**"),
        ("links_between", "**336**"),
    ):
        assert f"**{measures[name]:.3g}**" == number
        assert number in text


def test_cut_moons():
    run, _, look_for = run_of("The silhouette prefers cut moons")
    measures = measures_of(run, clustering="kmeans")
    assert f"{run.fitted.value_:.4f}" == "0.3063"
    assert f"{measures['silhouette']:.4f}" == "0.5035"
    assert run.fitted.measures_["adjusted_rand"] == 1
    assert f"{measures['adjusted_rand']:.4f}" == "0.1985"
    for number in ("0.3063", "0.5035", "0.1985"):
        assert number in look_for
    data = side_by_side_data(run)
    assert data.names == ("DBSCAN", "k-means")


def test_random_rows():
    run, _, look_for = run_of("Clusters in random rows")
    measure, value, values = sweeps.random_data(run, ignore)
    assert (measure, f"{value:.4f}") == ("silhouette", "0.3967")
    assert f"{int((values >= value).sum())} of {len(values)}" == "24 of 30"
    assert "24 of 30" in look_for
    assert sweeps.gap_data(run, ignore).chosen == 1
    assert sweeps.stability_data(run, ignore).mean.min() > 0.6


def test_irises():
    run, _, look_for = run_of("Is there anything to cluster")
    assert f"{run.fitted.value_:.4f}" in look_for
    run, _, look_for = run_of("The matrix sorted by cluster")
    assert f"{run.fitted.value_:.4f}" in look_for
    run, _, look_for = run_of("Purity rewards many clusters")
    three, ten = measures_of(run, n_clusters=3), run.fitted.measures_
    for value in (ten["purity"], three["purity"], ten["adjusted_rand"], three["adjusted_rand"]):
        assert f"{value:.4f}" in look_for


@pytest.mark.parametrize("measure", MEASURES)
def test_the_library_agrees_where_it_has_the_measure(measure):
    start, _, _ = run_of("Silhouettes of three groups")
    run = Run.of(start.problem, clone(start.model).set_params(measure=measure))
    if measure == "hopkins":
        with pytest.raises(Incomparable):
            validity_reference(run)
        return
    (row,) = compare(run.fitted, validity_reference(run).answer(run), ["value_"])
    assert row.agrees, row.difference


def test_the_selected_row_has_its_silhouette_written_out():
    run, _, _ = run_of("Six points by hand")
    frames = cluster_validity_scene(replace(run, selected=2)).frames
    assert (
        frames[-1]
        .ledger[-2]
        .text.startswith("row 3: s = (b − a) / max(a, b) = (5 − 1.5) / 5 = 0.7")
    )


def test_every_measure_has_a_picture_with_noise_too():
    for measure in MEASURES:
        page = sound(
            visit(
                "cluster_validity",
                **{"cluster_validity.measure": measure, "cluster_validity.clustering": "dbscan"},
            )
        )
        assert warnings(page) == []
        assert len(stage(page)["frames"]) > 3


def test_what_is_refused_is_said():
    for link, sentence in (
        ({"cluster_validity.n_clusters": "1"}, "there is only one"),
        ({"cluster_validity.clustering": "dbscan", "dbscan.eps": "0.0001"}, "only noise"),
        (
            {"cluster_validity.measure": "purity", "source": "library", "data": "us_arrests"},
            "these data have none",
        ),
    ):
        page = sound(visit("cluster_validity", **link))
        assert sentence in stage(page)["frames"][-1]["caption"]


def test_links_by_hand():
    run, frames, _ = run_of("Links within by hand")
    first = next(frame for frame in frames if frame["phase"] == "part")
    assert first["caption"].startswith("Cluster 1: the squared lengths of its 3 links add up to 6;")
    identity = next(part["text"] for part in first["ledger"] if "text" in part)
    assert "= 6 = n Σ ‖x − c‖² = 3 × 2;  w Σ d² = 6 / 3 = 2" in identity
    run, frames, _ = run_of("Links between by hand")
    first = next(frame for frame in frames if frame["phase"] == "part")
    identity = next(part["text"] for part in first["ledger"] if "text" in part)
    assert identity.endswith("= 3 × 3 × 36 + 3 × 2 + 3 × 2 = 336")
    assert run.fitted.value_ == pytest.approx(336)


def test_links_of_sparser_graphs():
    run = open_preset("cluster_validity", "Links between by hand").run
    X, codes = run.problem.X, run.fitted.labels_
    squares = cdist(X, X, "sqeuclidean")
    same = codes[:, None] == codes
    tree = minimum_spanning_tree(np.sqrt(squares)).toarray() > 0
    near = kneighbors_graph(X, 2).toarray() > 0  # a row is not its own neighbour
    near = np.triu(near | near.T)
    sums = [(squares * (graph & side)).sum() for graph in (tree, near) for side in (same, ~same)]
    assert sums == pytest.approx([4, 16, 12, 0])
    lesson = text_of("cluster_validity")
    assert "1 + 1 + 1 + 1 = 4, and one between, 16" in lesson
    assert "all links within, 12, and none between" in lesson
