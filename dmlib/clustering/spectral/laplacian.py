"""The eigenvectors of a graph's Laplacian that belong to its smallest eigenvalues."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.linalg import cho_factor, cho_solve, eigh
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import LinearOperator, eigsh, splu

from dmlib.arrays import Floats

Pairs = tuple[NDArray[np.intp], Floats, Floats]
"""The nodes of a component, eigenvalues, and eigenvectors on these nodes."""

# Up to so many nodes LAPACK finds a few eigenvectors about as fast as the method of Lanczos
DENSE = 500
SHIFT = 1e-6  # makes the Laplacian invertible; in mean degrees
# Of the heaviest edge: what is lighter joins nothing, for a sum would lose it
ROUNDING = float(np.finfo(float).eps)


@dataclass(frozen=True)
class Spectrum:
    """The smallest eigenvalues of a graph Laplacian, and what belongs to them."""

    # (n_pairs,): ascending. As many are exactly 0 as the graph has components, if that many are
    # given
    eigenvalues: Floats
    # (n_nodes, n_pairs): the eigenvectors, of length 1; the entry farthest from 0 is positive
    vectors: Floats
    degrees: Floats  # (n_nodes,): the sum of the weights of each node's edges
    components: NDArray[np.int32]  # (n_nodes,): the connected component of each node, from 0


def smallest_eigenpairs(W: Any, laplacian: str, n_pairs: int) -> Spectrum:
    r"""Return the smallest eigenvalues of a graph Laplacian with their eigenvectors.

    Parameters
    ----------
    W : ndarray or sparse array of shape (n_nodes, n_nodes)
        Symmetric weights of the edges; the diagonal is left out.
    laplacian : {"unnormalised", "symmetric", "random_walk"}
        :math:`L = D - W`, :math:`L_{sym} = D^{-1/2} L D^{-1/2}` or :math:`L_{rw} = D^{-1} L`; D
        holds the degrees.
    n_pairs : int
        How many, at most the number of nodes.

    Returns
    -------
    Spectrum
        The eigenvalues, eigenvectors, degrees and components.

    Notes
    -----
    A Laplacian is one block per connected component, and each has the eigenvalue 0 once, with a
    known eigenvector. So the multiplicity of 0 is exact, and only the other eigenvalues of each
    block are computed: by LAPACK for small blocks, by the method of Lanczos on the inverse, after
    one Cholesky (or sparse LU) factorisation, for large ones. The eigenvectors of :math:`L_{rw}`
    are those of :math:`L_{sym}` times :math:`D^{-1/2}`. An edge joins two nodes if its weight is
    not lost in the rounding of the heaviest.

    References
    ----------
    U. von Luxburg (2007), A tutorial on spectral clustering, propositions 1 to 4.

    Examples
    --------
    >>> W = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    >>> smallest_eigenpairs(W, "unnormalised", 3).eigenvalues.round(6).tolist()
    [0.0, 1.0, 3.0]
    """
    A = _without_diagonal(W)
    degrees = np.asarray(A.sum(axis=1)).ravel()
    n_components, components = _components(A, degrees)
    root = np.ones(len(degrees))
    if laplacian != "unnormalised":
        root = np.sqrt(np.where(degrees > 0, degrees, 1))
    # The largest components come first, so that these count where there are more of them than
    # pairs.
    order = np.argsort(-np.bincount(components), kind="stable")[:n_pairs]
    blocks = [np.flatnonzero(components == component) for component in order]
    pairs: list[Pairs] = [(block, np.zeros(1), _unit(root[block, None])) for block in blocks]
    if n_components < n_pairs:
        for block, _, zero in pairs[:]:
            if n_wanted := min(n_pairs - n_components, len(block) - 1):
                pairs.append(
                    (block, *_besides_zero(_block(A, degrees, root, block), zero[:, 0], n_wanted))
                )
    eigenvalues, vectors = _joined(pairs, len(degrees))
    if laplacian == "random_walk":
        vectors = _unit(vectors / root[:, None])
    smallest = np.argsort(eigenvalues, kind="stable")[:n_pairs]
    return Spectrum(eigenvalues[smallest], _signed(vectors[:, smallest]), degrees, components)


def _without_diagonal(W: Any) -> Any:
    if sparse.issparse(W):
        A = sparse.csr_array(W, dtype=float, copy=True)
        A.setdiag(0)
        A.eliminate_zeros()
        return A
    A = np.array(W, float)
    np.fill_diagonal(A, 0)
    return A


def _components(weights: Any, degrees: Floats) -> tuple[int, NDArray[np.int32]]:
    """Return the number of connected components, and the component of each node."""
    threshold = ROUNDING * weights.max()
    is_dense = not sparse.issparse(weights)
    if is_dense and (weights[degrees.argmax()] > threshold).sum() == len(weights) - 1:
        return 1, np.zeros(len(weights), np.int32)  # one node is joined to all: no need to search
    n_components, components = connected_components(
        sparse.csr_array(weights > threshold), directed=False
    )
    return int(n_components), components


def _block(A: Any, degrees: Floats, root: Floats, block: NDArray[np.intp]) -> Any:
    """Return the symmetric Laplacian of one component, divided by the roots of rows and columns.

    That of a connected graph takes the place of ``A``, which is large.
    """
    is_connected = len(block) == len(degrees)
    scale = 1 / root[block]
    diagonal = degrees[block] * scale**2
    if sparse.issparse(A):
        part = A if is_connected else A[block][:, block]
        weights = sparse.diags_array(scale) @ part @ sparse.diags_array(scale)
        return sparse.csc_array(sparse.diags_array(diagonal) - weights)
    L = A if is_connected else A[np.ix_(block, block)]
    L *= -scale[:, None]
    L *= scale
    L[np.diag_indices_from(L)] = diagonal
    return L


def _besides_zero(L: Any, zero: Floats, n_wanted: int) -> tuple[Floats, Floats]:
    """Return the smallest nonzero eigenvalues of a connected graph's Laplacian, with vectors."""
    n_nodes = len(zero)
    if n_nodes <= max(DENSE, 2 * n_wanted):
        dense = L.toarray() if sparse.issparse(L) else L
        # No eigenvalue is above twice the largest entry. The known vector goes beyond them all, so
        # that where other eigenvalues are almost 0 it does not turn up mixed with theirs.
        dense += 4 * dense.diagonal().max() * np.outer(zero, zero)
        values, vectors = eigh(
            dense, subset_by_index=[0, n_wanted - 1], overwrite_a=True, check_finite=False
        )
        return np.maximum(values, 0.0), vectors
    shift = SHIFT * L.diagonal().mean()
    solve = _solver(L, shift)

    def inverse(v: Floats) -> Floats:
        w: Floats = solve(v - zero * (zero @ v))
        return w - zero * (zero @ w)

    # Fixed: the answer must not depend on a seed.
    start = np.random.default_rng(0).normal(size=n_nodes)
    operator = LinearOperator((n_nodes, n_nodes), matvec=inverse, dtype=float)
    inverted, vectors = eigsh(
        operator, n_wanted, which="LM", v0=start, ncv=min(n_nodes, 2 * n_wanted + 8)
    )
    order = np.argsort(-inverted)
    return np.maximum(1 / inverted[order] - shift, 0.0), vectors[:, order]


def _solver(L: Any, shift: float) -> Any:
    """Factorise a Laplacian with a shifted diagonal; return the solver of its equations."""
    if sparse.issparse(L):
        shifted = L + shift * sparse.eye_array(L.shape[0], format="csc")
        return splu(
            shifted,
            permc_spec="MMD_AT_PLUS_A",
            diag_pivot_thresh=0.0,
            options={"SymmetricMode": True},
        ).solve
    L[np.diag_indices_from(L)] += shift
    factor = cho_factor(L, overwrite_a=True, check_finite=False)
    return lambda v: cho_solve(factor, v, check_finite=False)


def _joined(pairs: list[Pairs], n_nodes: int) -> tuple[Floats, Floats]:
    """Return all eigenvalues, and their eigenvectors with zeros outside their component."""
    vectors = np.zeros((n_nodes, sum(len(values) for _, values, _ in pairs)))
    first = 0
    for block, values, block_vectors in pairs:
        vectors[block, first : first + len(values)] = block_vectors
        first += len(values)
    return np.concatenate([values for _, values, _ in pairs]), vectors


def _unit(vectors: Floats) -> Floats:
    """Return columns of length 1."""
    unit: Floats = vectors / np.linalg.norm(vectors, axis=0)
    return unit


def _signed(vectors: Floats) -> Floats:
    """Return the columns with the signs that make the entry farthest from 0 positive."""
    farthest = vectors[np.abs(vectors).argmax(axis=0), np.arange(vectors.shape[1])]
    signed: Floats = vectors * np.where(farthest < 0, -1, 1)
    return signed
