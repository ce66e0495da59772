"""A picture made of parts that are learned from its patches: NMF, an autoencoder, sparse coding."""

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
    LOUDEST,
    PictureStep,
    as_image,
    from_rows,
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
MOST_PARTS = 64
MOST_ROUNDS = 100  # of sparse coding


@dataclass(frozen=True)
class PartsStep(PictureStep):
    """Parts and codes of all patches were improved.

    Attributes
    ----------
    phase : {"start", "update", "epoch", "code", "atoms", "done"}
        What happened.
    made : FactorStep
        Codes and parts.
    """

    made: FactorStep


@dataclass(frozen=True)
class Patches:
    """A picture as a table of its patches.

    Attributes
    ----------
    clean, noisy : ndarray of shape (height, width, channels)
        The picture, and with the noise that was added on purpose.
    table : ndarray of shape (n_patches, patch * patch * channels)
        The patches with their noise; of NMF what is below 0 is 0.
    patch : int
        Pixels along the side of a patch.
    """

    clean: Floats
    noisy: Floats
    table: Floats
    patch: int

    def picture(self, rows: Floats) -> Floats:
        """Return the picture of such a table, values from 0 to 1."""
        return np.clip(from_rows(rows, self.clean.shape, self.patch), 0.0, 1.0)

    def shown(self, step: PartsStep) -> Floats:
        """Return the picture that codes and parts make."""
        return self.picture(step.made.rebuilt)


def patch_range(model: Any, X: ArrayLike, y: ArrayLike | None = None) -> dict[str, Range]:
    """Return how many parts the patches of a picture can have, up to 32.

    Examples
    --------
    >>> patch_range(ImageParts(patch=2), np.zeros((4, 4)))
    {'n_components': (1, 4)}
    """
    return {"n_components": (1, min(32, *to_rows(as_image(X), model.patch).shape))}


class ImageParts(BaseEstimator):
    r"""Learn parts of which all patches of a picture are made: rebuild it, compress it, take noise out of it.

    Parameters
    ----------
    learner : {"sparse_coding", "nmf", "autoencoder"}, default="sparse_coding"
        How the parts are learned.
    n_components : int, default=16
        How many parts.
    patch : int, default=6
        Pixels along the side of a patch. At the picture's end they are filled with its last pixels.
    noise : float, default=0
        The standard deviation of noise that is added on purpose; white is 1.
    n_nonzero_coefs : int, default=3
        Sparse coding: how many parts a patch may use.
    activation : {"linear", "sigmoid"}, default="sigmoid"
        Autoencoder: what its units do.
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
    table_ : ndarray of shape (n_patches, patch * patch * channels)
        The patches.
    energy_ : float
        The share of the sum of squares of the patches that is kept.
    psnr_ : float
        The peak signal-to-noise ratio of the rebuilt picture against the one without added noise,
        in decibels.
    rmse_ : float
        The root of the mean squared error against it.
    n_components_ : int
        How many parts there are.
    ratio_ : float
        Numbers of the picture by those that codes and parts need.
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
    >>> model.rebuilt_[:, :, 0].round(6).tolist() == X.tolist(), model.factorisation_.components_.round(6).tolist()
    (True, [[0.5, 0.5, 0.5, 0.5]])
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "learner": Choice(tuple(LEARNERS)),
        "n_components": Integer(1, MOST_PARTS, shown=(1, 32)),
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
        """Learn the parts of a picture, values from 0 to 1; ``y`` is not used."""
        return self.fit_from(list(self.steps(X)), X)

    def fit_from(self, steps: Sequence[PartsStep], X: ArrayLike, y: Any = None) -> Self:
        """Become what the steps say."""
        validate_data(self, X, dtype=np.float64, allow_nd=True)
        patches, last = self.patches(X)[0], steps[-1]
        self.table_ = patches.table
        self.factorisation_ = self._learner(None).fit_from(
            [replace(last.made, converged=True)], patches.table
        )
        self.rebuilt_ = patches.shown(last)
        self.energy_, self.psnr_, self.n_components_ = last.energy, last.psnr, len(last.made.parts)
        self.rmse_ = float(np.sqrt(((self.rebuilt_ - patches.clean) ** 2).mean()))
        self.ratio_ = patches.clean.size / max(last.numbers, 1)
        return self

    def draft(self, X: ArrayLike, y: Any = None) -> dict[str, int]:
        """Return how many updates are made while a control moves."""
        lowered = self._learner(None).draft(to_rows(as_image(X), self.patch))
        return {"max_iter": min(self.max_iter, lowered["max_iter"])}

    def shortened(
        self, steps: Sequence[PartsStep], X: ArrayLike, y: Any = None
    ) -> tuple[PartsStep, ...] | None:
        """Return the own steps among those of a run with more updates; None if these have not come so far."""
        n_steps = (
            2 * min(self.max_iter, MOST_ROUNDS)
            if self.learner == "sparse_coding"
            else self.max_iter + 1
        )
        ended = {"phase": "done", "converged": self.learner != "nmf"}
        return shortened(
            steps,
            n_steps,
            lambda last: replace(last, phase="done", made=replace(last.made, **ended)),
        )

    def patches(self, X: ArrayLike) -> tuple[Patches, Any]:
        """Return the patches of a picture, and the generator that goes on with the first parts."""
        rng = check_random_state(self.random_state)
        clean, noisy = with_noise(self, X, rng)
        table = to_rows(noisy, self.patch)
        return Patches(
            clean, noisy, np.maximum(table, 0.0) if self.learner == "nmf" else table, self.patch
        ), rng

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[PartsStep]:
        """Yield parts and codes as they become better."""
        check_params(self.PARAMS, self.get_params(deep=False))
        patches, rng = self.patches(X)
        for made in self._learner(rng).steps(patches.table):
            near = min(psnr(patches.clean, patches.picture(made.rebuilt)), LOUDEST)
            yield PartsStep(made.phase, made.n, made.energy, near, self._numbers(made), made)

    def _learner(self, rng: Any) -> Factorisation:
        k, most = self.n_components, self.max_iter
        if self.learner == "nmf":
            return NMF(k, max_iter=most, random_state=rng)
        if self.learner == "autoencoder":
            return Autoencoder(k, activation=self.activation, max_iter=most, random_state=rng)
        return SparseCoding(
            k,
            n_nonzero_coefs=self.n_nonzero_coefs,
            max_iter=min(most, MOST_ROUNDS),
            random_state=rng,
        )

    def _numbers(self, made: FactorStep) -> int:
        """Return how many numbers codes and parts need."""
        if self.learner == "sparse_coding":
            return 2 * int((made.codes != 0).sum()) + made.parts.size + made.offset.size
        return (
            made.codes.size
            + made.parts.size
            + (made.offset.size if self.learner == "autoencoder" else 0)
        )
