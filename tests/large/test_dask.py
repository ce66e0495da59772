"""Dask data frames, and pieces that a cluster's workers read, give the same."""

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from distributed import Client, LocalCluster

from dmlib.large import KMeans, LinearRegression, NaiveBayes, frequent_itemsets, profile, sample
from tests.large.pieces import blobs, files

FRAME = blobs()
START = FRAME[["a", "b", "c"]].to_numpy()[:3]


def answers(table, client=None):
    """What every estimator says of a table."""
    how = {"client": client}
    kmeans = KMeans(3, init=START, **how).fit(table, columns=["a", "b", "c"])
    drawn = KMeans(3, random_state=2, **how).fit(table, columns=["a", "b", "c"])
    bayes = NaiveBayes(**how).fit(table, "group")
    line = LinearRegression(**how).fit(table, "y")
    told = profile(table, **how)
    return {
        "centers": kmeans.cluster_centers_,
        "drawn": drawn.cluster_centers_,
        "means": bayes.theta_,
        "names": bayes.category_count_[0],
        "coef": line.coef_,
        "errors": line.standard_errors_,
        "rows": sample(table, 20, stratify="group", **how).index.to_numpy(),
        "medians": [column.percentiles for column in told.columns if column.percentiles],
        "supports": list(frequent_itemsets(table, 0.3, items="sky", **how).values()),
    }


def assert_same(one, other):
    for name, values in one.items():
        np.testing.assert_allclose(values, other[name], rtol=1e-9, err_msg=name)


@pytest.mark.filterwarnings("ignore::pandas.errors.Pandas4Warning")  # Dask's reader uses what pandas will drop
def test_a_dask_frame_gives_the_same(tmp_path):
    usual = answers(FRAME)
    assert_same(usual, answers(dd.from_pandas(FRAME, npartitions=7)))
    files(FRAME, tmp_path, "parquet")
    assert_same(usual, answers(dd.read_parquet(f"{tmp_path}/*.parquet")))


@pytest.fixture
def client():
    here = dict.fromkeys(("dashboard_address", "worker_dashboard_address"), "127.0.0.1:0")
    cluster = LocalCluster(n_workers=2, threads_per_worker=1, processes=False, **here)
    with cluster, Client(cluster) as connected:
        yield connected


def test_the_workers_of_a_client_give_the_same(tmp_path, client):
    usual = answers(FRAME)
    assert_same(usual, answers(files(FRAME, tmp_path, "csv"), client))
    assert_same(usual, answers(dd.from_pandas(FRAME, npartitions=3), client))


def test_what_a_worker_finds_wrong_is_said(tmp_path, client):
    pd.DataFrame({"a": [1.0]}).to_csv(tmp_path / "0.csv", index=False)
    (tmp_path / "1.csv").write_text("a\nword\n")
    with pytest.raises(ValueError, match=r"The file '1.csv' cannot be read"):
        profile(tmp_path, client=client)
