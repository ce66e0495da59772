"""The probe method: a forward selection beside columns of pure chance.

It ends when these are as good as the real ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_random_state

from dmlib.arrays import Floats
from dmlib.feature_selection.selector import Selector, mask_of, standardised
from dmlib.params import Choice, Integer, Number, Param, Spoken
from dmlib.trace import look

Phase = Literal["probes", "add", "probe", "done"]
MIN_GAIN = 1e-12  # of the variance: a smaller share is rounding error
PROBES = {"shuffled": "Shuffled columns", "normal": "Normal numbers"}


@dataclass(frozen=True)
class ProbeStep:
    """One step of the probe method.

    Attributes
    ----------
    phase : {"probes", "add", "probe", "done"}
        The probes made; a column added, a probe added that is tolerated; the end.
    added : tuple of int
        What has been added, in order; from n_features on these are probes.
    gains : ndarray of shape (n_features + n_probes,)
        What each would explain of the target's variance, beside those added before; NaN for these.
    moved : int or None
        What was added, or at the end the probe that came first.
    explained : float
        The share of the variance that those added explain.
    support : ndarray of bool of shape (n_features,)
        The columns added.
    reason : str
        On "done": why it ended, as a sentence.
    """

    phase: Phase
    added: tuple[int, ...]
    gains: Floats
    moved: int | None
    explained: float
    support: NDArray[np.bool_]
    reason: str = ""


class ProbeSelector(Selector):
    """Add the column that explains most of what is left, until one of pure chance explains more.

    Parameters
    ----------
    n_probes : int, default=20
        Columns of pure chance that compete.
    probes : {"shuffled", "normal"}, default="shuffled"
        Real columns in turn, their values shuffled among the rows; or normal random numbers.
    max_share : float, default=0.0
        The share of probes among those taken that is tolerated; 0 stops at the first probe.
    random_state : int, RandomState or None
        The seed of the probes.

    Attributes
    ----------
    support_ : ndarray of bool of shape (n_features,)
        Which columns are chosen.
    taken_ : tuple of int
        Columns and tolerated probes (from n_features on) in the order in which they came.
    explained_ : float
        R² of these.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If all targets are equal.

    Notes
    -----
    O(n (p + probes)) for each column taken, by Gram-Schmidt orthogonalisation. A useless column is
    as likely to come first as any probe: with m probes and u useless columns, one slips in before
    the first probe with probability u / (u + m), nearly.

    References
    ----------
    H. Stoppiglia, G. Dreyfus, R. Dubois and Y. Oussar (2003), Ranking a random feature for variable
    and feature selection. JMLR 3.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(60, 5))
    >>> selector = ProbeSelector(random_state=0).fit(X, X[:, 0] - 2 * X[:, 3])
    >>> selector.get_support(indices=True).tolist()
    [0, 3]
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "n_probes": Integer(1, 1000, shown=(1, 60)),
        "probes": Choice(tuple(PROBES)),
        "max_share": Number(0.0, 0.9, shown=(0.0, 0.5), step=0.1),
    }
    SPOKEN: ClassVar[Spoken] = {"probes": PROBES}

    def __init__(
        self,
        *,
        n_probes: int = 20,
        probes: str = "shuffled",
        max_share: float = 0.0,
        random_state: Any = None,
    ) -> None:
        self.n_probes = n_probes
        self.probes = probes
        self.max_share = max_share
        self.random_state = random_state

    def fit(self, X: Any, y: ArrayLike | None = None) -> Self:
        """Add columns of ``X`` until a probe comes."""
        self._remember_columns(X)
        for step in self.steps(X, y):
            last = step
        self.support_, self.taken_, self.explained_ = last.support, last.added, last.explained
        return self

    def steps(self, X: Any, y: ArrayLike | None = None) -> Iterator[ProbeStep]:
        """Yield every step; the last is the answer of ``fit``."""
        X, y = self._check_numbers(X, y)
        p = X.shape[1]
        Z = standardised(np.column_stack([X, self.probe_columns(X)]))
        residual = standardised(y[:, None])[:, 0] / len(y) ** 0.5
        sizes = np.sqrt((Z**2).sum(axis=0))
        added: tuple[int, ...] = ()
        gains = _gains(Z, residual, sizes, added)

        def step(phase: Phase, moved: int | None, reason: str = "") -> ProbeStep:
            support = mask_of([j for j in added if j < p], p)
            explained = 1 - float(residual @ residual)
            return ProbeStep(phase, added, gains, moved, explained, support, reason)

        yield step("probes", None)
        while not has_all_columns(added, p):
            look()
            gains = _gains(Z, residual, sizes, added)
            best = int(np.nanargmax(gains))
            if gains[best] <= MIN_GAIN or len(added) >= len(y) - 2:
                reason = "The residual of the target cannot be explained any further."
                yield step("done", None, reason)
                return
            n_probes = sum(j >= p for j in (*added, best))
            if best >= p and n_probes > self.max_share * (len(added) + 1):
                tolerated = (
                    f"; {100 * self.max_share:.0f} % are tolerated" if self.max_share else ""
                )
                yield step("done", best, f"A probe explains more than any column left{tolerated}.")
                return
            axis = Z[:, best] / np.sqrt(Z[:, best] @ Z[:, best])
            residual = residual - axis * (axis @ residual)
            Z = Z - np.outer(axis, axis @ Z)
            added = (*added, best)
            yield step("probe" if best >= p else "add", best)
        gains = _gains(Z, residual, sizes, added)
        yield step("done", None, "All columns were selected before a probe.")

    def probe_columns(self, X: Floats) -> Floats:
        """Return the probes for a table, shape (n_samples, n_probes)."""
        rng = check_random_state(self.random_state)
        if self.probes == "normal":
            numbers: Floats = rng.normal(size=(len(X), self.n_probes))
            return numbers
        columns = (X[:, i % X.shape[1]] for i in range(self.n_probes))
        return np.column_stack([rng.permutation(column) for column in columns])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def has_all_columns(added: tuple[int, ...], p: int) -> bool:
    """Return whether all real columns are among those added.

    Examples
    --------
    >>> has_all_columns((1, 5, 0), 2), has_all_columns((1,), 2)
    (True, False)
    """
    return sum(j < p for j in added) == p


def _gains(Z: Floats, residual: Floats, sizes: Floats, added: tuple[int, ...]) -> Floats:
    """Return which share of the target's variance each column explains beside those added."""
    squares = (Z**2).sum(axis=0)
    varies = squares > 1e-10 * np.where(sizes > 0, sizes, 1.0) ** 2
    gains = np.where(varies, (residual @ Z) ** 2 / np.where(varies, squares, 1.0), 0.0)
    gains[list(added)] = np.nan
    return gains


def probe_method(X: Any, y: ArrayLike, **params: Any) -> ProbeSelector:
    """Return a fitted :class:`ProbeSelector`; ``params`` are its parameters.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(60, 5))
    >>> probe_method(X, X[:, 4], random_state=0).taken_
    (4,)
    """
    return ProbeSelector(**params).fit(X, y)
