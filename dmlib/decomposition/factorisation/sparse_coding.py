"""Sparse coding: codes by orthogonal matching pursuit, and a dictionary by K-SVD."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state

from dmlib.arrays import Floats
from dmlib.decomposition.factorisation.algorithm import (
    PARTS,
    Factorisation,
    FactorStep,
    factor_step,
)
from dmlib.params import Integer, Param
from dmlib.trace import look

TINY = 1e-12  # share of the longest row, or of a determinant, that counts as 0


class SparseCoding(Factorisation):
    r"""Learn a dictionary of atoms so that each row is a combination of few of them.

    A round codes all rows by orthogonal matching pursuit: the atom most correlated with the
    residual is added, and all coefficients are fitted again. Then each atom is fitted to the rows
    that use it: :math:`d \propto E^T g`, where E are their residuals without the atom and g their
    coefficients.

    Parameters
    ----------
    n_components : int, default=12
        Number of atoms.
    n_nonzero_coefs : int, default=3
        Maximum number of atoms in a row.
    max_iter : int, default=10
        Rounds.
    random_state : int, RandomState or None, default=None
        The seed of the rows that are the first atoms.

    Attributes
    ----------
    components_ : ndarray of shape (n_components_, n_features)
        The atoms, of length 1.
    codes_ : ndarray of shape (n_samples, n_components_)
        The coefficients, most of them 0.
    offset_ : ndarray of shape (n_features,)
        The means of the columns.
    energy_ : float
        The share of the sum of squares of the table that is kept.
    objective_, rmse_ : float
        The sum of squared residuals; the root of their mean.
    n_iter_ : int
        Number of rounds.
    n_components_ : int
        Number of atoms.
    step_ : FactorStep
        The last step.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If a value is missing or too large to be squared.

    Notes
    -----
    O(n p k) for each atom that a row takes, and for each round of updates. The update is the
    approximate one of Rubinstein, Zibulevsky and Elad: one step of the power method in place of a
    singular value decomposition.

    References
    ----------
    Y. C. Pati, R. Rezaiifar and P. S. Krishnaprasad (1993), Orthogonal matching pursuit. Asilomar
    Conference. M. Aharon, M. Elad and A. Bruckstein (2006), K-SVD. IEEE Transactions on Signal
    Processing 54, 4311-4322.

    Examples
    --------
    >>> X = [[1.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]]
    >>> model = SparseCoding(3, n_nonzero_coefs=1, random_state=0).fit(X)
    >>> (model.codes_ != 0).sum(axis=1).max()
    np.int64(1)
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "n_components": PARTS,
        "n_nonzero_coefs": Integer(1, 20, shown=(1, 8)),
        "max_iter": Integer(1, 100, shown=(1, 30)),
    }

    def __init__(
        self,
        n_components: int = 12,
        *,
        n_nonzero_coefs: int = 3,
        max_iter: int = 10,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.n_nonzero_coefs = n_nonzero_coefs
        self.max_iter = max_iter
        self.random_state = random_state

    def _steps(self, X: Floats) -> Iterator[FactorStep]:
        rng = check_random_state(self.random_state)
        mean = X.mean(axis=0)
        Z = X - mean
        atoms = self._first(Z, rng)
        codes = np.zeros((len(Z), len(atoms)))
        step = factor_step("start", 0, X, codes, atoms, mean)
        yield step
        for n in range(1, self.max_iter + 1):
            codes = pursue(Z, atoms, self.n_nonzero_coefs)
            step = factor_step("code", n, X, codes, atoms, mean)
            yield step
            if n == self.max_iter:
                break
            codes, atoms = _fit_atoms(Z, codes.copy(), atoms.copy())
            step = factor_step("atoms", n, X, codes, atoms, mean)
            yield step
        yield replace(step, phase="done")

    def _work(self, n: int, p: int) -> tuple[float, float]:
        k, c = min(self.n_components, n, p), self.n_nonzero_coefs
        return k + 4 * c, 4.0 * n * k * (p + c * k) + 40.0 * n * c**2

    def _first(self, Z: Floats, rng: Any) -> Floats:
        """Return rows at random, of length 1, as atoms; of equal rows, the first unit vector."""
        length = np.linalg.norm(Z, axis=1)
        nonzero = np.flatnonzero(length > TINY * max(float(length.max()), np.finfo(float).tiny))
        if not len(nonzero):
            return np.eye(1, Z.shape[1])
        chosen = rng.permutation(nonzero)[: min(self.n_components, *Z.shape)]
        return np.asarray(Z[chosen] / length[chosen, None])

    def _encode(self, X: Floats, step: FactorStep) -> Floats:
        return pursue(X - step.offset, step.parts, self.n_nonzero_coefs)


def pursue(Z: Floats, atoms: Floats, max_atoms: int) -> Floats:
    """Return the coefficients of rows by orthogonal matching pursuit, shape (n_samples, n_atoms).

    Examples
    --------
    >>> row, atoms = np.array([[3.0, 1.0]]), np.array([[0.0, 1.0], [0.6, 0.8]])
    >>> (row @ atoms.T).round(6).tolist()
    [[1.0, 2.6]]
    >>> pursue(row, atoms, 1).round(6).tolist(), pursue(row, atoms, 2).round(6).tolist()
    ([[0.0, 2.6]], [[-3.0, 5.0]])
    """
    n, k = len(Z), len(atoms)
    products, gram = Z @ atoms.T, atoms @ atoms.T
    length = np.linalg.norm(Z, axis=1)
    chosen = np.empty((n, 0), np.intp)
    codes = np.zeros((n, k))
    open_rows = length > 0
    for _ in range(min(max_atoms, k)):
        look()
        rows = np.flatnonzero(open_rows)
        if not len(rows):
            break
        correlations = np.abs(products - codes @ gram)
        np.put_along_axis(correlations, chosen, -1.0, axis=1)
        chosen = np.column_stack([chosen, correlations.argmax(axis=1)])
        among = gram[chosen[rows, :, None], chosen[rows, None, :]]
        independent = np.linalg.det(among) > TINY
        rows, among = rows[independent], among[independent]
        right_side = np.take_along_axis(products[rows], chosen[rows], axis=1)
        codes[rows] = 0.0
        codes[rows[:, None], chosen[rows]] = np.linalg.solve(among, right_side[..., None])[..., 0]
        residuals = np.linalg.norm(Z - codes @ atoms, axis=1)
        open_rows = open_rows & (residuals > 1e-9 * length)
    return codes


def _fit_atoms(Z: Floats, codes: Floats, atoms: Floats) -> tuple[Floats, Floats]:
    """Return codes and atoms after each atom was fitted to the rows that use it."""
    residuals = Z - codes @ atoms
    for j in range(len(atoms)):
        look()
        users = np.flatnonzero(codes[:, j])
        if not len(users):
            # the row with the largest residual becomes an atom
            worst = int((residuals**2).sum(axis=1).argmax())
            length = float(np.linalg.norm(Z[worst]))
            if length > 0:
                atoms[j] = Z[worst] / length
            continue
        error = residuals[users] + np.outer(codes[users, j], atoms[j])
        turned = error.T @ codes[users, j]
        length = float(np.linalg.norm(turned))
        if length == 0:
            continue
        atoms[j] = turned / length
        codes[users, j] = error @ atoms[j]
        residuals[users] = error - np.outer(codes[users, j], atoms[j])
    return codes, atoms
