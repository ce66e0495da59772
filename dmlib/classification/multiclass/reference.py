"""The same reduction by scikit-learn, over the same binary classifier, and the code that asks for it."""

from __future__ import annotations

from typing import Any
from warnings import catch_warnings, simplefilter

from dmlib.classification.multiclass.binary import binary_classifier
from dmlib.classification.multiclass.output_code import OutputCodeClassifier
from dmlib.comparison import Incomparable
from dmlib.pictures.run import Run


def multiclass_reference(run: Run) -> Any:
    """Return scikit-learn's reduction, fitted to ``X, y`` with copies of the same binary classifier.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import OneVsOneClassifier
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 4.0, 5.0, 8.0, 9.0], "c": list("xxyyzz")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> reference = multiclass_reference(Run.of(problem, OneVsOneClassifier()))
    >>> len(reference.estimators_), reference.predict(problem.X).tolist()
    (3, [0, 0, 1, 1, 2, 2])
    """
    from sklearn import multiclass

    model, (X, y) = run.model, run.problem.training.arguments
    more: dict[str, Any] = {}
    if isinstance(model, OutputCodeClassifier):
        if model.code != "random" or model.decoding != "euclidean":
            raise Incomparable(
                "scikit-learn has only random codes, decoded by the Euclidean distance."
            )
        more = {"code_size": model.code_size, "random_state": model.random_state}
        if int(len(run.fitted.classes_) * model.code_size) < 1:
            raise Incomparable(
                "scikit-learn makes a code of no bits of this size; one bit is used here."
            )
    with catch_warnings():
        simplefilter("ignore", UserWarning)  # the ledger of the problem says the same as a sentence
        return getattr(multiclass, type(model).__name__)(
            binary_classifier(model.estimator), **more
        ).fit(X, y)


def multiclass_code(run: Run) -> str:
    """Return code that fits scikit-learn's reduction as ``reference`` to ``X, y``, after ``model``."""
    model = run.model
    more = ""
    if isinstance(model, OutputCodeClassifier):
        more = f", code_size={model.code_size!r}, random_state={model.random_state!r}"
    return f"""
# The same reduction by scikit-learn, over the same binary classifier
from sklearn import multiclass

from dmlib.classification.multiclass.binary import binary_classifier

reference = multiclass.{type(model).__name__}(binary_classifier(model.estimator){more})
reference.fit(X, y)
"""
