"""The penalised log-likelihood of logistic regression, with its gradient and its curvature."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_solve
from scipy.special import expit, log_expit, logsumexp, softmax

from dmlib.arrays import Floats

BLOCK = 2**18  # numbers in a block of rows


class Likelihood:
    r"""The objective of logistic regression: the log-likelihood minus the penalty.

    With terms :math:`z = (1, x)` and class codes 0, 1, ..., two classes share one line of
    coefficients, :math:`P(1 | x) = 1 / (1 + e^{-\beta^T z})`. More classes have one line each,
    :math:`P(k | x) = e^{\beta_k^T z} / \sum_j e^{\beta_j^T z}`. The objective is
    :math:`\ell(\beta) - \frac{1}{2} \sum_t \lambda_t \beta_t^2`.

    Parameters
    ----------
    Z : ndarray of shape (n_samples, n_terms)
        The terms of each row; a column of ones is the intercept.
    codes : ndarray of shape (n_samples,)
        The class of each row, from 0.
    n_classes : int
        The number of classes.
    weights : ndarray of shape (n_samples,)
        The weight of each row.
    penalty : ndarray of shape (n_terms,)
        The penalty of each term, lambda; 0 for the intercept.

    Examples
    --------
    >>> two = Likelihood(np.ones((4, 1)), np.array([0, 1, 1, 1]), 2, np.ones(4), np.zeros(1))
    >>> two.gradient(np.full((4, 1), 0.5), coef=np.zeros((1, 1))).tolist()
    [[1.0]]
    """

    def __init__(
        self, Z: Floats, codes: NDArray[np.intp], n_classes: int, weights: Floats, penalty: Floats
    ) -> None:
        self.Z = Z
        self.codes = codes
        self.n_classes = n_classes
        self.weights = weights
        self.penalty = penalty
        self.n_logits = 1 if n_classes == 2 else n_classes
        self.total = float(weights.sum())
        self._own = np.eye(n_classes)[:, -self.n_logits :][codes]
        self._sign = 2 * self._own[:, 0] - 1

    def batch(self, rows: NDArray[np.intp]) -> Likelihood:
        """Return the objective of a batch, weighted so that its gradient estimates that of all."""
        weights = self.weights[rows] * (len(self.Z) / len(rows))
        return Likelihood(self.Z[rows], self.codes[rows], self.n_classes, weights, self.penalty)

    def with_terms(self, Z: Floats) -> Likelihood:
        """Return the objective with other terms of the same rows."""
        return Likelihood(Z, self.codes, self.n_classes, self.weights, self.penalty)

    def scores(self, coef: Floats) -> Floats:
        """Return the linear scores of every row, shape (n_samples, n_logits)."""
        scores: Floats = self.Z @ coef.T
        return scores

    def probabilities(self, scores: Floats) -> Floats:
        """Return the probability of every class that has a score, shape (n_samples, n_logits)."""
        chances: Floats = expit(scores) if self.n_logits == 1 else softmax(scores, axis=1)
        return chances

    def log_likelihood(self, scores: Floats) -> float:
        """Return the sum of the log-probabilities of the rows' classes."""
        if self.n_logits == 1:
            logs = log_expit(self._sign * scores[:, 0])
        else:
            logs = scores[np.arange(len(scores)), self.codes] - logsumexp(scores, axis=1)
        return float(self.weights @ logs)

    def cost(self, coef: Floats) -> float:
        """Return the penalty on the coefficients."""
        penalised = self.penalty > 0  # the intercept may be too large to be squared
        return 0.5 * float((coef[:, penalised] ** 2 @ self.penalty[penalised]).sum())

    def gradient(self, chances: Floats, coef: Floats) -> Floats:
        """Return the gradient of the objective there, shape (n_logits, n_terms)."""
        residuals = self.weights[:, None] * (self._own - chances)
        gradient: Floats = residuals.T @ self.Z - self.penalty * coef
        return gradient

    def information(self, chances: Floats) -> Floats:
        """Return the negative Hessian at these probabilities, the coefficients line by line."""
        n_terms, n = self.Z.shape[1], self.n_logits
        total = np.diag(np.tile(self.penalty, n))
        for rows in _slices(len(self.Z), n * n_terms):
            p, Z, weights = chances[rows], self.Z[rows], self.weights[rows]
            if n == 1:
                half = np.sqrt(weights[:, None] * p * (1 - p)) * Z
                total += half.T @ half
                continue
            half = ((np.sqrt(weights)[:, None] * p)[:, :, None] * Z[:, None, :]).reshape(len(p), -1)
            total -= half.T @ half
            for k, line in enumerate((weights[:, None] * p).T):
                block = slice(k * n_terms, (k + 1) * n_terms)
                total[block, block] += Z.T @ (line[:, None] * Z)
        return total

    def newton(self, information: Floats, gradient: Floats) -> Floats:
        """Return Newton's step, of the gradient's shape."""
        n = self.n_logits
        if n > 1:  # all lines may be shifted together; curvature that way keeps their sum at zero
            sizes = np.diag(information).reshape(n, -1).mean(axis=0)
            information = information + np.kron(np.full((n, n), 1 / n), np.diag(sizes))
        return solve(information, gradient.ravel()).reshape(gradient.shape)


def solve(information: Floats, target: Floats) -> Floats:
    """Return ``information^-1 @ target``, by least squares where it is singular.

    Terms without information are zero.
    """
    diagonal = np.diag(information)
    scale = 1 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    scaled = information * scale * scale[:, None] + np.diag(diagonal <= 0)
    right = (target.T * scale).T
    smallest = 64 * len(scaled) * np.finfo(float).eps
    try:
        factor = np.linalg.cholesky(scaled)
    except np.linalg.LinAlgError:
        factor = np.zeros((1, 1))
    if np.diag(factor).min() ** 2 > smallest:
        solution = cho_solve((factor, True), right)
    else:
        solution = np.linalg.lstsq(scaled, right, rcond=smallest)[0]
    answer: Floats = (solution.T * scale).T
    return answer


def _slices(n_rows: int, width: int) -> Iterator[slice]:
    """Yield blocks of rows that fit into a few megabytes."""
    height = max(1, BLOCK // width)
    for first in range(0, n_rows, height):
        yield slice(first, first + height)
