"""Naive Bayes by scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dmlib.arrays import Floats
from dmlib.classification import NaiveBayes
from dmlib.classification.conditionals import MIN_SHARE, NominalTable, NormalTable
from dmlib.classification.word_tables import EVENT_MODELS, BernoulliTable, MultinomialTable
from dmlib.comparison import Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem


def fit_naive_bayes(
    X: Any,
    y: ArrayLike,
    laplace: float,
    m_estimate: float,
    ddof: int,
    var_smoothing: float,
    priors: Any,
) -> Any:
    """Fit scikit-learn's GaussianNB to the numbers, and a CategoricalNB to each nominal column."""
    import pandas as pd
    from scipy.special import softmax
    from sklearn.naive_bayes import CategoricalNB, GaussianNB

    categories = {
        name: c.cat.categories for name, c in pd.DataFrame(X).items() if c.dtype == "category"
    }

    def parts(rows: Any) -> list[Floats]:
        frame = pd.DataFrame(rows)
        numbers = frame.drop(columns=list(categories)).to_numpy(float)
        codes = [frame[name].cat.codes.to_numpy()[:, None] for name in categories]
        return [numbers, *codes] if numbers.size else codes

    models = []
    for values in categories.values():
        alpha = laplace + m_estimate / len(values)
        models.append(CategoricalNB(alpha=alpha, force_alpha=True, min_categories=len(values)))
    if len(parts(X)) > len(models):
        models.insert(0, GaussianNB(var_smoothing=var_smoothing))
    with np.errstate(divide="ignore"):
        for model, part in zip(models, parts(X), strict=True):
            model.fit(part, y)
    reference = models[0]
    counts = np.unique(y, return_counts=True)[1][:, None]
    if isinstance(reference, GaussianNB):
        added = reference.epsilon_
        reference.var_ = (reference.var_ - added) * counts / (counts - ddof) + added
    shares = np.log(counts[:, 0] / counts.sum())

    with np.errstate(divide="ignore"):
        prior = shares if priors is None else np.log(priors)

    def predict_proba(rows: Any) -> Floats:
        pairs = zip(models, parts(rows), strict=True)
        joint = sum(model.predict_joint_log_proba(part) - shares for model, part in pairs)
        posterior: Floats = softmax(joint + prior, axis=1)
        return posterior

    reference.predict_proba = predict_proba
    return reference


def fit_event_model(
    X: Any, y: ArrayLike, numeric: str, laplace: float, m_estimate: float, priors: Any
) -> Any:
    """Fit scikit-learn's BernoulliNB or MultinomialNB to columns of counts."""
    from sklearn.naive_bayes import BernoulliNB, MultinomialNB

    is_bernoulli = numeric == "bernoulli"
    alpha = laplace + m_estimate / (2 if is_bernoulli else X.shape[1])
    model = BernoulliNB if is_bernoulli else MultinomialNB
    return model(alpha=alpha, force_alpha=True, class_prior=priors).fit(X, y)


def naive_bayes_reference(run: Run[Problem, NaiveBayes]) -> Reference:
    """Return the same probabilities by scikit-learn.

    Raises
    ------
    dmlib.comparison.Incomparable
        If it has no equivalent of a rule that applies to the data.
    """
    model = run.fitted
    if model.m_estimate and model.m_prior != "uniform":
        raise Incomparable("scikit-learn adds the same to the count of every value.")
    frame = pd.DataFrame(run.problem.training.data)
    if model.numeric in EVENT_MODELS and _is_counted(model, frame):
        return Reference(
            fit_event_model,
            "X",
            "y",
            numeric=model.numeric,
            laplace=model.laplace,
            m_estimate=model.m_estimate,
            priors=model.priors,
        )
    if model.numeric != "gaussian" or not _is_regular(model, frame):
        raise Incomparable(
            "scikit-learn has no naive Bayes for missing values, "
            "discretised columns or columns without spread."
        )
    return Reference(
        fit_naive_bayes,
        "X",
        "y",
        laplace=model.laplace,
        m_estimate=model.m_estimate,
        ddof=model.ddof,
        var_smoothing=model.var_smoothing,
        priors=model.priors,
    )


def _is_counted(model: NaiveBayes, frame: pd.DataFrame) -> bool:
    """Return whether all columns are counts without missing values, and no share is zero."""
    return not frame.isna().to_numpy().any() and all(
        isinstance(table, BernoulliTable | MultinomialTable) and bool(table.probabilities.all())
        for table in model.tables_
    )


def _is_regular(model: NaiveBayes, frame: pd.DataFrame) -> bool:
    """Return whether there are no missing values, classes of one row, constants or zero shares."""
    if frame.isna().to_numpy().any() or (model.class_count_ <= model.ddof).any():
        return False
    normal = [j for j, table in enumerate(model.tables_) if isinstance(table, NormalTable)]
    if not normal:
        return True
    variance = frame.iloc[:, normal].to_numpy(float).var(axis=0)
    nominal = [table for table in model.tables_ if isinstance(table, NominalTable)]
    return bool(
        variance.all()
        and (model.var_[:, normal] > 2 * MIN_SHARE * variance).all()
        and all((table.probabilities > 0).all() for table in nominal)
    )
