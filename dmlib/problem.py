"""What an algorithm gets (the chosen, scaled columns) and the plane on which it is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Scaling = Literal["none", "z-score", "min-max"]

LARGEST = 1e30
"""The largest size of a number in a table, so that sums of squares stay finite and pictures can be packed."""


@dataclass(frozen=True)
class Plane:
    """A plane through the feature space: ``x = base + u @ basis``.

    Attributes
    ----------
    base : ndarray of shape (n_features,)
        The point that is drawn at (0, 0).
    basis : ndarray of shape (2, n_features)
        Orthonormal directions of the two axes.
    labels : tuple of (str, str)
        What the axes measure.
    exact : bool
        Whether the picture shows all that the algorithm sees (two features), not a projection.
    """

    base: NDArray[np.float64]
    basis: NDArray[np.float64]
    labels: tuple[str, str]
    exact: bool

    def project(self, Z: Any) -> NDArray[np.float64]:
        """Return the coordinates in the plane, shape (m, 2), of points of shape (m, n_features)."""
        return (np.asarray(Z, float) - self.base) @ self.basis.T

    def lift(self, U: Any) -> NDArray[np.float64]:
        """Return the points of shape (m, n_features) at plane coordinates of shape (m, 2)."""
        return self.base + np.asarray(U, float) @ self.basis


@dataclass(frozen=True)
class Problem:
    """A table made ready for an algorithm.

    Attributes
    ----------
    X : ndarray of shape (n_samples, n_features)
        The chosen columns, scaled; no missing values.
    features : tuple of str
        Their names.
    plane : Plane
        Where it is drawn.
    rows : ndarray of shape (n_samples,)
        Row number in the table of each sample.
    y : ndarray of shape (n_samples,) or None
        Class codes of the target, where there is one.
    classes : tuple of str
        Names of the codes.
    notes : tuple of str
        What was done to the table, one sentence each.
    window : tuple of (float, float, float, float) or None
        x0, x1, y0, y1 of the part of the plane that is shown; None for where the samples are.
    """

    X: NDArray[np.float64]
    features: tuple[str, ...]
    plane: Plane
    rows: NDArray[np.intp]
    y: NDArray[np.intp] | None = None
    classes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    window: tuple[float, float, float, float] | None = None

    @property
    def points(self) -> NDArray[np.float64]:
        """The samples in the plane, shape (n_samples, 2)."""
        return self.plane.project(self.X)

    @property
    def labels(self) -> list[str]:
        """What a tooltip says of each sample."""
        names = [f"row {i + 1}" for i in self.rows]
        if self.y is None:
            return names
        return [f"{name} · {self.classes[code]}" for name, code in zip(names, self.y, strict=True)]


def prepare(
    frame: pd.DataFrame,
    features: Sequence[str],
    *,
    scaling: Scaling = "none",
    view: Sequence[str] | Literal["pca"] | None = None,
    target: str | None = None,
) -> Problem:
    """Choose columns, drop rows with holes, scale, and choose the plane to look at.

    Parameters
    ----------
    frame : DataFrame
        The table; ``features`` must be numeric columns.
    features : sequence of str
        The columns that the algorithm uses.
    scaling : {"none", "z-score", "min-max"}
        ``z-score`` divides by the standard deviation with n - 1, as R's ``scale``.
    view : pair of str or "pca", optional
        Two of the features, or the first two principal components; by default the first two features.
    target : str, optional
        A column of known classes, for comparison only.

    Returns
    -------
    Problem
        What the algorithm gets, with notes on what was done.

    Raises
    ------
    ValueError
        If nothing is left to work on; the sentence says why and what to do.

    Examples
    --------
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0], "b": [3.0, None, 5.0]})
    >>> problem = prepare(frame, ["a", "b"], scaling="min-max")
    >>> problem.X.tolist()
    [[0.0, 0.0], [1.0, 1.0]]
    >>> problem.notes[0]
    '1 of 3 rows has a missing value in the chosen columns and is left out.'
    """
    if not features:
        raise ValueError("No numeric column is chosen. Choose at least one, or another data set.")
    raw = frame[list(features)].to_numpy(float, na_value=np.nan)
    complete = np.isfinite(raw).all(axis=1)
    rows = np.flatnonzero(complete)
    if len(rows) < 2:
        raise ValueError(
            f"Of {len(raw)} rows, {len(rows)} {'is' if len(rows) == 1 else 'are'} complete in the chosen columns; "
            "at least 2 are needed. "
            "Choose columns with fewer missing values."
        )
    notes = []
    if len(rows) < len(raw):
        missing = len(raw) - len(rows)
        verb = "has a missing value in the chosen columns and is" if missing == 1 else "have missing values and are"
        notes.append(f"{missing} of {len(raw)} rows {verb} left out.")
    X = raw[rows]
    if large := [name for name, top in zip(features, np.abs(X).max(axis=0), strict=True) if top > LARGEST]:
        raise ValueError(
            f"Numbers beyond {LARGEST:g} are too large to be squared and summed: {', '.join(large)}. "
            "Choose other columns, or divide them by a power of ten in the file."
        )
    constant = [name for name, spread in zip(features, np.ptp(X, axis=0), strict=True) if spread == 0]
    if constant:
        notes.append(f"Constant, so without any influence: {', '.join(constant)}.")
    X, sentence = _scale(X, scaling)
    notes.append(sentence)
    y, classes = _codes(frame[target].iloc[rows]) if target else (None, ())
    return Problem(X, tuple(features), plane(X, features, view, scaling), rows, y, classes, tuple(notes))


def _scale(X: NDArray[np.float64], scaling: Scaling) -> tuple[NDArray[np.float64], str]:
    if scaling == "z-score":
        spread = X.std(axis=0, ddof=1)
        return (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1), (
            "Each column is standardised: (x - mean) / standard deviation (n - 1)."
        )
    if scaling == "min-max":
        spread = np.ptp(X, axis=0)
        return (X - X.min(axis=0)) / np.where(spread > 0, spread, 1), (
            "Each column is scaled to [0, 1]: (x - min) / (max - min)."
        )
    return X, "The columns are used as they are, without scaling."


def _codes(column: pd.Series[Any]) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    categorical = pd.Categorical(column.astype(object).where(column.notna(), "(missing)").astype(str))
    return np.asarray(categorical.codes, np.intp), tuple(map(str, categorical.categories))


def plane(
    X: NDArray[np.float64],
    features: Sequence[str],
    view: Sequence[str] | Literal["pca"] | None = None,
    scaling: Scaling = "none",
) -> Plane:
    """Choose the plane through the samples: two features, or the first two principal components.

    A single feature is drawn on a line: its second axis is empty.
    """
    mean = X.mean(axis=0)
    n_features = X.shape[1]
    unit = "" if scaling == "none" else f" ({scaling})"
    if n_features == 1:
        return Plane(np.zeros(1), np.array([[1.0], [0.0]]), (features[0] + unit, ""), exact=True)
    if view == "pca":
        _, singular, axes = np.linalg.svd(X - mean, full_matrices=False)
        axes = np.vstack([axes, np.zeros_like(axes)])[:2]
        axes *= np.where(axes[np.arange(2), np.abs(axes).argmax(axis=1)] < 0, -1, 1)[:, None]
        share = np.append(singular**2, [0.0, 0.0]) / max(float((singular**2).sum()), np.finfo(float).tiny)
        labels = (f"component 1 ({share[0]:.0%} of the variance)", f"component 2 ({share[1]:.0%})")
        return Plane(mean, axes, labels, exact=n_features == 2)
    pair = [list(features).index(name) for name in (view or features[:2])]
    basis = np.zeros((2, n_features))
    basis[[0, 1], pair] = 1
    base = mean.copy()
    base[pair] = 0
    return Plane(base, basis, (features[pair[0]] + unit, features[pair[1]] + unit), exact=n_features == 2)
