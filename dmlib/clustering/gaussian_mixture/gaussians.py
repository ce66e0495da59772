"""A mixture of Gaussian densities: log-likelihood and maximum-likelihood estimates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dmlib.arrays import Floats
from dmlib.cached import cached_property

COVARIANCE_TYPES = ("full", "tied", "diag", "spherical")
IDENTITY = "identity"
ROUND = ("spherical", IDENTITY)  # the types of which a component has one variance
MATRICES = ("full", "tied")  # the types whose ellipses may be tilted

BLOCK = 2**16  # differences from means that fit into the cache
TINY = 10 * np.finfo(np.float64).eps
LOG_ROOT = float(np.log(2 * np.pi) / 2)


@dataclass(frozen=True)
class Mixture:
    """Gaussian components and their weights.

    Examples
    --------
    >>> weights, means = np.array([0.5, 0.5]), np.array([[0.0], [2.0]])
    >>> mixture = Mixture("spherical", weights, means, np.array([1.0, 1.0]))
    >>> shares, log_densities = mixture.expect(np.array([[0.0, 1.0]]))
    >>> shares.round(3).tolist(), log_densities.round(3).tolist()
    ([[0.881, 0.119], [0.5, 0.5]], [-1.485, -1.419])
    """

    # {"full", "tied", "diag", "spherical", "identity"}: one matrix for each component; one for all
    # of them; one variance for each component and column; one for each component; one that is fixed
    covariance_type: str
    weights: Floats  # (k,): the shares of the components; they sum to 1
    means: Floats  # (k, d): their means
    covariances: Floats  # (k, d, d): their covariance matrices or variances

    def expect(self, columns: Floats) -> tuple[Floats, Floats]:
        """Return responsibilities (n, k) and log densities (n,) of columns of shape (d, n)."""
        shares = np.empty((len(self.weights), columns.shape[1]))
        log_densities = np.empty(columns.shape[1])
        for block in _blocks(columns, self.means):
            joint = self.log_joint(columns[:, block])
            # Shares of the largest term, so that a row far from every component does not vanish.
            top = joint.max(axis=0)
            joint -= top
            np.exp(joint, out=joint)
            density = joint.sum(axis=0)
            np.divide(joint, density, out=shares[:, block])
            log_densities[block] = np.log(density) + top
        return shares.T, log_densities

    def log_joint(self, columns: Floats) -> Floats:
        """Return log(weight times density) of each component, shape (k, n), for columns (d, n)."""
        joint = self._squared_distances(columns)
        joint *= -0.5
        joint += (np.log(self.weights) + self._log_heights())[:, None]
        return joint

    @cached_property
    def factors(self) -> Floats:
        """The upper triangular P with P P' = inverse of each matrix; 1 / root of each variance."""
        if self.covariance_type in MATRICES:
            return np.swapaxes(np.linalg.inv(self._roots), -1, -2)
        return 1 / self._roots

    @property
    def precisions(self) -> Floats:
        """The inverses of the covariances, in the form that scikit-learn takes.

        Examples
        --------
        >>> Mixture("spherical", np.ones(1), np.zeros((1, 2)), np.array([4.0])).precisions.tolist()
        [0.25]
        """
        if self.covariance_type not in MATRICES:
            return self.factors**2
        inverses: Floats = self.factors @ np.swapaxes(self.factors, -1, -2)
        return inverses

    def spreads(self) -> Floats:
        """Return the variance of each column given those before it, shape (m, d).

        It is zero where a matrix is singular. "spherical" has one column.
        """
        if self.covariance_type in MATRICES:
            roots = np.diagonal(self._roots, axis1=-2, axis2=-1)
            return np.atleast_2d(roots**2)
        return self.covariances.reshape(len(self.means), -1)

    def matrices(self) -> Floats:
        """Return the covariance matrix of each component, whatever the type, shape (k, d, d)."""
        k, d = self.means.shape
        if self.covariance_type in MATRICES:
            return np.broadcast_to(self.covariances, (k, d, d)).copy()
        variances = np.broadcast_to(self.covariances.reshape(k, -1), (k, d))
        return variances[:, :, None] * np.eye(d)

    @property
    def n_parameters(self) -> int:
        """The number of free parameters."""
        k, d = self.means.shape
        triangle = d * (d + 1) // 2
        shapes: dict[str, int] = {
            IDENTITY: 0,
            "spherical": k,
            "diag": k * d,
            "tied": triangle,
            "full": k * triangle,
        }
        return int(k - 1 + k * d) + shapes[self.covariance_type]

    @cached_property
    def _roots(self) -> Floats:
        """The Cholesky roots of the matrices (0 for a singular one), or the standard deviations."""
        if self.covariance_type not in MATRICES:
            return np.sqrt(self.covariances)
        try:
            return _cholesky(self.covariances)
        except np.linalg.LinAlgError:
            stack = self.covariances.reshape(-1, *self.covariances.shape[-2:])
            return np.array([_root(matrix) for matrix in stack]).reshape(self.covariances.shape)

    def _squared_distances(self, columns: Floats) -> Floats:
        """Return the squared Mahalanobis distances of columns (d, b) to the means, shape (k, b)."""
        squares: Floats
        differences = columns - self.means[:, :, None]
        if self.covariance_type in MATRICES:
            whitened = np.swapaxes(self.factors, -1, -2) @ differences
            squares = np.einsum("kdb,kdb->kb", whitened, whitened)
        else:
            differences *= differences
            precisions = np.broadcast_to(
                (self.factors**2).reshape(len(self.means), -1), self.means.shape
            )
            squares = (precisions[:, None, :] @ differences)[:, 0]
        return squares

    def _log_heights(self) -> Floats:
        """Return the log density of each component at its mean; one value for a common matrix."""
        d = self.means.shape[1]
        tilted = self.covariance_type in MATRICES
        logs = np.log(np.diagonal(self.factors, axis1=-2, axis2=-1) if tilted else self.factors)
        heights: Floats = (
            d * logs if self.covariance_type in ROUND else logs.sum(axis=-1)
        ) - LOG_ROOT * d
        return heights


def estimate(
    columns: Floats,
    responsibilities: Floats,
    covariance_type: str,
    reg_covar: float,
    variance: float = 1.0,
) -> tuple[Floats, Floats, Floats]:
    """Return the maximum-likelihood sizes, means and covariances for given responsibilities.

    The rows are transposed, shape (d, n); ``responsibilities``, shape (n, k), are the shares. The
    sizes, shape (k,), are the sums of these and never quite zero. ``reg_covar`` is added to every
    variance; that of "identity" is ``variance``.

    Examples
    --------
    >>> shares = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    >>> sizes, means, covariances = estimate(np.array([[0.0, 2.0, 9.0]]), shares, "spherical", 0.5)
    >>> sizes.round(9).tolist(), means.round(9).tolist(), covariances.round(9).tolist()
    ([2.0, 1.0], [[1.0], [9.0]], [1.5, 0.5])
    """
    shares = np.ascontiguousarray(responsibilities.T)
    sizes = np.maximum(shares.sum(axis=1), TINY)
    means = shares @ columns.T / sizes[:, None]
    k, d = means.shape
    if covariance_type == IDENTITY:
        return sizes, means, np.full(k, variance)
    tilted = covariance_type in MATRICES
    scatters = np.zeros((k, d, d) if tilted else (k, d))
    for block in _blocks(columns, means):
        differences = columns[:, block] - means[:, :, None]
        if tilted:
            differences *= np.sqrt(shares[:, None, block])
            scatters += differences @ np.swapaxes(differences, 1, 2)
        else:
            differences *= differences
            scatters += (differences @ shares[:, block, None])[:, :, 0]
    if covariance_type == "tied":
        covariances = scatters.sum(axis=0) / sizes.sum()
    else:
        covariances = scatters / sizes.reshape(k, *[1] * (scatters.ndim - 1))
    if covariance_type == "spherical":
        covariances = covariances.mean(axis=1)
    return sizes, means, covariances + (reg_covar * np.eye(d) if tilted else reg_covar)


def _root(matrix: Floats) -> Floats:
    try:
        return _cholesky(matrix)
    except np.linalg.LinAlgError:
        return np.zeros_like(matrix)


def _cholesky(matrices: Floats) -> Floats:
    roots: Floats = np.linalg.cholesky(matrices).astype(np.float64, copy=False)
    return roots


def _blocks(columns: Floats, means: Floats) -> Iterator[slice]:
    """Cut the rows into slices."""
    size = max(64, BLOCK // means.size)
    return (slice(start, start + size) for start in range(0, columns.shape[1], size))
