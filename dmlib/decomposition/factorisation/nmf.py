"""Non-negative matrix factorisation by multiplicative updates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils._tags import Tags

from dmlib.arrays import Floats
from dmlib.decomposition.factorisation.algorithm import (
    PARTS,
    Factorisation,
    FactorStep,
    factor_step,
)
from dmlib.params import Choice, Integer, Number, Param, Spoken, check_params
from dmlib.trace import look

LOSSES = {"frobenius": "squared error", "kullback-leibler": "Kullback-Leibler"}
TINY = float(np.finfo(np.float32).eps)  # in place of a denominator of 0
CHECK_EVERY = 10  # updates between two tests of convergence
CODING = 200  # updates of the codes of new rows


class NMF(Factorisation):
    r"""Factorise a table into non-negative codes and parts, which are only added.

    :math:`X \approx W H` with no negative number in any of them. Each update multiplies:
    :math:`W \leftarrow W \circ (X H^T) / (W H H^T)`, then
    :math:`H \leftarrow H \circ (W^T X) / (W^T W H)`.

    Parameters
    ----------
    n_components : int, default=6
        Number of parts.
    beta_loss : {"frobenius", "kullback-leibler"}, default="frobenius"
        The loss: the sum of squares, or :math:`\sum X \ln (X / WH) - X + WH`.
    max_iter : int, default=100
        Maximum number of updates.
    tol : float, default=1e-4
        Stop when ten updates lower the loss by less than this share of the initial loss.
    random_state : int, RandomState or None, default=None
        The seed of the first codes and parts.

    Attributes
    ----------
    components_ : ndarray of shape (n_components_, n_features)
        The parts H.
    codes_ : ndarray of shape (n_samples, n_components_)
        The codes W of the rows.
    offset_ : ndarray of shape (n_features,)
        Zeros.
    energy_ : float
        The share of the sum of squares of the table that is kept.
    objective_ : float
        The loss at the end.
    rmse_ : float
        The root of the mean squared error.
    n_iter_ : int
        Number of updates.
    n_components_ : int
        Number of parts.
    step_ : FactorStep
        The last step.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If a value is missing, negative, or too large to be squared.

    Warns
    -----
    ConvergenceWarning
        If ``tol`` was not reached within ``max_iter`` updates.

    Notes
    -----
    O(n p k) for each update; the loss never rises. The answer depends on the seed.

    References
    ----------
    D. D. Lee and H. S. Seung (2001), Algorithms for non-negative matrix factorization. NIPS 13.

    Examples
    --------
    >>> model = NMF(2, max_iter=500, tol=0.0, random_state=0)
    >>> round(model.fit([[2.0, 0.0], [4.0, 0.0], [0.0, 1.0]]).energy_, 3)
    1.0
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "n_components": PARTS,
        "beta_loss": Choice(tuple(LOSSES)),
        "max_iter": Integer(1, 1000, shown=(1, 200)),
        "tol": Number(0.0, 1.0, shown=(1e-4, 0.1), log=True),
    }
    SPOKEN: ClassVar[Spoken] = {"beta_loss": LOSSES}

    def __init__(
        self,
        n_components: int = 6,
        *,
        beta_loss: str = "frobenius",
        max_iter: int = 100,
        tol: float = 1e-4,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.beta_loss = beta_loss
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags

    def _refuse(self, X: Floats) -> None:
        super()._refuse(X)
        if X.min() < 0:
            column = int(X.min(axis=0).argmin())
            raise ValueError(
                f"Negative values in data passed to NMF: column {column + 1} holds"
                f" {X[:, column].min():g}."
                " Scale the columns from 0 to 1 (min-max), or take another method."
            )

    def _steps(self, X: Floats) -> Iterator[FactorStep]:
        rng = check_random_state(self.random_state)
        k = min(self.n_components, *X.shape)
        size = np.sqrt(X.mean() / k)
        parts = np.abs(size * rng.standard_normal((k, X.shape[1])))
        codes = np.abs(size * rng.standard_normal((len(X), k)))
        offset = np.zeros(X.shape[1])
        initial = last_checked = loss(X, codes, parts, self.beta_loss)
        step = factor_step("start", 0, X, codes, parts, offset, initial)
        yield step
        converged = self.tol == 0
        pairs = islice(updates(X, codes, parts, self.beta_loss), self.max_iter)
        for n, (codes, parts) in enumerate(pairs, start=1):
            look()
            objective = loss(X, codes, parts, self.beta_loss)
            step = factor_step("update", n, X, codes, parts, offset, objective)
            yield step
            if n % CHECK_EVERY == 0:
                if last_checked - objective <= self.tol * initial:
                    converged = True
                    break
                last_checked = objective
        yield replace(step, phase="done", converged=converged)

    def _encode(self, X: Floats, step: FactorStep) -> Floats:
        check_params(self.PARAMS, self.get_params(deep=False))
        k = len(step.parts)
        codes = np.full((len(X), k), np.sqrt(max(X.mean(), TINY) / max(k, 1)))
        for _ in range(CODING):
            look()
            codes = codes * factor(X, codes, step.parts, self.beta_loss)
        return codes


def updates(
    X: Floats, codes: Floats, parts: Floats, beta_loss: str
) -> Iterator[tuple[Floats, Floats]]:
    """Yield codes and parts after each update, without end; codes are updated first.

    Examples
    --------
    >>> X = np.array([[2.0, 4.0], [1.0, 2.0]])
    >>> codes, parts = next(updates(X, np.ones((2, 1)), np.ones((1, 2)), "frobenius"))
    >>> codes.ravel().tolist(), parts.round(4).ravel().tolist()
    ([3.0, 1.5], [0.6667, 1.3333])
    """
    while True:
        codes = codes * factor(X, codes, parts, beta_loss)
        parts = parts * factor(X.T, parts.T, codes.T, beta_loss).T
        yield codes, parts


def factor(X: Floats, codes: Floats, parts: Floats, beta_loss: str) -> Floats:
    """Return the factors that update the codes.

    Examples
    --------
    >>> X, codes, parts = np.array([[2.0, 4.0]]), np.array([[1.0]]), np.array([[1.0, 1.0]])
    >>> factor(X, codes, parts, "frobenius").tolist()
    [[3.0]]
    """
    if beta_loss == "frobenius":
        above, below = X @ parts.T, codes @ (parts @ parts.T)
    else:
        rebuilt = codes @ parts
        above = X / np.where(rebuilt == 0, TINY, rebuilt) @ parts.T
        below = np.broadcast_to(parts.sum(axis=1), codes.shape)
    return np.asarray(above / np.where(below == 0, TINY, below))


def loss(X: Floats, codes: Floats, parts: Floats, beta_loss: str) -> float:
    """Return the loss of codes and parts.

    Examples
    --------
    >>> X, codes, parts = np.array([[2.0, 4.0]]), np.array([[1.0]]), np.array([[1.0, 4.0]])
    >>> loss(X, codes, parts, "frobenius"), round(loss(X, codes, parts, "kullback-leibler"), 4)
    (1.0, 0.3863)
    """
    rebuilt = codes @ parts
    if beta_loss == "frobenius":
        return float(((X - rebuilt) ** 2).sum())
    positive = X > 0
    divisors = np.maximum(rebuilt[positive], np.finfo(float).tiny)
    with np.errstate(divide="ignore", over="ignore"):
        logs = X[positive] * np.log(X[positive] / divisors)
    return float(logs.sum() - X.sum() + rebuilt.sum())
