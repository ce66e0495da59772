"""A picture of parts that are learned from its patches: NMF, an autoencoder, sparse coding."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import validate_data

from dmlib.arrays import Floats
from dmlib.clustering.codes import psnr
from dmlib.decomposition.factorisation.algorithm import Factorisation, FactorStep
from dmlib.decomposition.factorisation.autoencoder import Autoencoder
from dmlib.decomposition.factorisation.nmf import NMF
from dmlib.decomposition.factorisation.picture import (
    MAX_PSNR,
    PictureErrors,
    PictureStep,
    as_image,
    picture_of,
    to_rows,
    with_noise,
)
from dmlib.decomposition.factorisation.sparse_coding import SparseCoding
from dmlib.draft import shortened
from dmlib.params import (
    Choice,
    Conditions,
    Integer,
    Number,
    Param,
    Range,
    Ranges,
    Spoken,
    check_params,
)

LEARNERS: Mapping[str, str] = {
    "sparse_coding": "sparse coding, K-SVD",
    "nmf": "NMF",
    "autoencoder": "autoencoder",
}
MAX_PARTS = 64
MAX_ROUNDS = 100  # of sparse coding


@dataclass(frozen=True)
class PartsStep(PictureStep):
    """Parts and codes of all patches were improved.

    Attributes
    ----------
    phase : {"start", "update", "epoch", "code", "atoms", "done"}
        The textbook's verb.
    factors : FactorStep
        Codes and parts.
    """

    factors: FactorStep


@dataclass(frozen=True)
class Patches:
    """A picture as a table of its patches.

    Attributes
    ----------
    clean, noisy : ndarray of shape (height, width, channels)
        The picture, and with the noise that was added on purpose.
    table : ndarray of shape (n_patches, patch * patch * channels)
        The patches with their noise; for NMF negative values are 0.
    patch : int
        Pixels along the side of a patch.
    """

    clean: Floats
    noisy: Floats
    table: Floats
    patch: int

    def picture(self, rows: Floats) -> Floats:
        """Return the picture of a table, values from 0 to 1."""
        return picture_of(rows, self.clean.shape, self.patch)

    def rebuilt(self, step: PartsStep) -> Floats:
        """Return the picture that codes and parts make."""
        return self.picture(step.factors.rebuilt)


def patch_range(model: Any, X: ArrayLike, y: ArrayLike | None = None) -> dict[str, Range]:
    """Return the range of the number of parts: up to the rank, and to 32.

    Examples
    --------
    >>> patch_range(ImageParts(patch=2), np.zeros((4, 4)))
    {'n_components': (1, 4)}
    """
    return {"n_components": (1, min(32, *to_rows(as_image(X), model.patch).shape))}


class ImageParts(PictureErrors, BaseEstimator):
    r"""Learn the parts of the patches of a picture: compress it, or remove noise.

    Parameters
    ----------
    learner : {"sparse_coding", "nmf", "autoencoder"}, default="sparse_coding"
        How the parts are learned.
    n_components : int, default=16
        Number of parts.
    patch : int, default=6
        Pixels along the side of a patch. Patches at the border repeat its last pixels.
    noise : float, default=0
        The standard deviation of noise that is added on purpose; white is 1.
    n_nonzero_coefs : int, default=3
        Sparse coding: the maximum number of parts of a patch.
    activation : {"linear", "sigmoid"}, default="sigmoid"
        Autoencoder: the activation function of its units.
    max_iter : int, default=60
        Updates, epochs or rounds.
    random_state : int, RandomState or None, default=None
        The seed of the noise and of the first parts.

    Attributes
    ----------
    rebuilt_ : ndarray of shape (height, width, channels)
        The picture of codes and parts.
    factorisation_ : Factorisation
        The learner, fitted to the patches.
    patches_ : Patches
        The picture as a table of its patches.
    energy_ : float
        The share of the sum of squares of the patches that is kept.
    psnr_ : float
        The peak signal-to-noise ratio of the rebuilt picture against the one without added noise,
        in decibels.
    rmse_ : float
        The root of the mean squared error against it.
    n_components_ : int
        Number of parts.
    ratio_ : float
        The compression: numbers of the picture by those of codes and parts.
    n_features_in_ : int
        The number of columns of pixels seen by ``fit``.

    Raises
    ------
    ValueError
        If a value is missing or too large to be squared.

    Notes
    -----
    Codes and parts need k (n + p) numbers for n patches of p numbers with NMF, and p more with an
    autoencoder. A sparse code needs two numbers for each part that it uses: which, and how much.

    References
    ----------
    D. D. Lee and H. S. Seung (1999), Learning the parts of objects by non-negative matrix
    factorization. Nature 401. M. Elad and M. Aharon (2006), Image denoising via sparse and
    redundant representations over learned dictionaries. IEEE Transactions on Image Processing 15,
    3736-3745.

    Examples
    --------
    >>> X = np.kron([[0.2, 0.8], [0.8, 0.2]], np.ones((2, 2)))
    >>> model = ImageParts(n_components=1, patch=2, n_nonzero_coefs=1, random_state=0).fit(X)
    >>> bool(np.allclose(model.rebuilt_[:, :, 0], X))
    True
    >>> model.factorisation_.components_.round(6).tolist()
    [[0.5, 0.5, 0.5, 0.5]]
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "learner": Choice(tuple(LEARNERS)),
        "n_components": Integer(1, MAX_PARTS, shown=(1, 32)),
        "patch": Integer(2, 16, shown=(2, 12)),
        "noise": Number(0.0, 1.0, shown=(0.0, 0.4), step=0.02),
        "n_nonzero_coefs": Integer(1, 20, shown=(1, 8)),
        "activation": Choice(("linear", "sigmoid")),
        "max_iter": Integer(1, 1000, shown=(1, 150)),
    }
    APPLIES: ClassVar[Conditions] = {
        "n_nonzero_coefs": ("learner", ("sparse_coding",)),
        "activation": ("learner", ("autoencoder",)),
    }
    SPOKEN: ClassVar[Spoken] = {"learner": LEARNERS}
    RANGES: ClassVar[Ranges] = staticmethod(patch_range)
    LENGTH: ClassVar[str] = "max_iter"

    def __init__(
        self,
        learner: str = "sparse_coding",
        n_components: int = 16,
        *,
        patch: int = 6,
        noise: float = 0.0,
        n_nonzero_coefs: int = 3,
        activation: str = "sigmoid",
        max_iter: int = 60,
        random_state: Any = None,
    ) -> None:
        self.learner = learner
        self.n_components = n_components
        self.patch = patch
        self.noise = noise
        self.n_nonzero_coefs = n_nonzero_coefs
        self.activation = activation
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Learn the parts of a picture, values from 0 to 1; ``y`` is ignored."""
        return self.fit_from(list(self.steps(X)), X)

    def fit_from(self, steps: Sequence[PartsStep], X: ArrayLike, y: Any = None) -> Self:
        """Set the fitted attributes from the last step."""
        validate_data(self, X, dtype=np.float64, allow_nd=True)
        last = steps[-1]
        self.patches_ = patches = self.patches(X)[0]
        learner_step = replace(last.factors, converged=True)
        self.factorisation_ = self._learner(None).fit_from([learner_step], patches.table)
        self.rebuilt_ = patches.rebuilt(last)
        self.energy_, self.psnr_ = last.energy, last.psnr
        self.n_components_ = len(last.factors.parts)
        self.rmse_ = float(np.sqrt(((self.rebuilt_ - patches.clean) ** 2).mean()))
        self.ratio_ = patches.clean.size / max(last.numbers, 1)
        return self

    def draft(self, X: ArrayLike, y: Any = None) -> dict[str, int]:
        """Return the number of updates while a control moves."""
        lowered = self._learner(None).draft(to_rows(as_image(X), self.patch))
        return {"max_iter": min(self.max_iter, lowered["max_iter"])}

    def shortened(
        self, steps: Sequence[PartsStep], X: ArrayLike, y: Any = None
    ) -> tuple[PartsStep, ...] | None:
        """Return the own steps among those of a longer run; None if there are too few."""
        n_steps = self.max_iter + 1
        if self.learner == "sparse_coding":
            n_steps = 2 * min(self.max_iter, MAX_ROUNDS)

        def ended(last: PartsStep) -> PartsStep:
            factors = replace(last.factors, phase="done", converged=self.learner != "nmf")
            return replace(last, phase="done", factors=factors)

        return shortened(steps, n_steps, ended)

    def patches(self, X: ArrayLike) -> tuple[Patches, Any]:
        """Return the patches of a picture, and the generator that draws the first parts."""
        rng = check_random_state(self.random_state)
        clean, noisy = with_noise(self, X, rng)
        table = to_rows(noisy, self.patch)
        if self.learner == "nmf":
            table = np.maximum(table, 0.0)
        return Patches(clean, noisy, table, self.patch), rng

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[PartsStep]:
        """Yield parts and codes as they become better."""
        check_params(self.PARAMS, self.get_params(deep=False))
        patches, rng = self.patches(X)
        for step in self._learner(rng).steps(patches.table):
            ratio = min(psnr(patches.clean, patches.picture(step.rebuilt)), MAX_PSNR)
            yield PartsStep(step.phase, step.n, step.energy, ratio, self._numbers(step), step)

    def _learner(self, rng: Any) -> Factorisation:
        k, max_iter = self.n_components, self.max_iter
        if self.learner == "nmf":
            return NMF(k, max_iter=max_iter, random_state=rng)
        if self.learner == "autoencoder":
            return Autoencoder(k, activation=self.activation, max_iter=max_iter, random_state=rng)
        max_iter, n_atoms = min(max_iter, MAX_ROUNDS), self.n_nonzero_coefs
        return SparseCoding(k, n_nonzero_coefs=n_atoms, max_iter=max_iter, random_state=rng)

    def _numbers(self, step: FactorStep) -> int:
        """Return how many numbers codes and parts need."""
        if self.learner == "sparse_coding":
            return 2 * int((step.codes != 0).sum()) + step.parts.size + step.offset.size
        size = step.codes.size + step.parts.size
        return size + step.offset.size if self.learner == "autoencoder" else size
