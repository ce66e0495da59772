"""The self-organising map: codes on a grid, which unfolds among the data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.utils import check_random_state

from dmlib.arrays import Floats
from dmlib.clustering.centroids import CentroidClustering
from dmlib.clustering.codes import code_rows
from dmlib.clustering.vector_quantisation.algorithm import CodeBook
from dmlib.clustering.vector_quantisation.online import (
    OnlineStep,
    distortion,
    draws,
    ended,
    nearest_code,
    shown_updates,
)
from dmlib.params import Choice, Integer, Number, Param, check_params
from dmlib.squares import check_squares

LAST_WIDTH = (
    0.5  # of the neighbourhood: the units beside the nearest one then move by e^-2 of its move
)
TIGHT = 0.01  # of the standard deviations: how far codes that start at the mean lie apart


class SelfOrganizingMap(CodeBook, CentroidClustering):
    r"""Unfold a grid of units among the rows, so that neighbours on the grid have similar codes.

    For each row x that is drawn, the nearest unit c is found, and every unit i moves towards x, by
    less the farther it is from c on the grid: :math:`w_i \leftarrow w_i + \alpha e^{-d(i, c)^2 / 2
    \sigma^2} (x - w_i)`. The rate
    :math:`\alpha` falls linearly to 0, the width :math:`\sigma` geometrically to 0.5.

    Parameters
    ----------
    n_rows, n_columns : int, default=5
        The size of the grid.
    init : {"random", "mean", "pca"}, default="mean"
        The starting codes: "random" draws rows, so that the grid is crumpled; "mean" puts all near
        the mean; "pca" spreads the grid over the plane of the first two principal components.
    learning_rate : float, default=0.5
        The rate :math:`\alpha` at the start.
    width : float or None, default=None
        The width :math:`\sigma` of the neighbourhood at the start, in units of the grid; None means
        half its longer side.
    max_iter : int, default=2000
        The number of updates, each by one row that is drawn at random.
    random_state : int, RandomState or None, default=None
        The seed of the random draws.

    Attributes
    ----------
    codebook_ : ndarray of shape (n_rows * n_columns, n_features)
        The code of each unit, row by row.
    cluster_centers_ : ndarray of shape (n_rows * n_columns, n_features)
        The same.
    labels_ : ndarray of shape (n_samples,)
        The nearest unit of each row.
    inertia_ : float
        The sum of squared distances of the rows to their units.
    topographic_error_ : float
        The share of rows whose two nearest units are no neighbours on the grid.
    mse_, psnr_, bits_per_pixel_, ratio_ : float
        Error and size, as of :class:`VectorQuantizer`.
    n_iter_ : int
        The number of updates.
    n_features_in_ : int
        The number of columns, of an image that of its channels.

    Raises
    ------
    ValueError
        If values are too large to be squared.

    Notes
    -----
    ``X`` is a table, or an image of shape (height, width, channels) whose pixels are the rows. An
    update costs O(k d) for k units. Units are neighbours if they share a side. Ties go to the unit
    with the lower number.

    References
    ----------
    T. Kohonen (1982), Self-organized formation of topologically correct feature maps.
    T. Kohonen (1990), The self-organizing map.

    Examples
    --------
    >>> X = np.linspace(0, 1, 50)[:, None]
    >>> model = SelfOrganizingMap(1, 4, random_state=0).fit(X)
    >>> steps = np.diff(model.codebook_.ravel())
    >>> bool((steps > 0).all() or (steps < 0).all())
    True
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "n_rows": Integer(1, 16, shown=(1, 12)),
        "n_columns": Integer(1, 16, shown=(1, 12)),
        "init": Choice(("random", "mean", "pca")),
        "learning_rate": Number(0.0, 1.0, shown=(0.0, 1.0), step=0.005),
        "width": Number(0.1, 100.0, shown=(0.1, 10.0), log=True, none="half the grid"),
        "max_iter": Integer(1, 100_000, shown=(50, 5_000)),
    }

    def __init__(
        self,
        n_rows: int = 5,
        n_columns: int = 5,
        *,
        init: str = "mean",
        learning_rate: float = 0.5,
        width: float | None = None,
        max_iter: int = 2000,
        random_state: Any = None,
    ) -> None:
        self.n_rows = n_rows
        self.n_columns = n_columns
        self.init = init
        self.learning_rate = learning_rate
        self.width = width
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Unfold the map among the rows of a table or the pixels of an image; ``y`` is ignored."""
        rows, shape = code_rows(self, X, reset=True)
        for step in self._steps(rows, shape):
            last = step
        self._keep(last)
        self.inertia_ = distortion(rows, self.codebook_, self.labels_)
        self.topographic_error_ = topographic_error(rows, self.codebook_, self.n_columns)
        return self

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[OnlineStep]:
        """Yield the start, the match and the move of some updates, and the end."""
        yield from self._steps(*code_rows(clone(self), X, reset=True))

    def _steps(self, rows: Floats, shape: tuple[int, ...]) -> Iterator[OnlineStep]:
        check_params(self.PARAMS, self.get_params())
        check_squares(rows)
        rng = check_random_state(self.random_state)
        codebook = self._start(rows, rng)
        yield OnlineStep(phase="init", iteration=0, codebook=codebook.copy())
        grid = places(self.n_rows, self.n_columns)
        squares = ((grid[:, None] - grid[None]) ** 2).sum(axis=2)
        first = max(self.n_rows, self.n_columns) / 2 if self.width is None else self.width
        recorded = shown_updates(self.max_iter)
        for t, row, remaining in draws(rng, len(rows), self.max_iter):
            x = rows[row]
            code = nearest_code(codebook, x)
            rate = self.learning_rate * remaining
            width = first * (LAST_WIDTH / first) ** (1 - remaining)
            details = {"row": row, "code": code, "rate": rate, "width": width}
            before = codebook.copy() if t in recorded else codebook
            if t in recorded:
                yield OnlineStep(phase="match", iteration=t, codebook=before, **details)
            codebook += (rate * np.exp(-squares[code] / (2 * width * width)))[:, None] * (
                x - codebook
            )
            if t in recorded:
                yield OnlineStep(
                    phase="adapt", iteration=t, codebook=codebook.copy(), before=before, **details
                )
        yield ended(codebook, rows, shape, self.max_iter)

    def _start(self, rows: Floats, rng: Any) -> Floats:
        n_units, mean = self.n_rows * self.n_columns, rows.mean(axis=0)
        if self.init == "random":
            samples: Floats = rows[rng.randint(len(rows), size=n_units)].copy()
            return samples
        if self.init == "mean":
            units: Floats = mean + TIGHT * rows.std(axis=0) * rng.standard_normal(
                (n_units, rows.shape[1])
            )
            return units
        values, axes = np.linalg.eigh(np.atleast_2d(np.cov(rows.T, bias=True)))
        order = np.argsort(-values)[:2]
        spreads = np.sqrt(np.maximum(values[order], 0.0))
        at = places(self.n_rows, self.n_columns)[:, ::-1] - [
            (self.n_columns - 1) / 2,
            (self.n_rows - 1) / 2,
        ]
        scaled = at / np.maximum([(self.n_columns - 1) / 2, (self.n_rows - 1) / 2], 1.0)
        plane: Floats = mean + 1.5 * (scaled[:, : len(order)] * spreads) @ axes[:, order].T
        return plane


def places(n_rows: int, n_columns: int) -> Floats:
    """Return row and column of each unit of a grid, row by row.

    Examples
    --------
    >>> places(2, 2).tolist()
    [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    """
    return np.argwhere(np.ones((n_rows, n_columns))).astype(float)


def grid_edges(n_rows: int, n_columns: int) -> NDArray[np.intp]:
    """Return the pairs of units that share a side, shape (n_edges, 2).

    Examples
    --------
    >>> grid_edges(2, 2).tolist()
    [[0, 1], [2, 3], [0, 2], [1, 3]]
    """
    units = np.arange(n_rows * n_columns).reshape(n_rows, n_columns)
    across = np.column_stack([units[:, :-1].ravel(), units[:, 1:].ravel()])
    down = np.column_stack([units[:-1].ravel(), units[1:].ravel()])
    return np.vstack([across, down])


def topographic_error(rows: Floats, codebook: Floats, n_columns: int) -> float:
    """Return the fraction of rows whose two nearest units are no neighbours on the grid."""
    if len(codebook) < 2:
        return 0.0
    centred = codebook - codebook.mean(axis=0)
    scores = (centred**2).sum(axis=1) - 2 * (rows - codebook.mean(axis=0)) @ centred.T
    first = scores.argmin(axis=1)
    scores[np.arange(len(rows)), first] = np.inf
    second = scores.argmin(axis=1)
    grid_distances = np.abs(first // n_columns - second // n_columns) + np.abs(
        first % n_columns - second % n_columns
    )
    return float((grid_distances > 1).mean())
