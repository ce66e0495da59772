"""The plane on which a table is drawn: two of its columns, or two principal components."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dmlib.problem.columns import Scaling, typical


@dataclass(frozen=True, eq=False)
class Plane:
    """A plane through the feature space: ``x = base + u @ basis``.

    Attributes
    ----------
    base : ndarray of shape (n_features,)
        The point that is drawn at (0, 0): where the columns that are not shown are held.
    basis : ndarray of shape (2, n_features)
        Orthonormal directions of the two axes.
    labels : tuple of (str, str)
        What the axes measure.
    exact : bool
        Whether the picture shows all that the algorithm sees (two features), not a projection.
    ticks : tuple of (tuple of str, tuple of str)
        For each axis the categories at 0, 1, 2, ...; empty for an axis of numbers.
    """

    base: NDArray[np.float64]
    basis: NDArray[np.float64]
    labels: tuple[str, str]
    exact: bool
    ticks: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())

    def project(self, Z: Any) -> NDArray[np.float64]:
        """Return the coordinates in the plane, shape (m, 2), of points of shape (m, n_features)."""
        return (np.asarray(Z, float) - self.base) @ self.basis.T

    def lift(self, U: Any) -> NDArray[np.float64]:
        """Return the points of shape (m, n_features) at plane coordinates of shape (m, 2).

        On a nominal axis the nearest category counts.
        """
        places = np.array(U, float).reshape(-1, 2)
        for axis, names in enumerate(self.ticks):
            if names:
                places[:, axis] = places[:, axis].round().clip(0, len(names) - 1)
        return self.base + places @ self.basis

    def lift_grid(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the points of a grid, row by row, shape (len(x) · len(y), n_features)."""
        return self.lift(np.column_stack([np.tile(x, len(y)), np.repeat(y, len(x))]))

    def same(self, plane: Plane) -> bool:
        """Return whether another plane is this one."""
        return np.array_equal(self.base, plane.base) and np.array_equal(self.basis, plane.basis)


def plane(
    X: NDArray[np.float64],
    features: Sequence[str],
    view: Sequence[str] | Literal["pca"] | None = None,
    scaling: Scaling = "none",
    categories: Mapping[int, tuple[str, ...]] | None = None,
) -> Plane:
    """Choose the plane through the samples: two features, or the first two principal components.

    A single feature is drawn on a line: its second axis is empty. The columns that are not shown
    are held at their mean, nominal ones at the most frequent category.

    Examples
    --------
    >>> plane(np.array([[1.0, 2.0, 3.0], [1.0, 2.0, 5.0]]), ["a", "b", "c"]).base.tolist()
    [0.0, 0.0, 4.0]
    """
    categories = categories or {}
    n_features = X.shape[1]
    units = [
        "" if scaling == "none" or j in categories else f" ({scaling})" for j in range(n_features)
    ]
    if n_features == 1:
        ticks = (categories.get(0, ()), ())
        return Plane(
            np.zeros(1),
            np.array([[1.0], [0.0]]),
            (features[0] + units[0], ""),
            exact=True,
            ticks=ticks,
        )
    if view == "pca":
        mean = typical(X, categories)
        _, singular, axes = np.linalg.svd(np.where(np.isnan(X), 0.0, X - mean), full_matrices=False)
        axes = np.vstack([axes, np.zeros_like(axes)])[:2]
        axes *= np.where(axes[np.arange(2), np.abs(axes).argmax(axis=1)] < 0, -1, 1)[:, None]
        share = np.append(singular**2, [0.0, 0.0]) / max(
            float((singular**2).sum()), np.finfo(float).tiny
        )
        labels = (
            f"component 1 ({100 * share[0]:.0f} % of the variance)",
            f"component 2 ({100 * share[1]:.0f} %)",
        )
        return Plane(mean, axes, labels, exact=n_features == 2)
    across, up = (list(features).index(name) for name in (view or features[:2]))
    basis = np.zeros((2, n_features))
    basis[[0, 1], [across, up]] = 1
    base = typical(X, categories)
    base[[across, up]] = 0
    return Plane(
        base,
        basis,
        (features[across] + units[across], features[up] + units[up]),
        exact=n_features == 2,
        ticks=(categories.get(across, ()), categories.get(up, ())),
    )
