"""Vector quantisation by k-means: an image, or a table, in a few codes."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any, ClassVar, Literal, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.arrays import Floats
from dmlib.clustering.centroids import Labels
from dmlib.clustering.codes import Shape, code_rows, fidelity
from dmlib.clustering.kmeans.algorithm import KMeans, KMeansStep
from dmlib.clustering.kmeans.algorithm import Phase as KMeansPhase
from dmlib.clustering.vector_quantisation.ranges import code_ranges
from dmlib.params import Choice, Integer, Number, Param, Ranges

NAN = float("nan")
ROUNDS_IN_DRAFT = 6

Phase = KMeansPhase | Literal["init", "match", "adapt", "attract", "repel"]


@dataclass(frozen=True, kw_only=True)
class CodeBookStep:
    """One step of a method that learns a code book.

    Attributes
    ----------
    phase : str
        What was done.
    iteration : int
        How often the code book has changed, or been gone through.
    codebook : ndarray of shape (n_codes, n_features)
        The codes after the step; rows of NaN for those that are not chosen yet.
    labels : ndarray of shape (n_samples,) or None
        The code of each row; None where the rows have not been coded.
    mse, psnr, bits_per_pixel, ratio : float
        Those of :class:`Fidelity`; NaN without labels.
    reason : str
        At the end: why the run ended, as a sentence.
    """

    phase: Phase
    iteration: int
    codebook: Floats
    labels: Labels | None = None
    mse: float = NAN
    psnr: float = NAN
    bits_per_pixel: float = NAN
    ratio: float = NAN
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class VectorQuantizerStep(CodeBookStep):
    """One half-step of vector quantisation; its phases are "seed", "assign", "update" and "done".

    Attributes
    ----------
    counts : ndarray of shape (n_codes,)
        How many rows have each code.
    n_changed : int
        How many codes an "assign" changed.
    chosen : int or None
        The row that a "seed" took.
    """

    counts: NDArray[np.intp]
    n_changed: int = 0
    chosen: int | None = None


class CodeBook:
    """Prediction and coding by a code book, shared by the estimators that have one."""

    patch: int = 1
    codebook_: Floats
    labels_: Labels

    def _new_rows(self, X: Any) -> Floats:
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)
        return code_rows(self, X, reset=False)[0]

    def _keep(self, step: CodeBookStep) -> None:
        """Take over the last step."""
        self.codebook_ = self.cluster_centers_ = step.codebook
        self.labels_, self.n_iter_ = cast(Labels, step.labels), step.iteration
        self.mse_, self.psnr_ = step.mse, step.psnr
        self.bits_per_pixel_, self.ratio_ = step.bits_per_pixel, step.ratio


class VectorQuantizer(CodeBook, KMeans):
    r"""Code each pixel or patch of an image by the nearest of k codes, which k-means finds.

    The objective is the distortion :math:`\sum_i \min_j \lVert x_i - c_j \rVert^2`, the SSE of
    k-means. A code takes
    :math:`\lceil \log_2 k \rceil` bits, the code book k codes of 8 bits a number.

    Parameters
    ----------
    n_clusters : int, default=8
        The number of codes, k: with patches of one pixel, the colours of the palette.
    patch : int, default=1
        The side of a patch in pixels: each patch of so many by so many pixels is one code.
    init : {"k-means++", "random", "farthest"} or array (n_clusters, n_features)
        The starting codes. "k-means++", the default, draws rows in proportion to their squared
        distance to the nearest code so far; "random" draws rows; "farthest" takes the row farthest
        from the codes so far.
    max_iter : int, default=100
        The largest number of iterations, each an assignment and an update.
    tol : float, default=1e-4
        A run ends when the squared moves of all codes sum to at most ``tol`` times the mean
        variance of the columns.
    random_state : int, RandomState or None, default=None
        The seed of the random draws.

    Attributes
    ----------
    codebook_ : ndarray of shape (n_clusters, n_features)
        The codes: colours, or the pixels of patches one after the other.
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        The same.
    labels_ : ndarray of shape (n_samples,)
        The code of each pixel or patch, row by row from the top left.
    inertia_ : float
        The distortion.
    mse_ : float
        The mean squared error of a number of the image.
    psnr_ : float
        The peak signal-to-noise ratio in decibels, values going from 0 to 1.
    bits_per_pixel_ : float
        The bits of the codes over the pixels, without the code book.
    ratio_ : float
        The bits of the original, 8 a number, over those of the codes and the code book.
    n_iter_ : int
        The number of iterations.
    n_features_in_ : int
        The numbers of a row: patch x patch x channels.

    Raises
    ------
    ValueError
        If there are fewer rows, or fewer distinct rows, than codes; or patches are to be cut from a
        table.

    Notes
    -----
    ``X`` is an image of shape (height, width, channels) with values from 0 to 1, or a table, whose
    rows are coded. An iteration costs O(n k d) at most. Patches that reach over the edge repeat its
    pixels; error and size are those of the image without them. The code book ends where
    scikit-learn's k-means from the same start does.

    References
    ----------
    Y. Linde, A. Buzo and R. M. Gray (1980), An algorithm for vector quantizer design.
    R. M. Gray (1984), Vector quantization.
    S. P. Lloyd (1982), Least squares quantization in PCM.

    Examples
    --------
    >>> image = np.array([[[0.0], [0.2], [0.8], [1.0]]])
    >>> model = VectorQuantizer(2, random_state=0).fit(image)
    >>> sorted(model.codebook_.ravel().round(3).tolist()), model.psnr_, model.bits_per_pixel_
    ([0.1, 0.9], 20.0, 1.0)
    """

    RANGES: ClassVar[Ranges] = staticmethod(code_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "n_clusters": Integer(1, 256, shown=(2, 64)),
        "patch": Integer(1, 16, shown=(1, 8)),
        "init": Choice(("k-means++", "random", "farthest"), arrays=True),
        "max_iter": Integer(1, 10_000, shown=(1, 50)),
        "tol": Number(0.0, 1.0, shown=(0.0, 1.0), log=True),
    }

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        patch: int = 1,
        init: str | ArrayLike = "k-means++",
        max_iter: int = 100,
        tol: float = 1e-4,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.patch = patch
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    @property
    def n_init(self) -> int:  # type: ignore[override]
        """One run: restarts would be pictures of their own."""
        return 1

    @property
    def change_tol(self) -> float:  # type: ignore[override]
        """The tolerance of the distortion ends it, as in the textbook."""
        return 0.0

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Find the code book of an image or of the rows of a table; ``y`` is ignored."""
        self._check_patch()
        rows, shape = code_rows(self, X, reset=True)
        self._check_codes(rows, shape)
        last = deque(KMeans._steps(self, rows), maxlen=1)[0]
        return self._learn(self._record(last, rows, shape), rows)

    def fit_from(  # type: ignore[override]
        self, steps: Sequence[CodeBookStep], X: ArrayLike, y: Any = None
    ) -> Self:
        """Learn what ``fit`` would from the steps on the same data, without clustering again."""
        return self._learn(steps[-1], code_rows(self, X, reset=True)[0])

    def _learn(self, last: CodeBookStep, rows: Floats) -> Self:
        self._keep(last)
        self.inertia_ = float(np.square(rows - self.codebook_[self.labels_]).sum())
        return self

    def steps(  # type: ignore[override]
        self, X: ArrayLike, y: Any = None
    ) -> Iterator[CodeBookStep]:
        """Yield every half-step; the last step is the answer of ``fit``."""
        from sklearn.base import clone

        model = clone(self)  # what is learned of the columns is not kept here
        model._check_patch()
        rows, shape = code_rows(model, X, reset=True)
        model._check_codes(rows, shape)
        for step in KMeans._steps(self, rows):
            yield self._record(step, rows, shape)

    def draft(self, X: ArrayLike, y: Any = None) -> dict[str, int]:
        """Return after how many rounds it ends while a control moves."""
        return {"max_iter": min(self.max_iter, ROUNDS_IN_DRAFT)}

    def _check_patch(self) -> None:
        from dmlib.params import check_params

        check_params({"patch": self.PARAMS["patch"]}, {"patch": self.patch})

    def _check_codes(self, rows: Floats, shape: Shape) -> None:
        """Refuse more codes than an image has colours; of a table k-means itself says so."""
        k, sample = self.n_clusters, rows[:: max(1, len(rows) // 1_000)]
        if len(shape) < 3 or not isinstance(k, Integral) or len(np.unique(sample, axis=0)) >= k:
            return
        n = len(np.unique(rows, axis=0))
        if n < k:
            what = "patches" if self.patch > 1 else "colours" if shape[2] > 1 else "grey values"
            raise ValueError(
                f"{k} codes need at least as many different {what}, "
                f"and the picture has {n}. Lower the codes to {n}."
            )

    def _record(self, step: KMeansStep, rows: Floats, shape: Shape) -> VectorQuantizerStep:
        measures = {}
        if step.labels is not None:
            measures = fidelity(rows, step.labels, step.centers, shape, self.patch)._asdict()
        names = ("phase", "iteration", "labels", "reason", "counts", "n_changed", "chosen")
        fields: dict[str, Any] = {name: getattr(step, name) for name in names}
        return VectorQuantizerStep(codebook=step.centers, **fields, **measures)
