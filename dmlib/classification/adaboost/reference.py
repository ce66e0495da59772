"""The same boosting by scikit-learn, and the code that does it."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.classification.adaboost.algorithm import AdaBoostClassifier
from dmlib.classification.adaboost.gradient import GradientBoostingClassifier
from dmlib.comparison import Incomparable
from dmlib.pictures.run import Run

LOTS = 5  # ways to break ties that are tried
CLOSE = 1e-6
TIES = (
    f"splits were equally good, and scikit-learn drew other ones of them in {LOTS} of {LOTS} runs; "
    "the first column is taken here."
)


def adaboost_reference(run: Run) -> Any:
    """Return scikit-learn's AdaBoostClassifier or GradientBoostingClassifier, fitted to ``X, y``.

    It chooses among equal splits at random, so several seeds are tried, up to one whose trees have
    the same errors.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0], "c": list("nyny")})
    >>> problem = prepare(frame, ["x"], target="c", labelled=True)
    >>> adaboost_reference(Run.of(problem, AdaBoostClassifier(n_estimators=3))).estimator_errors_.round(3).tolist()
    [0.25, 0.167, 0.2]
    """
    model, (X, y) = run.model, run.problem.training.arguments
    if not np.issubdtype(np.asarray(X).dtype, np.number) or np.isnan(np.asarray(X, float)).any():
        raise Incomparable("scikit-learn's boosting takes complete numeric columns only.")
    rough = np.asarray(X, np.float32).astype(float)  # its trees see single precision
    if any(
        len(np.unique(a)) != len(np.unique(b))
        for a, b in zip(rough.T, np.asarray(X).T, strict=True)
    ):
        raise Incomparable(
            "scikit-learn's trees round values to single precision, in which some of these are"
            " equal."
        )
    if isinstance(model, AdaBoostClassifier):
        _check(model, run)
    for lot in range(LOTS):
        reference = _library(model, lot).fit(X, y)
        if np.allclose(reference.decision_function(X), run.fitted.decision_function(X), atol=CLOSE):
            return reference
    raise Incomparable(TIES)


def _check(model: AdaBoostClassifier, run: Run) -> None:
    """Refuse what scikit-learn has not."""
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


def _library(model: AdaBoostClassifier | GradientBoostingClassifier, lot: int) -> Any:
    from sklearn import ensemble, tree

    if isinstance(model, GradientBoostingClassifier):
        return ensemble.GradientBoostingClassifier(**model.get_params(), random_state=lot)
    base = tree.DecisionTreeClassifier(max_depth=model.max_depth, criterion=model.criterion)
    return ensemble.AdaBoostClassifier(
        base, n_estimators=model.n_estimators, learning_rate=model.learning_rate, random_state=lot
    )


def adaboost_code(run: Run) -> str:
    """Return code that fits scikit-learn's classifier as ``reference`` to ``X, y``, after ``model``."""
    model = run.model
    shared = f"n_estimators={model.n_estimators}, learning_rate={model.learning_rate!r}"
    if isinstance(model, GradientBoostingClassifier):
        name, arguments = "GradientBoostingClassifier", f"{shared}, max_depth={model.max_depth!r}"
        note = "It takes the squared error of the residuals, as here; of equal splits it draws one."
    else:
        criterion = "gini" if model.criterion == "error" else model.criterion
        base = (
            f"tree.DecisionTreeClassifier(max_depth={model.max_depth!r}, criterion={criterion!r})"
        )
        name, arguments = "AdaBoostClassifier", f"{base}, {shared}"
        note = "It is SAMME without resampling; of equal splits it draws one."
    return f"""
# The same with scikit-learn, which takes numbers only. {note}
import pandas as pd
from sklearn import ensemble, tree

table = pd.get_dummies(pd.DataFrame(X), dtype=float).to_numpy()
reference = ensemble.{name}({arguments}, random_state=0)
reference.fit(table, y)
print("Training error:", (model.predict(X) != y).mean())
print("Training error, by the library:", (reference.predict(table) != y).mean())
"""
