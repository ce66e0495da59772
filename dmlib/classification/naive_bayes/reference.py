"""The same probabilities by scikit-learn, and the code that asks for them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.classification import NaiveBayes
from dmlib.classification.conditionals import MIN_SHARE, NominalTable, NormalTable
from dmlib.comparison import Incomparable
from dmlib.pictures.run import Run


def naive_bayes_reference(run: Run) -> Any:
    """Return scikit-learn's naive Bayes, fitted to ``X, y``; None where it cannot repeat ``model``.

    Numbers are GaussianNB's and nominal columns CategoricalNB's, one for each, as their smoothing
    depends on the number of values. Their products are put together here.
    """
    X, y = run.problem.training.arguments
    import pandas as pd
    from sklearn.naive_bayes import CategoricalNB, GaussianNB

    frame = pd.DataFrame(X)
    fitted = run.fitted
    normal = [j for j, table in enumerate(fitted.tables_) if isinstance(table, NormalTable)]
    if (
        frame.isna().to_numpy().any()
        or fitted.numeric != "gaussian"
        or not _regular(fitted, frame.to_numpy(object), normal)
    ):
        raise Incomparable(
            "scikit-learn has no naive Bayes for missing values, "
            "discretised columns or columns without spread."
        )
    prior = np.log(fitted.class_prior_)
    numbers = GaussianNB(var_smoothing=fitted.var_smoothing)
    if normal:
        numbers.fit(frame.iloc[:, normal].to_numpy(float), y)
        added = numbers.epsilon_
        n = numbers.class_count_[:, None]
        numbers.var_ = (numbers.var_ - added) * n / (n - fitted.ddof) + added
    names = {}
    for j, table in enumerate(fitted.tables_):
        if isinstance(table, NominalTable):
            alpha = fitted.laplace + fitted.m_estimate / len(table.values)
            with np.errstate(divide="ignore"):
                counted = CategoricalNB(
                    alpha=alpha, force_alpha=True, min_categories=len(table.values)
                )
                names[j] = counted.fit(_codes(frame, j), y)
    reference = numbers if normal else next(iter(names.values()))

    def predict_proba(asked: Any) -> NDArray[np.float64]:
        rows = pd.DataFrame(asked)
        joint = (
            GaussianNB.predict_joint_log_proba(numbers, rows.iloc[:, normal].to_numpy(float))
            if normal
            else prior
        )
        for j, counted in names.items():
            joint = joint + CategoricalNB.predict_joint_log_proba(counted, _codes(rows, j)) - prior
        shares = np.exp(joint - joint.max(axis=1, keepdims=True))
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    reference.predict_proba = predict_proba
    return reference


def _codes(frame: Any, j: int) -> NDArray[np.intp]:
    return np.asarray(frame.iloc[:, [j]].apply(lambda column: column.cat.codes), np.intp)


def _regular(fitted: NaiveBayes, cells: Any, normal: list[int]) -> bool:
    """Return whether no special rule of ours is in use: several rows a class, nothing constant, no product of zeros."""
    if (fitted.class_count_ <= fitted.ddof).any():
        return False
    if normal:
        numbers = cells[:, normal].astype(float)
        if (fitted.var_[:, normal] <= 2 * MIN_SHARE * numbers.var(axis=0)).any() or not numbers.var(
            axis=0
        ).all():
            return False
    return (
        all((t.probabilities > 0).all() for t in fitted.tables_ if isinstance(t, NominalTable))
        or not normal
    )


def naive_bayes_code(run: Run) -> str:
    """Return code that fits scikit-learn's naive Bayes as ``reference`` to ``X, y``, after ``model``."""
    model = run.model
    return f"""
# The same with scikit-learn: it has one class for numbers and one for names.
# Its variances divide by n; here by n - {model.ddof}.
import pandas as pd
from sklearn.naive_bayes import CategoricalNB, GaussianNB

table = pd.DataFrame(X)
nominal = table.select_dtypes("category")
whole = table.notna().all(axis=1).to_numpy()
if nominal.empty:
    columns, reference = table, GaussianNB(var_smoothing={model.var_smoothing!r})
else:
    columns = nominal.apply(lambda column: column.cat.codes)
    reference = CategoricalNB(alpha={model.laplace!r}, force_alpha=True)
reference.fit(columns[whole], y[whole])
print("Training error:", (model.predict(X) != y).mean())
print("Training error, by the library, of whole rows:", (reference.predict(columns[whole]) != y[whole]).mean())
"""
