"""Reductions to binary problems by scikit-learn."""

from __future__ import annotations

from typing import Any

from dmlib.classification.multiclass.output_code import OutputCodeClassifier
from dmlib.classification.multiclass.reduction import BinaryReduction
from dmlib.comparison import Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem


def fit_reduction(X: Any, y: Any, estimator: Any, reduction: str, **params: Any) -> Any:
    """Fit scikit-learn's reduction with the same binary classifier."""
    import warnings

    from sklearn import multiclass

    from dmlib.classification.multiclass.binary import binary_classifier

    reference = getattr(multiclass, reduction)(binary_classifier(estimator), **params)
    with warnings.catch_warnings(action="ignore", category=UserWarning):
        return reference.fit(X, y)


def multiclass_reference(run: Run[Problem, BinaryReduction]) -> Reference:
    """Return the same reduction by scikit-learn.

    Raises
    ------
    dmlib.comparison.Incomparable
        If it lacks the code or the decoding.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import OneVsOneClassifier
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 4.0, 5.0, 8.0, 9.0], "c": list("xxyyzz")})
    >>> run = Run.of(prepare(frame, ["a"], target="c", labelled=True), OneVsOneClassifier())
    >>> reference = multiclass_reference(run).answer(run)
    >>> len(reference.estimators_), reference.predict(run.problem.X).tolist()
    (3, [0, 0, 1, 1, 2, 2])
    """
    model = run.model
    params: dict[str, Any] = {}
    if isinstance(model, OutputCodeClassifier):
        if model.code != "random" or model.decoding != "euclidean":
            raise Incomparable(
                "scikit-learn has only random codes, decoded by the Euclidean distance."
            )
        if int(len(run.fitted.classes_) * model.code_size) < 1:
            raise Incomparable(
                "scikit-learn makes a code of no bits of this size; one bit is used here."
            )
        params = {"code_size": model.code_size, "random_state": model.random_state}
    reduction = type(model).__name__
    return Reference(fit_reduction, "X", "y", "model.estimator", reduction=reduction, **params)
