"""The columns that leave the house are what the fitted estimators say, for all rows of a table."""

import io

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from dashboard.outputs import outputs
from dashboard.rounds import view_of
from dashboard.settings import Settings
from dmlib.anomaly_detection import LocalOutlierFactor
from dmlib.classification import SVC, DecisionTreeClassifier, NaiveBayes
from dmlib.clustering import DBSCAN, FuzzyCMeans, GaussianMixture, KMeans
from dmlib.decomposition import PCA
from dmlib.evaluation import ClassifierResampling, RegressorResampling
from dmlib.outputs import settings_table, sheet_refusal, to_excel, to_parquet, with_outputs
from dmlib.outputs.files import MAX_ROWS, METADATA
from dmlib.problem import prepare
from dmlib.regression import LinearRegression
from tests.visit import technique

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3)) + np.repeat([0.0, 4.0, 8.0], 20)[:, None]
TABLE = pd.DataFrame(X, columns=["a", "b", "=c"]).assign(
    kind=np.repeat(["x", "y", "z"], 20), height=X @ [1.0, -2.0, 0.5] + 3
)
FEATURES = ["a", "b", "=c"]
HOLES = TABLE.mask(np.eye(60, 5, -3, dtype=bool))


def fitted(model, table=TABLE, **options):
    problem = prepare(table, FEATURES, **options)
    return problem, model.fit(*problem.training.arguments)


def of_classes(model, table=TABLE, **options):
    return fitted(model, table, target="kind", labelled=True, **options)


def test_classes_and_probabilities():
    problem, model = of_classes(NaiveBayes(), test_size=0.3, scaling="z-score")
    result, _ = with_outputs(problem, TABLE, model)
    names = np.array(problem.classes)
    assert result["predicted class"].tolist() == names[model.predict(problem.X)].tolist()
    for j, name in enumerate(problem.classes):
        np.testing.assert_array_equal(result[f"P({name})"], model.predict_proba(problem.X)[:, j])
    assert (result["role"] == "test").tolist() == problem.test.tolist()


def test_decision_values_without_probabilities():
    problem, model = fitted(
        SVC(), TABLE, target="kind", labelled=True, positive="y", scaling="min-max"
    )
    result, _ = with_outputs(problem, TABLE, model)
    np.testing.assert_allclose(result["decision value"], model.decision_function(problem.X))


def test_predictions_and_residuals():
    options = {"target": "height", "numeric_target": True, "test_size": 0.25}
    problem, model = fitted(LinearRegression(), **options)
    result, _ = with_outputs(problem, TABLE, model)
    np.testing.assert_allclose(result["predicted"], model.predict(problem.X))
    np.testing.assert_allclose(result["residual"], TABLE["height"] - model.predict(problem.X))


def test_clusters_distances_and_memberships():
    problem, model = fitted(KMeans(3, random_state=0))
    result, _ = with_outputs(problem, TABLE, model)
    assert (result["cluster"] - 1).tolist() == model.labels_.tolist()
    distances = result[[f"distance to cluster {j}" for j in (1, 2, 3)]]
    np.testing.assert_allclose(distances, model.transform(problem.X))
    for estimator in (FuzzyCMeans(3, random_state=0), GaussianMixture(3, random_state=0)):
        problem, model = fitted(estimator)
        result, _ = with_outputs(problem, TABLE, model)
        shares = result[[f"membership of cluster {j}" for j in (1, 2, 3)]]
        np.testing.assert_allclose(shares, model.predict_proba(problem.X))
    np.testing.assert_allclose(result["log-likelihood"], model.score_samples(problem.X))


def test_noise_is_cluster_0():
    problem, model = fitted(DBSCAN(eps=0.8, min_samples=3))
    result, _ = with_outputs(problem, TABLE, model)
    assert -1 in model.labels_
    assert (result["cluster"] == 0).tolist() == (model.labels_ == -1).tolist()


def test_anomaly_scores_are_those_of_the_run():
    problem, model = fitted(LocalOutlierFactor(), HOLES)
    result, _ = with_outputs(problem, HOLES, model)
    scores = result["anomaly score"].dropna()
    np.testing.assert_array_equal(scores, model.scores_)
    assert result["anomaly"].dropna().tolist() == model.anomalies_.tolist()


def test_components():
    problem, model = fitted(PCA(2), scaling="z-score")
    result, _ = with_outputs(problem, TABLE, model)
    np.testing.assert_allclose(result[["pca0", "pca1"]], model.transform(problem.X))


@pytest.mark.parametrize("scheme", ["k_fold", "repeated_holdout"])
def test_out_of_fold_predictions(scheme):
    problem, model = of_classes(ClassifierResampling("knn", scheme=scheme, random_state=0))
    result, _ = with_outputs(problem, TABLE, model)
    predicted = result["out-of-fold prediction"]
    tested = np.unique(np.concatenate([split.test for split in model.splits_]))
    assert np.flatnonzero(predicted.notna()).tolist() == tested.tolist()
    wrong = (predicted != TABLE["kind"])[predicted.notna()]
    if scheme == "k_fold":
        assert wrong.mean() == pytest.approx(model.estimate_)


def test_out_of_fold_predictions_of_numbers():
    options = {"target": "height", "numeric_target": True}
    problem, model = fitted(RegressorResampling("mean", scheme="leave_one_out"), **options)
    result, _ = with_outputs(problem, TABLE, model)
    expected = (TABLE["height"].sum() - TABLE["height"]) / 59
    np.testing.assert_allclose(result["out-of-fold prediction"], expected)


def test_rows_that_the_run_did_not_use():
    sample = np.arange(0, 60, 2)
    frame = HOLES.iloc[sample]
    problem = prepare(frame, FEATURES)
    model = KMeans(3, random_state=0).fit(problem.X)
    result, sentence = with_outputs(problem, HOLES, model, rows=sample[problem.rows])
    complete = HOLES[FEATURES].notna().all(axis=1)
    assert result["cluster"].notna().tolist() == complete.tolist()
    expected = model.predict(HOLES.loc[complete, FEATURES].to_numpy()) + 1
    assert result["cluster"].dropna().tolist() == expected.tolist()
    assert sentence == "57 of 60 rows have a result; 3 rows have missing values."
    problem_of_all = prepare(frame, FEATURES)
    neighbours = DBSCAN(eps=2.0).fit(problem_of_all.X)
    result, sentence = with_outputs(problem, HOLES, neighbours, rows=sample[problem.rows])
    assert result["cluster"].notna().sum() == len(problem.rows)
    assert "the method says nothing of new rows" in sentence


def test_holes_and_new_categories():
    table = pd.DataFrame({"sky": ["sun", "rain", None, "snow"] * 5, "n": [1.0, 2.0, None, 4.0] * 5})
    table["play"] = ["yes", "no", "yes", "no"] * 5
    problem = prepare(table[:3], ["sky", "n"], target="play", labelled=True, holes="keep")
    model = DecisionTreeClassifier().fit(*problem.training.arguments)
    result, _ = with_outputs(problem, table, model)
    assert result["predicted class"].notna().all()
    filled = prepare(table, ["n"], holes="fill")
    clusters, _ = with_outputs(filled, table, KMeans(2, random_state=0).fit(filled.X))
    assert clusters["cluster"].notna().all()


def test_names_that_are_in_use_stay():
    table = TABLE.assign(cluster=7)
    problem, model = fitted(KMeans(2, random_state=0), table)
    result, _ = with_outputs(problem, table, model)
    assert set(result["cluster"]) == {7}
    assert set(result["cluster_"]) == {1, 2}


def hostile():
    return TABLE.assign(
        **{
            "@d": ["=cmd|' /C calc'!A0", "</script>"] * 30,
            "when": pd.date_range("2020-01-01", periods=60, tz="UTC"),
            "mixed": [1, "two"] * 30,
        }
    )


def test_excel_round_trip():
    frame = hostile()
    content = io.BytesIO(to_excel(frame, {"eps": "=1+1"}))
    sheets = pd.read_excel(content, sheet_name=None, engine="calamine")
    assert list(sheets["Data"].columns) == list(frame.columns)
    np.testing.assert_allclose(sheets["Data"][FEATURES], frame[FEATURES])
    assert sheets["Data"]["@d"].tolist() == frame["@d"].tolist()
    pd.testing.assert_frame_equal(
        sheets["Settings"], settings_table({"eps": "=1+1"}), check_dtype=False
    )


def test_no_cell_of_a_sheet_is_a_formula():
    from zipfile import ZipFile

    with ZipFile(io.BytesIO(to_excel(hostile(), {"=a": "=b"}))) as book:
        sheets = [book.read(name) for name in book.namelist() if "sheets/sheet" in name]
    assert len(sheets) == 2
    assert not any(b"<f>" in sheet for sheet in sheets)


def test_parquet_round_trip():
    frame = hostile()
    content = io.BytesIO(to_parquet(frame, {"ε": "0.5"}))
    table = pq.read_table(content)
    assert table.schema.metadata[METADATA].decode() == '{"ε": "0.5"}'
    back = table.to_pandas()
    assert list(back.columns) == list(frame.columns)
    np.testing.assert_array_equal(back[FEATURES], frame[FEATURES])
    assert back["mixed"].tolist() == ["1", "two"] * 30


def test_a_sheet_says_what_it_cannot_hold():
    frame = pd.DataFrame({"a": np.zeros(MAX_ROWS + 1)})
    assert "save it as CSV" in sheet_refusal(frame)
    with pytest.raises(ValueError, match="at most"):
        to_excel(frame, {})


# A table with components, one whose rows are prepared, one with rows of its own, data of other
# kinds, clusters that a setting of the picture decides.
PAGES = {
    "pca": "pca0",
    "missing_values": "ozone (prepared)",
    "graph_clustering": "cluster",
    "vector_quantisation": "distance to cluster 1",
    "hierarchical": "cluster",
    "anomaly_detection": "anomaly score",
    "resampling": "out-of-fold prediction",
}


@pytest.mark.parametrize("slug", PAGES)
def test_pages_have_results(slug):
    view = view_of(technique(slug), Settings.from_query({}))
    result = outputs(view)
    assert PAGES[slug] in result.frame
    assert result.frame[PAGES[slug]].notna().any()
    assert result.settings["Page"] == view.technique.entry.title


def test_a_cut_decides_the_clusters():
    page = technique("hierarchical")
    height = view_of(page, Settings.from_query({"hierarchical.height": ["0.5"]}))
    result = outputs(height)
    labels = page.answer(height.run).labels_
    assert (result.frame["cluster"] - 1).tolist() == labels.tolist()


def test_a_page_with_a_sample_gives_all_rows():
    link = {"source": ["library"], "data": ["digits"], "digits.rows": ["200"]}
    view = view_of(technique("kmeans"), Settings.from_query(link))
    assert len(view.run.problem.rows) == 200
    result = outputs(view)
    assert len(result.frame) == 1797
    assert result.frame["cluster"].notna().all()
    assert (result.frame["role"] == "training").sum() == 200
