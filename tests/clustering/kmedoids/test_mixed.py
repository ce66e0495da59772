"""Rows of numbers and names, and given distances: Gower in two other ways, and what is refused."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.metrics import pairwise_distances

from dmlib.clustering import KMedoids
from dmlib.clustering.kmedoids.mixed import Gower, coded
from dmlib.clustering.kmedoids.reference import gower_rows
from dmlib.similarity import heterogeneous

ROWS = st.lists(
    st.tuples(st.integers(-50, 50), st.sampled_from("abc"), st.booleans()), min_size=2, max_size=20
)


def frame_of(rows):
    frame = pd.DataFrame(rows, columns=["x", "letter", "on"])
    return frame.astype({"on": str}).assign(on=lambda frame: frame["on"].astype("category"))


@given(ROWS)
def test_two_other_ways(rows):
    frame = frame_of(rows)
    table, names = coded(frame)
    codes = table.to_numpy(float)
    D = Gower.of(codes, names).between(codes, codes)
    assert sorted(names) == [1, 2]
    assert_allclose(D, 1 - heterogeneous(codes, names=[1, 2]), atol=1e-12)
    assert_allclose(D, pairwise_distances(gower_rows(frame), metric="manhattan") / 3, atol=1e-12)


@given(ROWS, st.sampled_from(["pam", "fasterpam", "alternate"]))
def test_a_given_matrix_has_the_same_medoids(rows, method):
    frame = frame_of(rows)
    model = KMedoids(2, metric="gower", method=method).fit(frame)
    codes = coded(frame)[0].to_numpy(float)
    D = Gower.of(codes, [1, 2]).between(codes, codes)
    precomputed = KMedoids(2, metric="precomputed", method=method).fit(D)
    assert precomputed.medoid_indices_.tolist() == model.medoid_indices_.tolist()
    assert precomputed.labels_.tolist() == model.labels_.tolist()
    assert_allclose(model.transform(frame), D[:, model.medoid_indices_])
    assert_allclose(precomputed.transform(D), D[:, model.medoid_indices_])
    assert_allclose(model.score(frame), -model.inertia_)


def test_by_hand():
    frame = pd.DataFrame(
        {"age": [63.0, 53.0, 29.0, 77.0], "pain": ["typical", "none", "none", "typical"]}
    )
    model = KMedoids(2, metric="gower").fit(frame)
    assert_allclose(model.transform(frame)[0, model.labels_[1]], (10 / 48 + 1) / 2)
    assert model.labels_[0] == model.labels_[3] != model.labels_[1] == model.labels_[2]
    new = pd.DataFrame({"age": [60.0, 60.0], "pain": ["never seen", "none"]})
    medoids = frame["age"].to_numpy()[model.medoid_indices_]
    names = (
        frame["pain"].to_numpy()[model.medoid_indices_] != np.array([["never seen"], ["none"]])
    ).astype(float)
    assert_allclose(model.transform(new), (np.abs(medoids - 60) / 48 + names) / 2)


def test_samples_of_mixed_rows():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=300), "side": rng.choice(["left", "right"], 300)})
    model = KMedoids(2, method="clara", metric="gower", random_state=0).fit(frame)
    assert pd.crosstab(model.labels_, frame["side"]).to_numpy().min() == 0


@pytest.mark.parametrize(
    ("model", "X", "sentence"),
    [
        (KMedoids(2), pd.DataFrame({"a": ["x", "y", "z"]}), "Choose the metric 'gower'"),
        (KMedoids(2, metric="precomputed"), [[0.0, 1.0, 2.0]] * 2, "must be square"),
        (KMedoids(2, metric="precomputed"), [[0.0, 1.0], [2.0, 0.0]], "symmetric"),
        (KMedoids(2, metric="precomputed"), [[0.0, -1.0], [-1.0, 0.0]], "at least 0"),
        (KMedoids(2, metric="precomputed", method="clara"), np.zeros((3, 3)), "Choose pam"),
        (KMedoids(2, metric="gower"), pd.DataFrame({"a": ["x", None, "z"]}), "NaN"),
        (KMedoids(2, metric=lambda a, b: -1.0), np.eye(3), "at least 0"),
        (KMedoids(2, metric=lambda a, b: np.nan), np.eye(3), "at least 0"),
        (KMedoids(2, metric="nonsense"), [[0.0], [1.0]], "gower, precomputed"),
    ],
)
def test_refused(model, X, sentence):
    with pytest.raises(ValueError, match=sentence):
        model.fit(X)
