"""Sparse coding: every row of a few atoms, chosen by matching pursuit; the atoms learned by K-SVD."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state

from dmlib.arrays import Floats
from dmlib.decomposition.factorisation.algorithm import PARTS, Factorisation, FactorStep, made
from dmlib.params import Integer, Param
from dmlib.trace import look

TINY = 1e-12  # of the length of a row: nothing is left to code


class SparseCoding(Factorisation):
    r"""Learn atoms so that each row is the sum of a few of them.

    A round codes all rows by orthogonal matching pursuit: the atom most like what is left comes in,
    and all coefficients are fitted anew. Then each atom turns to what its rows need: :math:`d
    \propto E^T g`, where E is what the others leave of its rows and g their coefficients.

    Parameters
    ----------
    n_components : int, default=12
        How many atoms.
    n_nonzero_coefs : int, default=3
        How many atoms a row may use.
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
        The sum of squares that is left; the root of its mean.
    n_iter_ : int
        Rounds that were made.
    n_components_ : int
        How many atoms there are.
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
        step = made("start", 0, X, codes, atoms, mean)
        yield step
        for n in range(1, self.max_iter + 1):
            codes = pursue(Z, atoms, self.n_nonzero_coefs)
            step = made("code", n, X, codes, atoms, mean)
            yield step
            if n == self.max_iter:
                break
            codes, atoms = _turn(Z, codes.copy(), atoms.copy())
            step = made("atoms", n, X, codes, atoms, mean)
            yield step
        yield replace(step, phase="done")

    def _work(self, n: int, p: int) -> tuple[float, float]:
        k, most = min(self.n_components, n, p), self.n_nonzero_coefs
        return k + 4 * most, 4.0 * n * k * (p + most * k) + 40.0 * n * most**2

    def _first(self, Z: Floats, rng: Any) -> Floats:
        """Return rows at random, of length 1, as atoms; where all rows are the same, a unit of the first column."""
        length = np.linalg.norm(Z, axis=1)
        there = np.flatnonzero(length > TINY * max(float(length.max()), np.finfo(float).tiny))
        if not len(there):
            return np.eye(1, Z.shape[1])
        chosen = rng.permutation(there)[: min(self.n_components, *Z.shape)]
        return np.asarray(Z[chosen] / length[chosen, None])

    def _encode(self, X: Floats, step: FactorStep) -> Floats:
        return pursue(X - step.offset, step.parts, self.n_nonzero_coefs)


def pursue(Z: Floats, atoms: Floats, most: int) -> Floats:
    """Return the coefficients of rows by orthogonal matching pursuit, shape (n_samples, n_atoms).

    Examples
    --------
    # 1 < 2.6
    >>> pursue(np.array([[3.0, 1.0]]), np.array([[0.0, 1.0], [0.6, 0.8]]), 1).round(6).tolist()
    [[0.0, 2.6]]
    >>> pursue(np.array([[3.0, 1.0]]), np.array([[0.0, 1.0], [0.6, 0.8]]), 2).round(6).tolist()
    [[-3.0, 5.0]]
    """
    n, k = len(Z), len(atoms)
    alike, gram = Z @ atoms.T, atoms @ atoms.T
    length = np.linalg.norm(Z, axis=1)
    chosen = np.empty((n, 0), np.intp)
    codes = np.zeros((n, k))
    open_rows = length > 0
    for _ in range(min(most, k)):
        look()
        rows = np.flatnonzero(open_rows)
        if not len(rows):
            break
        left = np.abs(alike - codes @ gram)
        np.put_along_axis(left, chosen, -1.0, axis=1)
        chosen = np.column_stack([chosen, left.argmax(axis=1)])
        among = gram[chosen[rows, :, None], chosen[rows, None, :]]
        independent = np.linalg.det(among) > TINY
        rows, among = rows[independent], among[independent]
        wanted = np.take_along_axis(alike[rows], chosen[rows], axis=1)
        found = np.linalg.solve(among, wanted[..., None])[..., 0]
        codes[rows] = 0.0
        codes[rows[:, None], chosen[rows]] = found
        rest = np.linalg.norm(Z - codes @ atoms, axis=1)
        open_rows = open_rows & (rest > 1e-9 * length)
    return codes


def _turn(Z: Floats, codes: Floats, atoms: Floats) -> tuple[Floats, Floats]:
    """Return codes and atoms after each atom has turned to what its rows need."""
    rest = Z - codes @ atoms
    for j in range(len(atoms)):
        look()
        users = np.flatnonzero(codes[:, j])
        if not len(users):
            worst = int(
                (rest**2).sum(axis=1).argmax()
            )  # the row that is coded worst becomes an atom
            length = float(np.linalg.norm(Z[worst]))
            if length > 0:
                atoms[j] = Z[worst] / length
            continue
        error = rest[users] + np.outer(codes[users, j], atoms[j])
        turned = error.T @ codes[users, j]
        length = float(np.linalg.norm(turned))
        if length == 0:
            continue
        atoms[j] = turned / length
        codes[users, j] = error @ atoms[j]
        rest[users] = error - np.outer(codes[users, j], atoms[j])
    return codes, atoms
