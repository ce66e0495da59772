"""A picture as a table of numbers of low rank: by its rows of pixels, or by its patches."""

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
from dmlib.draft import shortened
from dmlib.params import Integer, Number, Param, Range, Ranges, check_params
from dmlib.squares import check_largest
from dmlib.trace import look

MOST_TERMS = 128
LOUDEST = 200.0  # decibels: equal but for rounding


@dataclass(frozen=True)
class PictureStep:
    """A term came in.

    Attributes
    ----------
    phase : {"start", "component", "done"}
        What happened.
    n : int
        How many terms there are.
    energy : float
        The share of the sum of squares of what is taken apart that is kept.
    psnr : float
        Of what the terms make, against the picture without added noise, in decibels.
    numbers : int
        How many numbers the terms need.
    """

    phase: str
    n: int
    energy: float
    psnr: float
    numbers: int


@dataclass(frozen=True)
class Taken:
    """A picture that is taken apart.

    Attributes
    ----------
    clean, noisy : ndarray of shape (height, width, channels)
        The picture, and with the noise that was added on purpose.
    left : ndarray of shape (n_rows, n_terms)
        Codes of the rows, or of the patches.
    right : ndarray of shape (n_terms, n_columns)
        The terms.
    patch : int
        Pixels along the side of a patch; 1 for rows.
    """

    clean: Floats
    noisy: Floats
    left: Floats
    right: Floats
    patch: int

    @property
    def sizes(self) -> Floats:
        """The singular values."""
        return np.asarray(np.sqrt((self.left**2).sum(axis=0)))

    @property
    def table(self) -> Floats:
        """The table that the picture is, with its noise."""
        return to_rows(self.noisy, self.patch)

    def picture(self, rows: Floats) -> Floats:
        """Return the picture of such a table, values from 0 to 1."""
        return np.clip(from_rows(rows, self.clean.shape, self.patch), 0.0, 1.0)

    def rebuilt(self, k: int) -> Floats:
        """Return the picture of the first k terms."""
        return self.picture(self.left[:, :k] @ self.right[:k])

    def shown(self, step: PictureStep) -> Floats:
        """Return the picture of the terms of a step."""
        return self.rebuilt(step.n)

    def curve(self, most: int) -> Floats:
        """Return the PSNR of 0, 1, ... terms against the clean picture, before values are cut to 0 and 1."""
        clean = to_rows(self.clean, self.patch)
        fit = (
            2 * np.einsum("ij,ij->j", self.left[:, :most], clean @ self.right[:most].T)
            - self.sizes[:most] ** 2
        )
        left = np.maximum(
            (clean**2).sum() - np.concatenate([[0.0], np.cumsum(fit)]),
            clean.size * 10 ** (-LOUDEST / 10),
        )
        return np.asarray(10 * np.log10(clean.size / left))


@dataclass(frozen=True)
class TermStep(PictureStep):
    """One more term.

    Attributes
    ----------
    phase : {"start", "component", "done"}
        What happened.
    taken : Taken
        The picture with all its terms.
    """

    taken: Taken


def to_rows(image: Floats, patch: int) -> Floats:
    """Return the table that a picture is: a row for each row of pixels, or for each patch."""
    return image.reshape(len(image), -1) if patch == 1 else patches(image, patch)


def from_rows(rows: Floats, shape: Sequence[int], patch: int) -> Floats:
    """Return the picture of a table of its rows or patches."""
    height, width, channels = shape
    if patch == 1:
        return rows.reshape(height, width, channels)
    down, across = -(-height // patch), -(-width // patch)
    blocks = rows.reshape(down, across, patch, patch, channels).swapaxes(1, 2)
    return blocks.reshape(down * patch, across * patch, channels)[:height, :width]


def term_range(model: Any, X: ArrayLike, y: ArrayLike | None = None) -> dict[str, Range]:
    """Return how many terms a picture can have, up to 64.

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
    """Return a picture, and what it is with as much noise as an estimator adds."""
    clean = as_image(check_array(X, dtype=np.float64, allow_nd=True, estimator=model))
    check_largest(clean.reshape(len(clean), -1))
    return clean, clean + model.noise * rng.standard_normal(clean.shape) if model.noise else clean


class ImageSVD(BaseEstimator):
    r"""Rebuild a picture of few terms: compress it, or take noise out of it.

    The rows of its pixels, or its patches, are the rows of a table :math:`X = \sum_j \sigma_j u_j
    v_j^T`; the first k terms are the nearest table of rank k.

    Parameters
    ----------
    n_components : int, default=10
        How many terms are kept.
    patch : int, default=1
        1 takes the picture row by row of its pixels; a larger number takes patches of so many
        pixels a side, and the terms are pictures of that size.
    noise : float, default=0
        The standard deviation of noise that is added on purpose; white is 1.
    random_state : int, RandomState or None, default=None
        The seed of this noise.

    Attributes
    ----------
    rebuilt_ : ndarray of shape (height, width, channels)
        The picture of the terms that are kept.
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
        How many terms there are: not more than the rank.
    ratio_ : float
        Numbers of the picture by those that the terms need.
    best_ : int
        The number of terms with the largest PSNR: of a picture with noise more bring the noise
        back.
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
        "n_components": Integer(1, MOST_TERMS, shown=(1, 40)),
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
        """Take a picture apart, values from 0 to 1; ``y`` is not used."""
        return self.fit_from(list(self.steps(X)), X)

    def fit_from(self, steps: Sequence[TermStep], X: ArrayLike, y: Any = None) -> Self:
        """Become what the steps say."""
        validate_data(self, X, dtype=np.float64, allow_nd=True)
        last, taken = steps[-1], steps[-1].taken
        self.rebuilt_ = taken.rebuilt(last.n)
        self.singular_values_ = taken.sizes
        self.energy_, self.psnr_, self.n_components_ = last.energy, last.psnr, last.n
        self.rmse_ = float(np.sqrt(((self.rebuilt_ - taken.clean) ** 2).mean()))
        self.ratio_ = taken.clean.size / max(last.numbers, 1)
        self.best_ = int(taken.curve(MOST_TERMS).argmax())
        return self

    def taken(self, X: ArrayLike) -> Taken:
        """Return a picture with its noise and all its terms."""
        clean, noisy = with_noise(self, X, check_random_state(self.random_state))
        look()
        left, sizes, right = np.linalg.svd(to_rows(noisy, self.patch), full_matrices=False)
        rank = int(
            (sizes > sizes[0] * max(left.shape[0], right.shape[1]) * np.finfo(float).eps).sum()
        )
        sign = np.sign(right[np.arange(len(right)), np.abs(right).argmax(axis=1)])
        return Taken(
            clean,
            noisy,
            (left * sizes * sign)[:, :rank],
            (right * sign[:, None])[:rank],
            self.patch,
        )

    def shortened(
        self, steps: Sequence[TermStep], X: ArrayLike, y: Any = None
    ) -> tuple[TermStep, ...] | None:
        """Return the own steps among those of a run with more terms; None if these have not come so far."""
        return shortened(steps, self.n_components + 1, lambda last: replace(last, phase="done"))

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[TermStep]:
        """Yield the terms one by one, the largest first."""
        check_params(self.PARAMS, self.get_params(deep=False))
        taken = self.taken(X)
        energies = np.concatenate([[0.0], np.cumsum(taken.sizes**2)])
        whole = energies[-1] if energies[-1] > 0 else 1.0
        each = len(taken.left) + taken.right.shape[1]
        for k in range(min(self.n_components, len(taken.sizes)) + 1):
            look()
            near = min(psnr(taken.clean, taken.rebuilt(k)), LOUDEST)
            step = TermStep(
                "component" if k else "start", k, float(energies[k] / whole), near, k * each, taken
            )
            yield step
        yield replace(step, phase="done")
