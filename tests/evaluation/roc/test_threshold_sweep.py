"""Scores for test rows, and the sweep of the threshold over them."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from dmlib.datasets import load
from dmlib.evaluation import ScoreStep, ThresholdStep, ThresholdSweep
from dmlib.evaluation.scores import MODELS
from dmlib.trace import run

X, Y = make_classification(120, 4, flip_y=0.2, random_state=3)
NAMES = [name for name in MODELS if name != "column"]


def parts(sweep, X=X, y=Y):
    steps = run(sweep, X, y).steps
    return [s for s in steps if isinstance(s, ScoreStep)], [
        s for s in steps if isinstance(s, ThresholdStep)
    ]


@pytest.mark.parametrize("scoring", ["cross_validation", "held_out", "training"])
@pytest.mark.parametrize("model", MODELS)
def test_fit_and_steps_tell_the_same(model, scoring):
    sweep = ThresholdSweep(model, scoring=scoring, random_state=0)
    scored, passed = parts(sweep)
    fitted = sweep.fit(X, Y)
    is_scored = ~np.isnan(fitted.scores_)
    assert_array_equal(
        np.sort(np.concatenate([step.rows for step in scored])), np.flatnonzero(is_scored)
    )
    assert [step.threshold for step in passed[:-1]] == fitted.thresholds_.tolist()
    assert_allclose([step.fpr for step in passed[:-1]], fitted.fpr_)
    assert_allclose([step.tpr for step in passed[:-1]], fitted.tpr_)
    assert_allclose(passed[-1].area / (passed[-1].tp * passed[-1].fp), fitted.auc_)
    assert_allclose(fitted.auc_, roc_auc_score(Y[is_scored], fitted.scores_[is_scored]))
    assert_allclose(
        fitted.average_precision_, average_precision_score(Y[is_scored], fitted.scores_[is_scored])
    )
    assert [step.phase for step in passed[:2]] == ["start", "threshold"]
    assert passed[-1].phase == "done"


@pytest.mark.parametrize("model", NAMES)
def test_no_row_is_scored_by_a_model_that_has_seen_it(model):
    for scoring in "cross_validation", "held_out":
        scored, _ = parts(ThresholdSweep(model, scoring=scoring, random_state=1))
        for step in scored:
            assert not set(step.rows) & set(step.learned)
            assert set(Y[step.rows]) == set(Y[step.learned]) == {0, 1}
            assert step.kind == ("decision" if model == "svm" else "probability")


def test_scores_are_those_of_cross_val_predict():
    sweep = ThresholdSweep(LogisticRegression(), random_state=4).fit(X, Y)
    seed = int(np.random.RandomState(4).randint(2**31 - 1))
    folds = StratifiedKFold(5, shuffle=True, random_state=seed)
    expected = cross_val_predict(LogisticRegression(), X, Y, cv=folds, method="predict_proba")[:, 1]
    assert_allclose(sweep.scores_, expected)


def test_rows_that_were_learned_from_look_too_good():
    honest = ThresholdSweep("knn", random_state=0).fit(X, Y).auc_
    assert ThresholdSweep("knn", scoring="training", random_state=0).fit(X, Y).auc_ > honest + 0.03


def test_a_column_is_the_score():
    sweep = ThresholdSweep("column").fit(X, Y)
    assert_array_equal(sweep.scores_, X[:, 0])
    assert sweep.model_ is None
    assert_array_equal(sweep.decision_function(X[:7]), X[:7, 0])
    (scored,), _ = parts(ThresholdSweep("column"))
    assert scored.kind == "column"
    assert scored.learned.size == 0


def test_a_chosen_class_stands_against_the_rest():
    iris = load("iris").frame
    sweep = ThresholdSweep("column", pos_label="versicolor").fit(iris.iloc[:, :4], iris["species"])
    assert sweep.pos_label_ == "versicolor"
    assert sweep.positive_.sum() == 50
    assert ThresholdSweep("column").fit(iris.iloc[:, :4], iris["species"]).pos_label_ == "virginica"


def test_held_out_rows_get_scores_of_the_model_of_all_others():
    sweep = ThresholdSweep("naive_bayes", random_state=0).fit(X[:100], Y[:100])
    scores = sweep.model_.predict_proba(X[100:])[:, 1]
    assert_allclose(sweep.decision_function(X[100:]), scores)


def test_small_classes_make_fewer_folds_and_say_so():
    y = np.r_[np.zeros(50), np.ones(3)].astype(int)
    scored, _ = parts(ThresholdSweep("naive_bayes", folds=10, random_state=0), X[:53], y)
    assert len(scored) == 3
    assert scored[0].reason == "A class has only 3 rows, so there are 3 folds."


def test_tables_with_nominal_columns_and_holes():
    frame = load("weather_numeric").frame
    y = frame.pop("play")
    sweep = ThresholdSweep("naive_bayes", folds=3, random_state=0).fit(frame, y)
    assert np.isfinite(sweep.scores_).all()
    assert sweep.n_features_in_ == 4
    holes = frame.assign(humidity=frame["humidity"].where(frame["humidity"] > 66))
    assert np.isfinite(
        ThresholdSweep("naive_bayes", folds=3, random_state=0).fit(holes, y).scores_
    ).all()
    column = ThresholdSweep("column").fit(frame[["humidity", "outlook"]], y)
    assert_array_equal(column.scores_, frame["humidity"])


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: ThresholdSweep().fit(X, np.ones(120)), "There is only one class, 1.0"),
        (
            lambda: ThresholdSweep().fit(X, np.r_[1, np.zeros(119)].astype(int)),
            "A class has a single row",
        ),
        (
            lambda: ThresholdSweep("guess").fit(X, Y),
            "model must be one of naive_bayes, .*; it was 'guess'",
        ),
        (
            lambda: ThresholdSweep(pos_label=5).fit(X, Y),
            "pos_label=5 is not one of the classes 0, 1",
        ),
        (lambda: ThresholdSweep(folds=1).fit(X, Y), "folds must be a whole number from 2 to 100"),
        (
            lambda: ThresholdSweep("svm").fit(pd.DataFrame({"a": ["x"] * 60 + ["y"] * 60}), Y),
            "column 'a' is nominal",
        ),
        (
            lambda: ThresholdSweep("knn").fit(np.where(X > 2, np.nan, X), Y),
            "NaN: the column 1 has missing values",
        ),
    ],
)
def test_refusals_are_sentences(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


def test_the_column_of_the_scores_is_chosen_by_its_number():
    scores = np.column_stack([np.zeros(len(Y)), X[:, 1]])
    second = ThresholdSweep("column", column=2).fit(scores, Y)
    assert second.auc_ == ThresholdSweep("column").fit(X[:, 1:], Y).auc_
    np.testing.assert_array_equal(second.decision_function(scores), X[:, 1])
    with pytest.raises(ValueError, match="There is no column 3: there are 2"):
        ThresholdSweep("column", column=3).fit(scores, Y)
