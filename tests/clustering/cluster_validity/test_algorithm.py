"""Cluster validity: every clustering of the app, bad input, and sweeps over other rows."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn import metrics
from sklearn.base import ClusterMixin
from sklearn.datasets import load_iris, make_blobs

from dmlib import clustering
from dmlib.clustering import (
    DBSCAN,
    ClusterValidity,
    KMeans,
    gap_statistic,
    random_values,
    stability,
)
from dmlib.clustering.cluster_validity.algorithm import EXTERNAL, INTERNAL, MEASURES
from dmlib.clustering.cluster_validity.clusterings import (
    TITLES,
    RandomLabels,
    clusterings,
    key_params,
)

X, Y = load_iris(return_X_y=True)


NOT_OF_TABLES = {
    "SelfOrganizingMap",
    "SpectralGraphClustering",
    "ThresholdGraphClustering",
    "VectorQuantizer",
}


def test_every_exported_clustering_of_tables_is_compared():
    exports = {getattr(clustering, name) for name in clustering.__all__}
    estimators = {
        export
        for export in exports
        if isinstance(export, type) and issubclass(export, ClusterMixin)
    }
    compared = {*clusterings().values()} - {RandomLabels}
    assert {estimator.__name__ for estimator in estimators - compared} == NOT_OF_TABLES


def test_key_parameters_have_controls():
    for name, labels in key_params().items():
        assert set(labels) <= set(clusterings()[name].PARAMS)


@pytest.mark.parametrize("name", TITLES)
def test_every_clustering_of_the_app_is_judged(name):
    model = ClusterValidity(name, 3, random_state=0).fit(X, Y)
    inside = model.labels_ >= 0
    measures = model.measures_
    assert set(measures) == set(MEASURES)
    assert model.n_noise_ == (~inside).sum()
    assert_allclose(
        measures["silhouette"], metrics.silhouette_score(X[inside], model.labels_[inside])
    )
    assert_allclose(
        measures["davies_bouldin"], metrics.davies_bouldin_score(X[inside], model.labels_[inside])
    )
    assert_allclose(
        measures["adjusted_rand"], metrics.adjusted_rand_score(Y, model.labels_), atol=1e-12
    )
    assert_allclose(measures["v_measure"], metrics.v_measure_score(Y, model.labels_), atol=1e-12)


@pytest.mark.parametrize("measure", MEASURES)
def test_parts_come_one_by_one_and_make_the_measure(measure):
    model = ClusterValidity("kmedoids", 4, measure=measure, n_probes=7, random_state=0)
    steps = list(model.steps(X, Y))
    assert [step.phase for step in steps[:1] + steps[-2:]] == ["cluster", "combine", "done"]
    parts = [step for step in steps if step.phase == "part"]
    assert [step.n_terms for step in parts] == list(range(1, len(parts) + 1))
    assert len(parts) == (7 if measure == "hopkins" else 4)
    assert steps[-1].value == steps[-1].measures[measure] == model.fit(X, Y).value_


def test_labels_that_know_nothing_have_no_agreement():
    values = [
        ClusterValidity("random", 3, random_state=seed).fit(X, Y).measures_ for seed in range(20)
    ]
    assert abs(np.mean([each["adjusted_rand"] for each in values])) < 0.01
    assert np.mean([each["rand"] for each in values]) > 0.5
    assert abs(np.mean([each["correlation"] for each in values])) < 0.02
    assert set(RandomLabels(5, random_state=0).fit(X).labels_) == set(range(5))


def test_without_classes_external_measures_are_not_defined():
    measures = ClusterValidity("kmeans", random_state=0).fit(X).measures_
    assert all(np.isnan(measures[name]) for name in EXTERNAL)
    assert all(np.isfinite(measures[name]) for name in INTERNAL)
    with pytest.raises(ValueError, match="these data have none"):
        ClusterValidity("kmeans", measure="purity").fit(X)


def test_bad_input_gets_a_sentence():
    with pytest.raises(ValueError, match=r"only noise.*Change its settings"):
        ClusterValidity(DBSCAN(eps=1e-6)).fit(X)
    model = ClusterValidity("kmeans", 1, random_state=0)
    assert np.isnan(model.fit(X).value_)
    assert "there is only one. Choose more clusters" in list(model.steps(X))[-1].reason
    assert ClusterValidity("kmeans", 1, measure="sse", random_state=0).fit(
        X
    ).value_ == pytest.approx(681.3706)
    with pytest.raises(ValueError, match="at least as many rows"):
        ClusterValidity("kmeans", 9).fit(X[:5])
    assert (
        "cluster of its own"
        in list(ClusterValidity("kmedoids", 5).steps(X[[0, 20, 60, 90, 130]]))[-1].reason
    )
    with pytest.raises(ValueError, match="clustering must be one of"):
        ClusterValidity("nonsense").fit(X)
    with pytest.raises(ValueError, match="sample of at most 3,000"):
        ClusterValidity("kmeans").fit(np.zeros((3001, 1)))
    constant = np.column_stack([X[:, 2], np.ones(150)])
    assert np.isfinite(ClusterValidity("kmeans", random_state=0).fit(constant).value_)
    with pytest.raises(ValueError, match="distinct"):
        ClusterValidity("kmeans").fit(np.ones((6, 2)))


def test_an_estimator_keeps_its_settings():
    model = ClusterValidity(KMeans(n_init=1, init="random"), 4, random_state=3).fit(X)
    assert model.n_clusters_ == 4
    assert_allclose(
        model.labels_, KMeans(4, n_init=1, init="random", random_state=3).fit(X).labels_
    )


def test_gap_statistic_by_its_formula():
    rows, _ = make_blobs(90, 2, centers=[[0, 0], [8, 0], [0, 8]], random_state=0)
    gaps = gap_statistic(rows, range(1, 7), n_references=5, random_state=1)
    assert gaps.chosen == 3
    for k, log_within in zip(gaps.k, gaps.log_within, strict=True):
        assert_allclose(
            log_within,
            np.log(KMeans(int(k), n_init=10, random_state=1).fit(rows).inertia_),
            rtol=1e-6,
        )
    is_enough = gaps.gap[:-1] >= gaps.gap[1:] - gaps.error[1:]
    assert gaps.k[:-1][is_enough][0] == 3
    noise = np.random.default_rng(0).uniform(size=(120, 2))
    assert gap_statistic(noise, range(1, 6), n_references=10).chosen == 1
    with pytest.raises(ValueError, match="All rows are equal"):
        gap_statistic(np.ones((5, 2)), range(1, 3))


def test_stability_and_random_rows():
    rows, _ = make_blobs(90, 2, centers=[[0, 0], [8, 0], [0, 8]], random_state=0)
    done = []
    result = stability(rows, "kmeans", 3, n_resamples=6, progress=done.append)
    assert len(done) == 6
    assert result.jaccard.shape == (6, 3)
    assert_allclose(result.mean, 1.0)
    assert stability(rows, "kmeans", 4, n_resamples=10).mean.min() < 0.8
    values = random_values(rows, "kmeans", 3, n_sets=10)
    own = ClusterValidity("kmeans", 3, random_state=0).fit(rows).value_
    assert values.max() < own
    assert_allclose(values, random_values(rows, "kmeans", 3, n_sets=10))
