"""The number of components and their shape, chosen by an information criterion."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_array

from dmlib import engine
from dmlib.arrays import Floats
from dmlib.clustering.gaussian_mixture.algorithm import GaussianMixture
from dmlib.clustering.gaussian_mixture.gaussians import COVARIANCE_TYPES


@dataclass(frozen=True)
class MixtureSweep:
    """Gaussian mixtures for several numbers of components and covariance types.

    Attributes
    ----------
    k : ndarray of shape (n_runs,)
        The numbers of components.
    covariance_types : tuple of str
        The types.
    bic, aic : ndarray of shape (n_types, n_runs)
        The criteria, smaller is better; NaN where the fit failed.
    n_parameters : ndarray of shape (n_types, n_runs)
        How many free parameters there are.
    notes : tuple of str
        What was left out or failed, one sentence each.
    """

    k: NDArray[np.intp]
    covariance_types: tuple[str, ...]
    bic: Floats
    aic: Floats
    n_parameters: Floats
    notes: tuple[str, ...]

    @property
    def best(self) -> tuple[str, int]:
        """The covariance type and the number of components with the smallest BIC."""
        row, column = np.unravel_index(np.nanargmin(self.bic), self.bic.shape)
        return self.covariance_types[row], int(self.k[column])


def mixture_sweep(
    X: ArrayLike,
    k_range: Iterable[int],
    *,
    covariance_types: Iterable[str] = COVARIANCE_TYPES,
    **mixture: Any,
) -> MixtureSweep:
    """Compare BIC and AIC of Gaussian mixtures by number of components and covariance type.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The rows.
    k_range : iterable of int
        The numbers of components. Those above the number of rows are left out, with a note.
    covariance_types : iterable of str
        The covariance types.
    **mixture
        Further parameters of ``GaussianMixture``.

    Returns
    -------
    MixtureSweep
        One line for each type, one column for each k.

    Raises
    ------
    ValueError
        If no mixture could be fitted.

    References
    ----------
    G. Schwarz (1978), Estimating the dimension of a model.
    H. Akaike (1974), A new look at the statistical model identification.
    C. Fraley and A. E. Raftery (2002), Model-based clustering, discriminant analysis, and density
    estimation.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(60, 1)) + 8 * (np.arange(60)[:, None] % 2)
    >>> mixture_sweep(X, range(1, 4), covariance_types=["tied", "spherical"], random_state=0).best
    ('tied', 2)
    """
    rows: Floats = check_array(X, dtype=np.float64, ensure_min_samples=2)
    ks = np.array(sorted(set(k_range)), np.intp)
    kinds, notes = tuple(covariance_types), []
    if (ks > len(rows)).any():
        notes.append(f"There are only {len(rows)} rows, so k ends there.")
        ks = ks[ks <= len(rows)]
    results = np.full((3, len(kinds), len(ks)), np.nan)
    each = [(i, j, kind, int(k)) for i, kind in enumerate(kinds) for j, k in enumerate(ks)]
    seed = mixture.get("random_state")
    # What is no seed draws for one mixture after the other.
    workers = None if seed is None or isinstance(seed, int | np.integer) else 1
    for (i, j, kind, k), criteria in zip(
        each, engine.map(partial(_criteria, rows, mixture), each, workers=workers), strict=True
    ):
        if isinstance(criteria, str):
            notes.append(f"{kind}, k = {k}: {criteria}")
        else:
            results[:, i, j] = criteria
    if np.isnan(results).all():
        raise ValueError(
            notes[-1] if notes else "There is no number of components to try. Give at least one."
        )
    bic, aic, n_parameters = results
    return MixtureSweep(ks, kinds, bic, aic, n_parameters, tuple(notes))


def _criteria(
    X: Floats, mixture: dict[str, Any], which: tuple[int, int, str, int]
) -> tuple[float, float, float] | str:
    """Return BIC, AIC and the number of parameters, or why a mixture cannot be fitted: a task."""
    *_, kind, k = which
    model = GaussianMixture(k, covariance_type=kind, **mixture)
    try:
        model.fit(X)
    except ValueError as error:
        return str(error)
    return model.bic(X), model.aic(X), model._n_parameters()
