"""scikit-learn repeats a run, or the reference says why it cannot."""

import numpy as np
import pandas as pd
import pytest

from dmlib.classification import AdaBoostClassifier, GradientBoostingClassifier
from dmlib.classification.adaboost.reference import adaboost_reference
from dmlib.comparison import Incomparable
from dmlib.pictures.run import Run
from dmlib.problem import prepare

RNG = np.random.default_rng(0)
FRAME = pd.DataFrame({"a": RNG.normal(size=60), "b": RNG.normal(size=60), "name": list("uvw") * 20})
FRAME["c"] = np.where(
    FRAME["a"] + 0.5 * FRAME["b"] + RNG.normal(scale=0.5, size=60) > 0, "yes", "no"
)


def run_of(model, *columns, target="c"):
    return Run.of(prepare(FRAME, list(columns or ("a", "b")), target=target, labelled=True), model)


@pytest.mark.parametrize(
    "model",
    [
        AdaBoostClassifier(n_estimators=9, max_depth=2),
        GradientBoostingClassifier(n_estimators=9, max_depth=2),
    ],
)
def test_the_reference_and_its_code_agree(model):
    run = run_of(model)
    X, y = run.problem.training.arguments
    scope = {"X": X, "y": y, "model": run.fitted}
    exec(adaboost_reference(run).code, scope)
    for reference in (adaboost_reference(run).answer(run), scope["reference"]):
        assert type(reference).__name__ == type(model).__name__
        assert type(reference) is not type(model)
        for name in ("decision_function", "predict_proba"):
            theirs, ours = getattr(reference, name)(X), getattr(run.fitted, name)(X)
            np.testing.assert_allclose(theirs, ours, atol=1e-6)


def test_runs_of_scikit_learn_with_other_splits_are_incomparable():
    frame = pd.DataFrame(np.repeat(np.arange(6.0)[:, None], 30, axis=1)).add_prefix("x")
    frame["c"], names = list("nynyny"), [f"x{i}" for i in range(30)]
    problem = prepare(frame, names, target="c", labelled=True)
    run = Run.of(problem, AdaBoostClassifier(n_estimators=2))
    run.fitted.estimators_[0].tree_.value[:] = 0.5
    run.fitted.estimator_weights_[:] = [1.0, 9.0][: len(run.fitted.estimator_weights_)]
    with pytest.raises(Incomparable, match="equally good"):
        adaboost_reference(run).answer(run)


@pytest.mark.parametrize(
    ("model", "columns", "reason"),
    [
        (AdaBoostClassifier(resample=True, random_state=0), (), "does not resample"),
        (AdaBoostClassifier(criterion="error"), (), "by their errors"),
        (AdaBoostClassifier(), ("a", "name"), "numeric columns only"),
        (GradientBoostingClassifier(), ("a", "name"), "numeric columns only"),
    ],
)
def test_what_cannot_be_repeated_has_a_reason(model, columns, reason):
    with pytest.raises(Incomparable, match=reason):
        adaboost_reference(run_of(model, *columns))


def test_m1_and_useless_stumps_cannot_be_repeated():
    with pytest.raises(Incomparable, match="only SAMME"):
        adaboost_reference(run_of(AdaBoostClassifier(multiclass="m1"), target="name"))
    corners = pd.DataFrame(
        {"x": [0.0, 1.0, 0.0, 1.0], "y": [0.0, 0.0, 1.0, 1.0], "c": list("abba")}
    )
    run = Run.of(prepare(corners, ["x", "y"], target="c", labelled=True), AdaBoostClassifier())
    with pytest.raises(Incomparable, match="no better than guessing"):
        adaboost_reference(run)
