"""Learning vector quantisation: codes with classes, attracted by rows of their own class."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import check_random_state, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import assert_all_finite, check_consistent_length

from dmlib.arrays import Floats
from dmlib.clustering.codes import Shape, code_rows, nearest
from dmlib.clustering.vector_quantisation.algorithm import CodeBook, Phase
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

REGIONS = {
    "top and bottom": ("top", "bottom"),
    "left and right": ("left", "right"),
    "middle and border": ("middle", "border"),
}
INSIDE = 0.25  # of the height and the width: from there on the middle begins
Codes = NDArray[np.intp]


class LVQ(CodeBook, ClassifierMixin, BaseEstimator):
    r"""Move the nearest code to each row of its own class, and away from each of another: LVQ1.

    For each row x that is drawn, with class y, the nearest code w moves: :math:`w \leftarrow w +
    \alpha (x - w)` if its class is y, else :math:`w \leftarrow w - \alpha (x - w)`. The rate
    :math:`\alpha` falls linearly to 0.

    Parameters
    ----------
    n_prototypes : int, default=4
        The number of codes of each class.
    regions : {"top and bottom", "left and right", "middle and border"}, default="top and bottom"
        The classes of the pixels of an image for which none are given: where they lie.
    learning_rate : float, default=0.1
        The rate :math:`\alpha` at the start.
    max_iter : int, default=2000
        The number of updates, each by one row that is drawn at random.
    random_state : int, RandomState or None, default=None
        The seed of the random draws.

    Attributes
    ----------
    codebook_ : ndarray of shape (n_classes * n_prototypes, n_features)
        The codes, class by class.
    prototype_classes_ : ndarray of shape (n_classes * n_prototypes,)
        The class of each code.
    classes_ : ndarray of shape (n_classes,)
        The classes.
    labels_ : ndarray of shape (n_samples,)
        The nearest code of each row.
    inertia_ : float
        The sum of squared distances of the rows to their codes.
    mse_, psnr_, bits_per_pixel_, ratio_ : float
        Error and size, as of :class:`VectorQuantizer`.
    n_iter_ : int
        The number of updates.
    n_features_in_ : int
        The number of columns, of an image that of its channels.

    Raises
    ------
    ValueError
        If rows of a table have no classes, or values are too large to be squared.

    Notes
    -----
    ``X`` is a table with classes ``y``, or an image of shape (height, width, channels) whose pixels
    are the rows. The codes start at rows of their class, drawn at random. An update costs O(k d)
    for k codes. Ties go to the code with the lower number.

    References
    ----------
    T. Kohonen (1986), Learning vector quantization for pattern recognition.
    T. Kohonen (1990), The self-organizing map, section VI.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [8.0], [9.0]], ["low", "low", "high", "high"]
    >>> model = LVQ(1, random_state=0).fit(X, y)
    >>> model.predict([[2.0], [7.0]]).tolist()
    ['low', 'high']
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "n_prototypes": Integer(1, 64, shown=(1, 32)),
        "regions": Choice(tuple(REGIONS)),
        "learning_rate": Number(0.0, 1.0, shown=(0.0, 0.5), step=0.0025),
        "max_iter": Integer(1, 100_000, shown=(50, 5_000)),
    }

    def __init__(
        self,
        n_prototypes: int = 4,
        *,
        regions: str = "top and bottom",
        learning_rate: float = 0.1,
        max_iter: int = 2000,
        random_state: Any = None,
    ) -> None:
        self.n_prototypes = n_prototypes
        self.regions = regions
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Find the code book of rows with classes, or of the pixels of an image."""
        rows, shape, classes, codes = self._ready(self, X, y)
        for step in self._steps(rows, shape, codes):
            last = step
        self._keep(last)
        self.classes_, self.prototype_classes_ = classes, np.repeat(classes, self.n_prototypes)
        self.inertia_ = distortion(rows, self.codebook_, self.labels_)
        return self

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[OnlineStep]:
        """Yield the start, some of the updates, and the end."""
        rows, shape, _, codes = self._ready(clone(self), X, y)
        yield from self._steps(rows, shape, codes)

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the class of the nearest code of each row."""
        rows = self._new_rows(X)
        return self.prototype_classes_[nearest(rows, self.codebook_)]

    def _ready(self, estimator: LVQ, X: Any, y: Any) -> tuple[Floats, Shape, NDArray[Any], Codes]:
        check_params(self.PARAMS, self.get_params())
        rows, shape = code_rows(estimator, X, reset=True)
        if y is None:
            if len(shape) == 2:
                raise ValueError(
                    "LVQ requires y to be passed, but the target y is None: "
                    "rows of a table need classes."
                )
            names = np.array(REGIONS[self.regions])
            y = names[region_codes(shape[0], shape[1], self.regions).ravel()]
        targets = column_or_1d(y, warn=True)
        assert_all_finite(targets, input_name="y")
        check_consistent_length(rows, targets)
        check_classification_targets(targets)
        check_squares(rows)
        classes, codes = np.unique(targets, return_inverse=True)
        return rows, shape, classes, codes

    def _steps(self, rows: Floats, shape: Shape, codes: Codes) -> Iterator[OnlineStep]:
        rng = check_random_state(self.random_state)
        n_classes = int(codes.max()) + 1
        members = [np.flatnonzero(codes == c) for c in range(n_classes)]
        n = self.n_prototypes
        codebook = np.vstack(
            [
                rows[rng.choice(rows_of_class, n, replace=len(rows_of_class) < n)]
                for rows_of_class in members
            ]
        )
        yield OnlineStep(phase="init", iteration=0, codebook=codebook.copy())
        recorded = shown_updates(self.max_iter)
        for t, row, remaining in draws(rng, len(rows), self.max_iter):
            code, rate = nearest_code(codebook, rows[row]), self.learning_rate * remaining
            before = codebook.copy() if t in recorded else codebook
            same = code // n == codes[row]
            codebook[code] += (rate if same else -rate) * (rows[row] - codebook[code])
            if t in recorded:
                phase: Phase = "attract" if same else "repel"
                after = codebook.copy()
                yield OnlineStep(
                    phase=phase,
                    iteration=t,
                    codebook=after,
                    row=row,
                    code=code,
                    rate=rate,
                    before=before,
                )
        yield ended(codebook, rows, shape, self.max_iter)


def region_codes(height: int, width: int, regions: str) -> NDArray[np.intp]:
    """Return the class of each pixel by its place: 0 in the first of two regions, 1 in the second.

    Examples
    --------
    >>> region_codes(2, 3, "top and bottom").tolist(), region_codes(1, 4, "left and right").tolist()
    ([[0, 0, 0], [1, 1, 1]], [[0, 0, 1, 1]])
    """
    down, across = (np.arange(height) + 0.5) / height, (np.arange(width) + 0.5) / width
    if regions == "top and bottom":
        outside = np.repeat((down > 0.5)[:, None], width, axis=1)
    elif regions == "left and right":
        outside = np.repeat((across > 0.5)[None], height, axis=0)
    else:
        inside = [(part > INSIDE) & (part < 1 - INSIDE) for part in (down, across)]
        outside = ~np.outer(*inside)
    return outside.astype(np.intp)
