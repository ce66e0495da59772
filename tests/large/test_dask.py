"""Dask data frames, and pieces that the engine's workers read, give the same."""

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

from dmlib.engine.places import CLUSTER, VARIABLE
from dmlib.large import KMeans, LinearRegression, NaiveBayes, frequent_itemsets, profile, sample
from tests.large.pieces import blobs, files

FRAME = blobs()
START = FRAME[["a", "b", "c"]].to_numpy()[:3]


def answers(table):
    """The results of every estimator on a table."""
    kmeans = KMeans(3, init=START).fit(table, columns=["a", "b", "c"])
    clusters = KMeans(3, random_state=2).fit(table, columns=["a", "b", "c"])
    bayes = NaiveBayes().fit(table, "group")
    line = LinearRegression().fit(table, "y")
    summary = profile(table)
    return {
        "centers": kmeans.cluster_centers_,
        "drawn": clusters.cluster_centers_,
        "means": bayes.theta_,
        "names": bayes.category_count_[0],
        "coef": line.coef_,
        "errors": line.standard_errors_,
        "rows": sample(table, 20, stratify="group").index.to_numpy(),
        "medians": [column.percentiles for column in summary.columns if column.percentiles],
        "supports": list(frequent_itemsets(table, 0.3, items="sky").values()),
    }


def assert_same(first, second):
    for name, values in first.items():
        np.testing.assert_allclose(values, second[name], rtol=1e-9, err_msg=name)


# Dask's reader uses what pandas will drop.
@pytest.mark.filterwarnings("ignore::pandas.errors.Pandas4Warning")
def test_a_dask_frame_gives_the_same(tmp_path):
    usual = answers(FRAME)
    assert_same(usual, answers(dd.from_pandas(FRAME, npartitions=7)))
    files(FRAME, tmp_path, "parquet")
    assert_same(usual, answers(dd.read_parquet(f"{tmp_path}/*.parquet")))


@pytest.fixture
def cluster(monkeypatch):
    """A cluster of two processes on this machine."""
    monkeypatch.setenv(VARIABLE, "local")
    monkeypatch.setattr("dmlib.engine.places.workers_here", lambda: 2)
    yield CLUSTER.client("local")
    CLUSTER.close()


def test_the_workers_of_a_cluster_give_the_same(tmp_path, monkeypatch, cluster):
    requests = []
    monkeypatch.setattr(
        cluster,
        "get_executor",
        lambda get=cluster.get_executor, **how: requests.append(1) or get(**how),
    )
    on_cluster = (
        answers(files(FRAME, tmp_path, "csv")),
        answers(dd.from_pandas(FRAME, npartitions=3)),
    )
    assert requests
    monkeypatch.delenv(VARIABLE)
    for answer in on_cluster:
        assert_same(answers(FRAME), answer)


def test_what_a_worker_finds_wrong_is_said(tmp_path, cluster):
    pd.DataFrame({"a": [1.0]}).to_csv(tmp_path / "0.csv", index=False)
    (tmp_path / "1.csv").write_text("a\nword\n")
    with pytest.raises(ValueError, match=r"The file '1.csv' cannot be read"):
        profile(tmp_path)
