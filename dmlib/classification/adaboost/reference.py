"""The same boosting by scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.classification.adaboost.algorithm import AdaBoostClassifier
from dmlib.classification.adaboost.gradient import GradientBoostingClassifier
from dmlib.classification.base_learners import noun_of
from dmlib.comparison import Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem


def fit_adaboost(X: Any, y: Any, model: Any, max_depth: int, criterion: str, **params: Any) -> Any:
    """Fit scikit-learn's SAMME, with several seeds, as its trees draw among equal splits."""
    from sklearn.ensemble import AdaBoostClassifier
    from sklearn.tree import DecisionTreeClassifier

    stump = DecisionTreeClassifier(max_depth=max_depth, criterion=criterion)
    return with_same_decisions(AdaBoostClassifier(stump, **params), X, y, model)


def fit_gradient_boosting(X: Any, y: Any, model: Any, **params: Any) -> Any:
    """Fit scikit-learn's gradient boosting, with several seeds, as it draws among equal splits."""
    from sklearn.ensemble import GradientBoostingClassifier

    return with_same_decisions(GradientBoostingClassifier(**params), X, y, model)


def with_same_decisions(reference: Any, X: Any, y: Any, model: Any) -> Any:
    """Fit a classifier with several seeds, up to one with the decision values of another."""
    from dmlib.comparison import Incomparable

    for random_state in range(5):
        reference.set_params(random_state=random_state).fit(X, y)
        decisions = reference.decision_function(X)
        if np.allclose(decisions, model.decision_function(X), atol=1e-6):
            return reference
    raise Incomparable(
        "splits were equally good, and scikit-learn chose others in 5 runs; dmlib takes the first"
        " column."
    )


def adaboost_reference(
    run: Run[Problem, AdaBoostClassifier | GradientBoostingClassifier],
) -> Reference:
    """Return the same boosting by scikit-learn.

    Raises
    ------
    Incomparable
        If scikit-learn has no such boosting.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0], "c": list("nyny")})
    >>> problem = prepare(frame, ["x"], target="c", labelled=True)
    >>> run = Run.of(problem, AdaBoostClassifier(n_estimators=3))
    >>> adaboost_reference(run).answer(run).estimator_errors_.round(3).tolist()
    [0.25, 0.167, 0.2]
    """
    model = run.model
    _check_columns(np.asarray(run.problem.training.data))
    data = ("X", "y", "model")
    helpers = (with_same_decisions,)
    if isinstance(model, GradientBoostingClassifier):
        return Reference(fit_gradient_boosting, *data, helpers=helpers, **model.get_params())
    _check(model, run)
    names = ("max_depth", "criterion", "n_estimators", "learning_rate")
    params = {name: getattr(model, name) for name in names}
    return Reference(fit_adaboost, *data, helpers=helpers, **params)


def _check_columns(X: Any) -> None:
    """Refuse columns that scikit-learn's trees do not take, or round."""
    if not np.issubdtype(X.dtype, np.number) or np.isnan(X.astype(float)).any():
        raise Incomparable("scikit-learn's boosting takes complete numeric columns only.")
    for column in X.T:
        if len(np.unique(column.astype(np.float32))) != len(np.unique(column)):
            raise Incomparable(
                "scikit-learn's trees round values to single precision, in which some of these are"
                " equal."
            )


def _check(
    model: AdaBoostClassifier, run: Run[Problem, AdaBoostClassifier | GradientBoostingClassifier]
) -> None:
    """Refuse settings that scikit-learn lacks."""
    if noun_of(model) != "tree":
        raise Incomparable("scikit-learn's AdaBoost is compared with trees as base learners only.")
    if model.resample:
        raise Incomparable("scikit-learn does not resample.")
    if model.criterion == "error":
        raise Incomparable("scikit-learn's trees do not compare splits by their errors.")
    if model.multiclass == "m1" and run.fitted.n_classes_ > 2:
        raise Incomparable("scikit-learn has only SAMME.")
    if run.trace.steps[-1].phase == "stop" and len(run.fitted.estimators_) == 1:
        raise Incomparable(
            "scikit-learn refuses to boost where the first tree is no better than guessing."
        )
