"""The penalised log-likelihood of logistic regression, with its gradient and its curvature."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, log_expit, logsumexp, softmax

Floats = NDArray[np.float64]


class Likelihood:
    r"""What logistic regression maximises: the log-likelihood less the penalty.

    With terms :math:`z = (1, x)` and class codes 0, 1, ..., two classes share one line of coefficients,
    :math:`P(1 | x) = 1 / (1 + e^{-\beta^T z})`. More classes have one line each,
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
        How often each row counts.
    penalty : ndarray of shape (n_terms,)
        The penalty of each term, lambda; 0 for the intercept.

    Examples
    --------
    >>> two = Likelihood(np.ones((4, 1)), np.array([0, 1, 1, 1]), 2, np.ones(4), np.zeros(1))
    >>> two.gradient(two.scores(np.zeros((1, 1))), np.zeros((1, 1))).tolist()
    [[1.0]]
    """

    def __init__(self, Z: Floats, codes: NDArray[np.intp], n_classes: int, weights: Floats, penalty: Floats) -> None:
        self.Z, self.codes, self.n_classes, self.weights, self.penalty = Z, codes, n_classes, weights, penalty
        self.n_logits = 1 if n_classes == 2 else n_classes
        self.total = float(weights.sum())
        self._own = np.eye(n_classes)[:, -self.n_logits :][codes]

    def batch(self, rows: NDArray[np.intp]) -> Likelihood:
        """Return the objective of some of the rows, counted so often that its gradient estimates that of all."""
        weights = self.weights[rows] * (len(self.Z) / len(rows))
        return Likelihood(self.Z[rows], self.codes[rows], self.n_classes, weights, self.penalty)

    def scores(self, coef: Floats) -> Floats:
        """Return the linear scores of every row, shape (n_samples, n_logits)."""
        scores: Floats = self.Z @ coef.T
        return scores

    def probabilities(self, scores: Floats) -> Floats:
        """Return the probability of every class that has a score, shape (n_samples, n_logits)."""
        chances: Floats = expit(scores) if self.n_logits == 1 else softmax(scores, axis=1)
        return chances

    def log_likelihood(self, scores: Floats) -> float:
        """Return the sum of the log-probabilities of the classes that were seen."""
        if self.n_logits == 1:
            logs = log_expit((2 * self._own[:, 0] - 1) * scores[:, 0])
        else:
            logs = scores[np.arange(len(scores)), self.codes] - logsumexp(scores, axis=1)
        return float(self.weights @ logs)

    def value(self, scores: Floats, coef: Floats) -> float:
        """Return the objective."""
        return self.log_likelihood(scores) - 0.5 * float((coef**2 @ self.penalty).sum())

    def gradient(self, scores: Floats, coef: Floats) -> Floats:
        """Return the gradient of the objective, shape (n_logits, n_terms)."""
        residuals = self.weights[:, None] * (self._own - self.probabilities(scores))
        gradient: Floats = residuals.T @ self.Z - self.penalty * coef
        return gradient

    def information(self, scores: Floats) -> Floats:
        """Return the negative Hessian of the objective, over the coefficients line by line."""
        p = self.probabilities(scores)
        n_terms = self.Z.shape[1]
        blocks = np.empty((self.n_logits, n_terms, self.n_logits, n_terms))
        for j in range(self.n_logits):
            for k in range(j + 1):
                curvature = self.weights * p[:, j] * ((j == k) - p[:, k])
                blocks[j, :, k] = blocks[k, :, j] = self.Z.T @ (curvature[:, None] * self.Z)
            blocks[j, :, j] += np.diag(self.penalty)
        return blocks.reshape(self.n_logits * n_terms, -1)

    def newton(self, information: Floats, gradient: Floats) -> Floats:
        """Return the step that would be right if the objective were quadratic, of the gradient's shape."""
        n = self.n_logits
        if n > 1:  # all lines may be shifted together; curvature that way keeps their sum at zero
            sizes = np.diag(information).reshape(n, -1).mean(axis=0)
            information = information + np.kron(np.full((n, n), 1 / n), np.diag(sizes))
        return solve(information, gradient.ravel()).reshape(gradient.shape)


def solve(information: Floats, target: Floats) -> Floats:
    """Return ``information^-1 @ target``; zero for terms without information, least squares where it is singular."""
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
        solution = np.linalg.solve(factor.T, np.linalg.solve(factor, right))
    else:
        solution = np.linalg.lstsq(scaled, right, rcond=smallest)[0]
    answer: Floats = (solution.T * scale).T
    return answer
