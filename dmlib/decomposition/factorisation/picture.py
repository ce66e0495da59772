"""The low-rank approximation of a picture, by its rows of pixels or by its patches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_array, validate_data

from dmlib.arrays import Floats
from dmlib.clustering.codes import patches, psnr
from dmlib.decomposition.factorisation.algorithm import Phase
from dmlib.draft import shortened
from dmlib.params import Integer, Number, Param, Range, Ranges, check_params
from dmlib.squares import check_largest
from dmlib.trace import look

MAX_TERMS = 128
MAX_PSNR = 200.0  # decibels: equal but for rounding


@dataclass(frozen=True)
class PictureStep:
    """A reconstruction of a picture.

    Attributes
    ----------
    phase : Phase
        The textbook's verb.
    n : int
        The number of terms, or of updates, epochs or rounds.
    energy : float
        The share of the sum of squares of the table that is kept.
    psnr : float
        The peak signal-to-noise ratio of the reconstruction against the picture without added
        noise, in decibels.
    numbers : int
        The number of numbers that are stored.
    """

    phase: Phase
    n: int
    energy: float
    psnr: float
    numbers: int


@dataclass(frozen=True)
class Decomposition:
    """The singular value decomposition of a picture.

    Attributes
    ----------
    clean, noisy : ndarray of shape (height, width, channels)
        The picture, and with the noise that was added on purpose.
    codes : ndarray of shape (n_rows, n_terms)
        Codes of the rows, or of the patches.
    terms : ndarray of shape (n_terms, n_columns)
        The terms.
    patch : int
        Pixels along the side of a patch; 1 for rows.
    """

    clean: Floats
    noisy: Floats
    codes: Floats
    terms: Floats
    patch: int

    @property
    def sizes(self) -> Floats:
        """The singular values."""
        return np.asarray(np.sqrt((self.codes**2).sum(axis=0)))

    @property
    def table(self) -> Floats:
        """The picture with its noise as a table."""
        return to_rows(self.noisy, self.patch)

    def picture(self, rows: Floats) -> Floats:
        """Return the picture of a table, values from 0 to 1."""
        return picture_of(rows, self.clean.shape, self.patch)

    def rebuilt(self, k: int) -> Floats:
        """Return the picture of the first k terms."""
        return self.picture(self.codes[:, :k] @ self.terms[:k])

    def curve(self, max_terms: int) -> Floats:
        """Return the PSNR of 0, 1, ... terms against the clean picture, values not clipped."""
        clean = to_rows(self.clean, self.patch)
        codes, terms = self.codes[:, :max_terms], self.terms[:max_terms]
        # Each term lowers the sum of squared errors by twice its product with the clean picture
        # minus its own squares.
        falls = 2 * np.einsum("ij,ij->j", codes, clean @ terms.T) - self.sizes[:max_terms] ** 2
        errors = (clean**2).sum() - np.concatenate([[0.0], np.cumsum(falls)])
        errors = np.maximum(errors, clean.size * 10 ** (-MAX_PSNR / 10))
        return np.asarray(10 * np.log10(clean.size / errors))


@dataclass(frozen=True)
class TermStep(PictureStep):
    """A term was added.

    Attributes
    ----------
    phase : {"start", "component", "done"}
        The textbook's verb.
    decomposition : Decomposition
        The picture with all its terms.
    """

    decomposition: Decomposition


def to_rows(image: Floats, patch: int) -> Floats:
    """Return a picture as a table: a row for each row of pixels, or for each patch."""
    return image.reshape(len(image), -1) if patch == 1 else patches(image, patch)


def from_rows(rows: Floats, shape: Sequence[int], patch: int) -> Floats:
    """Return the picture of a table of its rows or patches."""
    height, width, channels = shape
    if patch == 1:
        return rows.reshape(height, width, channels)
    down, across = -(-height // patch), -(-width // patch)
    blocks = rows.reshape(down, across, patch, patch, channels).swapaxes(1, 2)
    return blocks.reshape(down * patch, across * patch, channels)[:height, :width]


def picture_of(rows: Floats, shape: Sequence[int], patch: int) -> Floats:
    """Return the picture of a table of its rows or patches, values from 0 to 1."""
    return np.clip(from_rows(rows, shape, patch), 0.0, 1.0)


def term_range(model: Any, X: ArrayLike, y: ArrayLike | None = None) -> dict[str, Range]:
    """Return the range of the number of terms: up to the rank, and to 64.

    Examples
    --------
    >>> term_range(ImageSVD(), np.zeros((20, 30)))
    {'n_components': (1, 20)}
    """
    return {"n_components": (1, min(64, *to_rows(as_image(X), model.patch).shape))}


def as_image(X: ArrayLike) -> Floats:
    """Return a picture of shape (height, width, channels)."""
    image = np.asarray(X, float)
    return image[:, :, None] if image.ndim == 2 else image


def with_noise(model: Any, X: ArrayLike, rng: Any) -> tuple[Floats, Floats]:
    """Return a picture, and the same with the noise that an estimator adds."""
    clean = as_image(check_array(X, dtype=np.float64, allow_nd=True, estimator=model))
    check_largest(clean.reshape(len(clean), -1))
    if not model.noise:
        return clean, clean
    return clean, clean + model.noise * rng.standard_normal(clean.shape)


class PictureErrors:
    """Mixin of estimators that rebuild a picture: the error of a reconstruction."""

    patch: int

    def rmse(self, X: ArrayLike, rebuilt: Floats) -> float:
        """Return the root mean squared error of a picture rebuilt from a table of its patches."""
        clean = as_image(X)
        picture = picture_of(rebuilt, clean.shape, self.patch)
        return float(np.sqrt(((picture - clean) ** 2).mean()))


class ImageSVD(PictureErrors, BaseEstimator):
    r"""Approximate a picture by few terms: compress it, or remove noise.

    The rows of its pixels, or its patches, are the rows of a table :math:`X = \sum_j \sigma_j u_j
    v_j^T`; the sum of the first k terms is the best approximation of rank k.

    Parameters
    ----------
    n_components : int, default=10
        Number of terms.
    patch : int, default=1
        1: the rows of the table are the rows of pixels; a larger number: they are patches with a
        side of so many pixels, and the terms are pictures of that size.
    noise : float, default=0
        The standard deviation of noise that is added on purpose; white is 1.
    random_state : int, RandomState or None, default=None
        The seed of this noise.

    Attributes
    ----------
    rebuilt_ : ndarray of shape (height, width, channels)
        The picture rebuilt from the terms.
    decomposition_ : Decomposition
        The picture with all its terms.
    singular_values_ : ndarray
        The lengths :math:`\sigma_j` of all terms.
    energy_ : float
        The share of the sum of squares that is kept.
    psnr_ : float
        The peak signal-to-noise ratio of the rebuilt picture against the one without added noise,
        in decibels.
    rmse_ : float
        The root of the mean squared error against it.
    n_components_ : int
        Number of terms: not more than the rank.
    ratio_ : float
        The compression: numbers of the picture by those of the terms.
    best_ : int
        The number of terms with the largest PSNR: with noise, further terms bring it back.
    n_features_in_ : int
        The number of columns of pixels seen by ``fit``.

    Raises
    ------
    ValueError
        If a value is missing or too large to be squared.

    Notes
    -----
    O(n p min(n, p)) for a table of n rows and p columns. The terms need k (n + p) numbers.

    References
    ----------
    C. Eckart and G. Young (1936), The approximation of one matrix by another of lower rank.
    Psychometrika 1, 211-218. H. C. Andrews and C. L. Patterson (1976), Singular value
    decompositions and digital image processing. IEEE Transactions on Acoustics, Speech, and Signal
    Processing 24, 26-53.

    Examples
    --------
    >>> model = ImageSVD(1).fit([[0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [0.5, 0.0, 0.0]])
    >>> model.rebuilt_[:, :, 0].round(6).tolist(), round(model.energy_, 4)
    ([[0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]], 0.8889)
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "n_components": Integer(1, MAX_TERMS, shown=(1, 40)),
        "patch": Integer(1, 16, shown=(1, 12)),
        "noise": Number(0.0, 1.0, shown=(0.0, 0.4), step=0.02),
    }
    RANGES: ClassVar[Ranges] = staticmethod(term_range)
    LENGTH: ClassVar[str] = "n_components"

    def __init__(
        self,
        n_components: int = 10,
        *,
        patch: int = 1,
        noise: float = 0.0,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.patch = patch
        self.noise = noise
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Decompose a picture, values from 0 to 1; ``y`` is ignored."""
        return self.fit_from(list(self.steps(X)), X)

    def fit_from(self, steps: Sequence[TermStep], X: ArrayLike, y: Any = None) -> Self:
        """Set the fitted attributes from the last step."""
        validate_data(self, X, dtype=np.float64, allow_nd=True)
        last = steps[-1]
        self.decomposition_ = decomposition = last.decomposition
        self.rebuilt_ = decomposition.rebuilt(last.n)
        self.singular_values_ = decomposition.sizes
        self.energy_, self.psnr_, self.n_components_ = last.energy, last.psnr, last.n
        self.rmse_ = float(np.sqrt(((self.rebuilt_ - decomposition.clean) ** 2).mean()))
        self.ratio_ = decomposition.clean.size / max(last.numbers, 1)
        self.best_ = int(decomposition.curve(MAX_TERMS).argmax())
        return self

    def decompose(self, X: ArrayLike) -> Decomposition:
        """Return a picture with its noise and all its terms."""
        clean, noisy = with_noise(self, X, check_random_state(self.random_state))
        look()
        table = to_rows(noisy, self.patch)
        U, sizes, V = np.linalg.svd(table, full_matrices=False)
        rank = int((sizes > sizes[0] * max(table.shape) * np.finfo(float).eps).sum())
        sign = np.sign(V[np.arange(len(V)), np.abs(V).argmax(axis=1)])
        codes, terms = (U * sizes * sign)[:, :rank], (V * sign[:, None])[:rank]
        return Decomposition(clean, noisy, codes, terms, self.patch)

    def shortened(
        self, steps: Sequence[TermStep], X: ArrayLike, y: Any = None
    ) -> tuple[TermStep, ...] | None:
        """Return the own steps among those of a run with more terms; None if there are too few."""
        return shortened(steps, self.n_components + 1, lambda last: replace(last, phase="done"))

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[TermStep]:
        """Yield the terms one by one, the largest first."""
        check_params(self.PARAMS, self.get_params(deep=False))
        decomposition = self.decompose(X)
        energies = np.concatenate([[0.0], np.cumsum(decomposition.sizes**2)])
        total = energies[-1] if energies[-1] > 0 else 1.0
        term_size = len(decomposition.codes) + decomposition.terms.shape[1]
        for k in range(min(self.n_components, len(decomposition.sizes)) + 1):
            look()
            ratio = min(psnr(decomposition.clean, decomposition.rebuilt(k)), MAX_PSNR)
            phase: Phase = "component" if k else "start"
            share = float(energies[k] / total)
            step = TermStep(phase, k, share, ratio, k * term_size, decomposition)
            yield step
        yield replace(step, phase="done")
