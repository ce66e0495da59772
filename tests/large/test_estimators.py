"""Every estimator gives what the one in memory gives, however the table is cut."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.naive_bayes import CategoricalNB, GaussianNB

import dmlib.clustering
import dmlib.regression
from dmlib.large import KMeans, LinearRegression, MiniBatchKMeans, NaiveBayes, sample
from tests.large.pieces import blobs, cut, files, order, places

FRAME = blobs()
X = FRAME[["a", "b", "c"]]
few_examples = settings(max_examples=15, deadline=None)


def close(first, second):
    np.testing.assert_allclose(
        np.asarray(first, float), np.asarray(second, float), rtol=1e-9, atol=1e-9
    )


# --- k-means --------------------------------------------------------------------------------------


@given(places, order, st.sampled_from([0.0, 1e-4, 0.05]), st.integers(1, 6))
@few_examples
def test_kmeans_is_that_in_memory(cuts, seed, tol, k):
    start = X.to_numpy()[np.random.default_rng(k).choice(200, k, replace=False)]
    ours = KMeans(k, init=start, tol=tol, max_iter=300).fit(cut(X, cuts, seed))
    theirs = dmlib.clustering.KMeans(k, init=start, tol=tol).fit(X)
    close(ours.cluster_centers_, theirs.cluster_centers_)
    close(ours.inertia_, theirs.inertia_)
    close(ours.counts_, np.bincount(theirs.labels_))
    assert ours.n_iter_ == theirs.n_iter_
    assert ours.predict(X).tolist() == theirs.labels_.tolist()
    close(ours.score(cut(X, cuts)), -theirs.inertia_)


def test_an_empty_cluster_takes_the_farthest_row():
    start = [[1e6, 0, 0], [1e6, 1, 0], [0, 0, 0]]
    ours, theirs = (
        KMeans(3, init=start, max_iter=1).fit(X),
        dmlib.clustering.KMeans(3, init=start, max_iter=1).fit(X),
    )
    close(ours.cluster_centers_, theirs.cluster_centers_)


@pytest.mark.parametrize("init", ["k-means||", "sample"])
@given(cuts=places)
@settings(max_examples=5, deadline=None)
def test_drawn_centres_do_not_depend_on_the_pieces(init, cuts):
    first_model, second_model = (
        KMeans(3, init=init, random_state=4).fit(table) for table in (X, cut(X, cuts))
    )
    close(first_model.cluster_centers_, second_model.cluster_centers_)
    best = dmlib.clustering.KMeans(3, n_init=5, random_state=0).fit(X)
    assert first_model.inertia_ == pytest.approx(best.inertia_, rel=1e-3)


def test_a_batch_of_all_rows_is_one_iteration():
    start = X.to_numpy()[:3]
    ours = MiniBatchKMeans(3, init=start, batch_size=200, max_iter=1).fit(X)
    close(
        ours.cluster_centers_,
        dmlib.clustering.KMeans(3, init=start, max_iter=1, tol=0).fit(X).cluster_centers_,
    )


@given(places)
@few_examples
def test_mini_batches_are_those_of_sculley(cuts):
    ours = MiniBatchKMeans(3, batch_size=8, max_iter=20, random_state=1, init=X.to_numpy()[:3]).fit(
        cut(X, cuts)
    )
    rows = sample(X, 160, random_state=1, shuffled=True).to_numpy()
    centers, counts = X.to_numpy()[:3].copy(), np.zeros(3)
    for batch in np.split(rows, 20):
        nearest = [((row - centers) ** 2).sum(axis=1).argmin() for row in batch]
        for row, j in zip(batch, nearest, strict=True):  # algorithm 1, line by line
            counts[j] += 1
            centers[j] = (1 - 1 / counts[j]) * centers[j] + row / counts[j]
    close(ours.cluster_centers_, centers)
    assert ours.n_steps_ == 20


def test_too_few_rows_get_a_sentence():
    with pytest.raises(ValueError, match=r"2 complete rows are too few for 3 clusters."):
        KMeans(3).fit(pd.DataFrame({"a": [1.0, 2.0, None]}))
    with pytest.raises(ValueError, match=r"only 2 distinct rows, too few for 3 clusters."):
        KMeans(3).fit(pd.DataFrame({"a": [1.0, 2.0, 1.0, 2.0]}))
    with pytest.raises(
        ValueError, match=r"The starting centres have shape \(1, 2\); they need \(3, 3\)."
    ):
        KMeans(3, init=[[0, 0]]).fit(X)
    with pytest.raises(ValueError, match=r"n_clusters must be a whole number"):
        KMeans(0).fit(X)


# --- naive Bayes ----------------------------------------------------------------------------------


@given(places, order)
@few_examples
def test_naive_bayes_of_numbers_is_that_of_scikit_learn(cuts, seed):
    ours = NaiveBayes().fit(cut(FRAME, cuts, seed), "group", columns=["a", "b", "c"])
    theirs = GaussianNB().fit(X, FRAME["group"])
    assert ours.classes_.tolist() == theirs.classes_.tolist()
    for name in ("theta_", "var_", "class_count_", "class_prior_"):
        close(getattr(ours, name), getattr(theirs, name))
    assert np.abs(ours.predict_proba(FRAME) - theirs.predict_proba(X)).max() < 1e-6


@given(places, order)
@few_examples
def test_naive_bayes_of_names_is_that_of_scikit_learn(cuts, seed):
    ours = NaiveBayes(alpha=0.5).fit(cut(FRAME, cuts, seed), "group", columns=["sky"])
    codes = FRAME[["sky"]].apply(lambda column: pd.factorize(column, sort=True)[0])
    theirs = CategoricalNB(alpha=0.5).fit(codes, FRAME["group"])
    close(ours.category_count_[0], theirs.category_count_[0])
    close(ours.predict_proba(FRAME), theirs.predict_proba(codes))


def test_missing_values_say_nothing_and_missing_classes_are_left_out():
    frame = FRAME.copy()
    frame.loc[::3, "a"] = np.nan
    frame.loc[::4, "sky"] = None
    frame.loc[::5, "group"] = None
    ours = NaiveBayes().fit(cut(frame, [50, 51]), "group", columns=["a", "sky"])
    has_value = frame.dropna(subset="group")
    assert ours.n_incomplete_ == 40
    close(ours.theta_[:, 0], has_value.groupby("group")["a"].mean())
    close(ours.var_[:, 0] - ours.epsilon_, has_value.groupby("group")["a"].var(ddof=0))
    close(ours.category_count_[0], pd.crosstab(has_value["group"], has_value["sky"]))
    empty = pd.DataFrame({"a": [np.nan], "sky": ["hail"]})
    close(ours.predict_proba(empty)[0], ours.class_prior_)


def test_a_class_must_be_known_somewhere():
    with pytest.raises(ValueError, match=r"The class 'sky' is missing in every row."):
        NaiveBayes().fit(FRAME.assign(sky=None), "sky", columns=["a"])
    with pytest.raises(ValueError, match=r"more than 1,000 classes"):
        NaiveBayes().fit(pd.DataFrame({"a": np.arange(3000.0), "b": 1.0}), "a")


# --- linear regression ----------------------------------------------------------------------------


@given(places, order, st.booleans())
@few_examples
def test_linear_regression_is_that_of_statsmodels(cuts, seed, intercept):
    ours = LinearRegression(fit_intercept=intercept).fit(cut(FRAME, cuts, seed), "y")
    Z = X - [1e6, 0, 0]  # statsmodels loses digits far from zero
    ours_near = LinearRegression(fit_intercept=intercept).fit(
        cut(Z.assign(y=FRAME["y"]), cuts, seed), "y"
    )
    theirs = sm.OLS(FRAME["y"], sm.add_constant(Z) if intercept else Z).fit()
    close(ours_near.coef_, theirs.params.to_numpy()[int(intercept) :])
    for name, second_model in (
        ("standard_errors_", "bse"),
        ("t_values_", "tvalues"),
        ("p_values_", "pvalues"),
    ):
        close(getattr(ours_near, name), getattr(theirs, second_model))
    for name, second_model in (
        ("sse_", "ssr"),
        ("r2_", "rsquared"),
        ("f_", "fvalue"),
        ("df_resid_", "df_resid"),
    ):
        close(getattr(ours_near, name), getattr(theirs, second_model))
    memory = dmlib.regression.LinearRegression(fit_intercept=intercept).fit(X, FRAME["y"])
    np.testing.assert_allclose(ours.predict(FRAME), memory.predict(X), rtol=0, atol=1e-6)
    if intercept:
        close(ours.coef_, memory.coef_)
        close(ours.standard_errors_[1:], memory.standard_errors_[1:])


def test_dependent_columns_are_held_at_zero_as_in_memory():
    frame = FRAME.assign(d=2 * FRAME["b"] - FRAME["c"], constant=5.0)[
        ["b", "c", "d", "constant", "y"]
    ]
    ours, memory = (
        LinearRegression().fit(cut(frame, [3, 90]), "y"),
        dmlib.regression.LinearRegression(),
    )
    memory.fit(frame.drop(columns="y"), frame["y"])
    close(ours.coef_, memory.coef_)
    assert ours.coef_[2:].tolist() == [0, 0]
    close(ours.standard_errors_[1:3], memory.standard_errors_[1:3])
    assert np.isnan(ours.standard_errors_[3:]).all()


def test_incomplete_rows_are_left_out_and_counted():
    frame = FRAME.copy()
    frame.loc[::7, "a"], frame.loc[1, "y"] = np.nan, np.inf
    ours = LinearRegression().fit(cut(frame, [100]), "y")
    has_value = frame.replace(np.inf, np.nan).dropna()
    assert (ours.n_samples_, ours.n_incomplete_) == (len(has_value), 200 - len(has_value))
    close(
        ours.coef_,
        dmlib.regression.LinearRegression().fit(has_value[["a", "b", "c"]], has_value["y"]).coef_,
    )
    with pytest.raises(ValueError, match=r"No row is complete"):
        LinearRegression().fit(frame.assign(y=np.nan), "y")
    assert np.isnan(LinearRegression().fit(FRAME[:4], "y").standard_errors_).all()


# --- files ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_files_give_the_same(tmp_path, ending):
    folder = files(FRAME, tmp_path, ending)
    close(LinearRegression().fit(folder, "y").coef_, LinearRegression().fit(FRAME, "y").coef_)
    close(NaiveBayes().fit(folder, "group").theta_, NaiveBayes().fit(FRAME, "group").theta_)
    start, names = X.to_numpy()[:3], ["a", "b", "c"]
    first_model, second_model = (
        KMeans(3, init=start).fit(table, columns=names) for table in (folder, FRAME)
    )
    close(first_model.cluster_centers_, second_model.cluster_centers_)


def test_lists_are_names_too():
    frame = pd.DataFrame({"tags": [["a"], ["b"], ["a"], None], "group": list("xyxy")})
    model = NaiveBayes().fit(frame, "group")
    assert model.predict(frame).tolist() == ["x", "y", "x", "x"]
