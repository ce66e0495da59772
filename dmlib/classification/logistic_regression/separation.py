"""Separation of classes by a linear boundary: the likelihood then has no maximum."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.optimize import linprog
from sklearn.utils import check_X_y

from dmlib.arrays import Floats
from dmlib.classification.logistic_regression.likelihood import Likelihood


@dataclass(frozen=True)
class Separation:
    """Whether a linear boundary separates the classes, with such a boundary.

    Attributes
    ----------
    kind : {"none", "quasi-complete", "complete"}
        "complete": there are coefficients that put every row on the side of its class.
        "quasi-complete": some put no row on a wrong side and at least one on its own, but every
        such boundary passes through rows. "none": otherwise; only then are there finite
        coefficients of maximum likelihood.
    coef : ndarray of shape (n_logits, n_terms)
        Such coefficients, the intercept (if there is one) first; in their direction, the likelihood
        increases without limit. Zero for "none".
    is_separated : ndarray of shape (n_samples,)
        Which rows they put strictly on their own side: as many as possible.
    """

    kind: Literal["none", "quasi-complete", "complete"]
    coef: Floats
    is_separated: NDArray[np.bool_]


def separation(X: ArrayLike, y: ArrayLike, *, fit_intercept: bool = True) -> Separation:
    r"""Decide by a linear programme whether a linear boundary separates the classes.

    With signs :math:`s = \pm 1` for the class and terms :math:`z = (1, x)`, it maximises
    :math:`\sum_i t_i` subject to :math:`0 \le t_i \le 1` and :math:`t_i \le s_i \beta^T z_i`. The
    maximum is the number of rows that can be strictly on their own side while none is on the other.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Numbers.
    y : array-like of shape (n_samples,)
        Classes; with more than two, every pair of them is compared.
    fit_intercept : bool, default=True
        Whether the boundary need not pass through the origin.

    Returns
    -------
    Separation
        The answer, with coefficients that show it.

    Raises
    ------
    ValueError
        If there are fewer than two classes.

    References
    ----------
    A. Albert and J. A. Anderson (1984), On the existence of maximum likelihood estimates in
    logistic regression models. E. Stiemke (1915), Über positive Lösungen homogener linearer
    Gleichungen. K. Konis (2007), Linear programming algorithms for detecting separated data in
    binary logistic regression models.

    Examples
    --------
    >>> [separation([[1], [2], [3], [4]], y).kind for y in ([0, 0, 1, 1], [0, 1, 0, 1])]
    ['complete', 'none']
    >>> separation([[1], [2], [2], [3]], [0, 0, 1, 1]).is_separated.tolist()
    [True, False, False, True]
    """
    rows, labels = check_X_y(X, y, dtype=np.float64)
    classes, codes = np.unique(labels, return_inverse=True)
    if len(classes) < 2:
        raise ValueError("y has only one class; whether classes are separated needs at least two.")
    if not fit_intercept:
        return solve_programme(rows, codes, len(classes))
    # The programme has a tolerance, which must be small compared with the spread.
    shift = rows.mean(axis=0)
    centred = np.hstack([np.ones((len(rows), 1)), rows - shift])
    answer = solve_programme(centred, codes, len(classes))
    coef = answer.coef.copy()
    coef[:, 0] -= coef[:, 1:] @ shift
    return replace(answer, coef=coef)


def solve_programme(Z: Floats, codes: NDArray[np.intp], n_classes: int) -> Separation:
    """Solve the linear programme for rows of terms ``Z`` and class codes from 0."""
    n_samples, n_terms = Z.shape
    scale = np.abs(Z).max(axis=0, initial=0)
    scale = np.where(scale > 0, scale, 1)
    margins = _margins(Z / scale, codes, n_classes)
    n_margins, n_coefs = margins.shape
    answer = linprog(
        np.repeat([0.0, -1.0], [n_coefs, n_margins]),
        A_ub=sparse.hstack([-margins, sparse.eye_array(n_margins)], format="csr"),
        b_ub=np.zeros(n_margins),
        bounds=[(None, None)] * n_coefs + [(0, 1)] * n_margins,
    )
    solution: Floats = np.zeros(n_coefs + n_margins) if answer.x is None else answer.x
    is_positive = solution[n_coefs:].reshape(n_samples, -1) > 0.5
    is_separated = np.asarray(is_positive.all(axis=1))
    lines = solution[:n_coefs].reshape(-1, n_terms) / scale
    coef = lines if n_classes == 2 else np.vstack([np.zeros(n_terms), lines])
    if not is_positive.any():
        return Separation("none", np.zeros_like(coef), is_separated)
    return Separation("complete" if is_separated.all() else "quasi-complete", coef, is_separated)


def separation_at(
    likelihood: Likelihood, coef: Floats, gradient: Floats, information: Floats
) -> Separation:
    r"""Return the separation of the rows of a likelihood, if possible without a linear programme.

    Coefficients that put every row on its own side show a complete separation themselves. And there
    is none, not even a quasi-complete one, where Newton's next step without a penalty changes every
    score by less than 1: let :math:`q_i` be the probability of the wrong class and :math:`m_i` the
    change of the score of row i. The step solves :math:`\sum_i u_i s_i z_i = 0` with
    :math:`u_i = q_i (1 - s_i (1 - q_i) m_i) > 0`, so in a direction d without negative margins,
    :math:`\sum_i u_i s_i d^T z_i = 0` allows no positive one (Stiemke's lemma).
    """
    penalty = likelihood.penalty
    unpenalised = information - np.diag(np.tile(penalty, len(coef)))
    step = likelihood.newton(unpenalised, gradient + penalty * coef)
    counted = likelihood.weights > 0
    scores = likelihood.scores(coef)[counted]
    change = likelihood.scores(step)[counted]
    if scores.shape[1] == 1:
        margins = np.where(likelihood.codes[counted] == 1, 1, -1) * scores[:, 0]
    else:
        own = np.eye(scores.shape[1], dtype=bool)[likelihood.codes[counted]]
        margins = scores[own] - np.where(own, -np.inf, scores).max(axis=1)
        change = np.ptp(change, axis=1)
    if margins.min() > 1e-9 * max(1.0, np.abs(scores).max()):
        return Separation("complete", coef.copy(), counted)
    if np.abs(change).max() < 0.9:
        return Separation("none", np.zeros_like(coef), np.zeros_like(counted))
    codes = likelihood.codes[counted]
    answer = solve_programme(likelihood.Z[counted], codes, likelihood.n_classes)
    is_separated = np.zeros_like(counted)
    is_separated[counted] = answer.is_separated
    return replace(answer, is_separated=is_separated)


def aliased_warning(names: Sequence[str]) -> list[str]:
    """Return the sentence on columns that depend linearly on others, if there are any."""
    if not names:
        return []
    subject = "its coefficient is" if len(names) == 1 else "their coefficients are"
    return [f"The preceding columns determine {', '.join(names)}, so {subject} held at 0."]


def separation_warning(separation: Separation, unpenalised: bool) -> list[str]:
    """Return the sentence on classes that a linear boundary separates, if one does."""
    if separation.kind == "none":
        return []
    extent = "completely"
    if separation.kind == "quasi-complete":
        extent = "except for rows on the boundary itself"
    consequence = "only the penalty keeps the coefficients finite"
    if unpenalised:
        consequence = (
            "the likelihood rises for ever as the coefficients grow, so they and "
            "their standard errors are meaningless; choose a finite C"
        )
    return [f"A linear boundary separates the classes {extent}: {consequence}."]


def _margins(Z: Floats, codes: NDArray[np.intp], n_classes: int) -> sparse.csr_array:
    """Return the matrix of the margins of each row's class to each other class.

    It multiplies the lines of coefficients of all classes but the first, whose line is zero.
    """
    lines = np.eye(n_classes)[:, 1:]
    rivals = np.nonzero(codes[:, None] != np.arange(n_classes))[1]
    signs = np.repeat(lines[codes], n_classes - 1, axis=0) - lines[rivals]
    terms = np.repeat(Z, n_classes - 1, axis=0)
    return sparse.csr_array((signs[:, :, None] * terms[:, None, :]).reshape(len(signs), -1))
