"""Where EM starts: responsibilities, or weights, means and precisions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.cluster import kmeans_plusplus
from sklearn.utils import check_array

from dmlib.arrays import Floats
from dmlib.clustering.gaussian_mixture.gaussians import MATRICES, TINY, Mixture
from dmlib.clustering.kmeans.algorithm import KMeans


@dataclass(frozen=True)
class Start:
    """The given parameters of a start; None for those that are drawn or estimated."""

    shares: Floats | None = (
        None  # (n_samples, n_components): the share of each component in each row
    )
    # the parameters, in the shapes of :class:`Mixture`
    weights: Floats | None = None
    means: Floats | None = None
    covariances: Floats | None = None

    def mixture(self, covariance_type: str) -> Mixture | None:
        """Return the given mixture, if all of it is given."""
        if self.weights is None or self.means is None or self.covariances is None:
            return None
        return Mixture(covariance_type, self.weights, self.means, self.covariances)

    def over(self, mixture: Mixture) -> Mixture:
        """Return a mixture with the given parts in place of its own."""
        own = (mixture.weights, mixture.means, mixture.covariances)
        parts = (self.weights, self.means, self.covariances)
        return Mixture(
            mixture.covariance_type,
            *(o if g is None else g for o, g in zip(own, parts, strict=True)),
        )


def given_start(model: Any, shape: tuple[int, int], init: Any) -> Start:
    """Check what a model gives of its start, for data of a shape, and return the parts as arrays.

    ``init`` says how the shares are drawn, or is the shares.

    Raises
    ------
    ValueError
        If a part has the wrong shape or impossible values.
    """
    n_samples, d = shape
    k, kind = model.n_components, model.covariance_type
    matrix = {"full": (k, d, d), "tied": (d, d), "diag": (k, d)}.get(kind, (k,))
    shares = None if isinstance(init, str) else _shares(_array(init, "init", (n_samples, k)))
    weights = _array(model.weights_init, "weights", (k,))
    if weights is not None:
        _check_weights(weights)
        weights = np.maximum(weights, TINY)
    precisions = _array(model.precisions_init, f"{kind} precision", matrix)
    covariances = None if precisions is None else _inverse(precisions, kind)
    return Start(shares, weights, _array(model.means_init, "means", (k, d)), covariances)


def draw_shares(X: Floats, n_components: int, how: str, rng: Any) -> Floats:
    """Draw the responsibilities that EM starts with, as scikit-learn does with the same seed.

    Their shape is (n_samples, n_components).

    ``how`` is "kmeans", "k-means++", "random_from_data" or "random". Where one row stands for a
    component, all other rows have none.

    Examples
    --------
    >>> draw_shares(np.array([[0.0], [1.0], [9.0]]), 2, "kmeans", np.random.RandomState(0)).tolist()
    [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
    """
    n = len(X)
    if how == "random":
        random: Floats = rng.uniform(size=(n, n_components))
        random /= random.sum(axis=1)[:, None]
        return random
    shares = np.zeros((n, n_components))
    if how == "kmeans":
        shares[np.arange(n), _kmeans_labels(X, n_components, rng)] = 1
        return shares
    if how == "k-means++":
        rows = kmeans_plusplus(X, n_components, random_state=rng)[1]
    else:
        rows = rng.choice(n, n_components, replace=False)
    shares[rows, np.arange(n_components)] = 1
    return shares


def _kmeans_labels(X: Floats, n_components: int, rng: Any) -> Any:
    mean = X.mean(axis=0)
    centers = kmeans_plusplus(X - mean, n_components, random_state=rng)[0] + mean
    try:
        return KMeans(n_components, init=centers).fit(X).labels_
    except ValueError:  # fewer distinct rows than components: some components start without rows
        return np.unique(X, axis=0, return_inverse=True)[1].ravel() % n_components


def _array(value: ArrayLike | None, name: str, shape: tuple[int, ...]) -> Floats | None:
    if value is None:
        return None
    array: Floats = check_array(
        value, dtype=np.float64, ensure_2d=False, allow_nd=True, input_name=name
    )
    if array.shape != shape:
        raise ValueError(
            f"The parameter '{name}' should have the shape of {shape}, but got {array.shape}."
        )
    return array


def _shares(shares: Floats | None) -> Floats | None:
    if shares is not None and (
        shares.min() < 0 or not np.allclose(shares.sum(axis=1), 1, rtol=0, atol=1e-6)
    ):
        raise ValueError(
            "The shares in init must be from 0 to 1 and sum to 1 in each row. "
            "Divide each row by its sum."
        )
    return shares


def _check_weights(weights: Floats) -> None:
    if weights.min() < 0 or weights.max() > 1:
        raise ValueError(
            "The parameter 'weights' should be in the range [0, 1], "
            f"but got max value {weights.max():.5f}, min value {weights.min():.5f}."
        )
    if abs(weights.sum() - 1) > 1e-8:
        raise ValueError(
            "The parameter 'weights' should be normalized, "
            f"but got sum(weights) = {weights.sum():.5f}."
        )


def _inverse(precisions: Floats, kind: str) -> Floats:
    """Return the covariances of given precisions."""
    if kind not in MATRICES:
        if precisions.min() <= 0:
            raise ValueError(f"'{kind} precision' should be positive.")
        return 1 / precisions
    symmetric = np.allclose(precisions, np.swapaxes(precisions, -1, -2))
    if not symmetric or np.linalg.eigvalsh(precisions).min() <= 0:
        raise ValueError(f"'{kind} precision' should be symmetric, positive-definite.")
    inverse = np.linalg.inv(precisions)
    covariances: Floats = ((inverse + np.swapaxes(inverse, -1, -2)) / 2).astype(np.float64)
    return covariances
