"""Alignments as shortest paths by SciPy, string kernels as products of counts by scikit-learn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import TextsProblem
from dmlib.similarity.strings.alignment import StringAlignment, pair_of
from dmlib.similarity.strings.string_kernel import StringKernel

MAX_CELLS = 100_000  # about a second


def scored_moves(
    a: str, b: str, match: float, mismatch: float, gap: float, transpose: float
) -> Iterator[tuple[tuple[int, int], tuple[int, int], float]]:
    """Yield the two cells of each move of an alignment, and its score."""
    for i, j in np.ndindex(len(a) + 1, len(b) + 1):
        if i and j:
            yield (i - 1, j - 1), (i, j), match if a[i - 1] == b[j - 1] else mismatch
        if i:
            yield (i - 1, j), (i, j), gap
        if j:
            yield (i, j - 1), (i, j), gap
        if i > 1 and j > 1 and a[i - 2 : i] == b[j - 2 : j][::-1]:
            yield (i - 2, j - 2), (i, j), transpose


def shortest_alignment(
    X: Sequence[str],
    first: int,
    second: int,
    match: float,
    mismatch: float,
    gap: float,
    transpose: float = -np.inf,
    is_local: bool = False,
    sign: int = 1,
) -> Answers:
    """Align two strings by shortest paths through the cells with SciPy."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    from dmlib.comparison import Answers

    a, b = X[first - 1], X[second - 1]
    shape = len(a) + 1, len(b) + 1
    cell = np.arange(shape[0] * shape[1]).reshape(shape)
    # A letter costs more than any score, so that no move has a negative length.
    letter = max(1.0, *(abs(score) for score in (match, mismatch, gap) if np.isfinite(score)))
    letters = letter * np.add.outer(np.arange(shape[0]), np.arange(shape[1]))
    edges = []
    for source, target, score in scored_moves(a, b, match, mismatch, gap, transpose):
        if np.isfinite(score):
            length = letters[target] - letters[source] - score
            edges.append((cell[source], cell[target], length))
    start = 0
    if is_local:  # an alignment may start in every cell
        start = cell.size
        edges += [(start, *pair) for pair in zip(cell.flat, letters.flat, strict=True)]
    sources, targets, lengths = np.array(edges, float).reshape(-1, 3).T
    ends = sources.astype(int), targets.astype(int)
    graph = csr_array((lengths, ends), shape=(cell.size + 1, cell.size + 1))
    paths = dijkstra(graph, indices=start)[: cell.size].reshape(shape)
    scores = letters - paths
    value = scores.max() if is_local else scores[-1, -1]
    values = {"matrix_": sign * scores, "value_": sign * value}
    return Answers("scipy.sparse.csgraph.dijkstra", values)


def parts_of(text: str, lengths: Sequence[int]) -> list[str]:
    """Return the substrings of these lengths; without lengths the whole string."""
    if not lengths:
        return ["<" + text]  # an empty string is a part, too
    return [text[i : i + k] for k in lengths for i in range(len(text) - k + 1)]


def kmer_products(
    X: Sequence[str], lengths: Sequence[int], first: int, second: int, is_normalized: bool
) -> Answers:
    """Multiply the counts of substrings that scikit-learn finds."""
    from scipy.sparse import csr_array
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.preprocessing import normalize

    from dmlib.comparison import Answers

    vectorizer = CountVectorizer(analyzer=lambda text: parts_of(text, lengths))
    try:
        counts = vectorizer.fit_transform(X).astype(float)
    except ValueError:  # no string has a part
        counts = csr_array((len(X), 0))
    if is_normalized and counts.shape[1]:
        counts = normalize(counts)
    K = (counts @ counts.T).toarray()
    values = {"matrix_": K, "value_": K[first - 1, second - 1], "n_parts_": counts.shape[1]}
    return Answers("sklearn.feature_extraction.text.CountVectorizer", values)


def strings_reference(run: Run[TextsProblem, Any]) -> Reference:
    """Return SciPy's shortest paths, or scikit-learn's counts of k-mers."""
    model = run.model
    pair = {"first": model.first, "second": model.second}
    if isinstance(model, StringKernel):
        if model.kernel in ("mismatch", "gappy"):
            raise Incomparable(
                f"no library that is installed counts k-mers as the kernel {model.kernel} does."
            )
        options = {"lengths": lengths_of(model), **pair, "is_normalized": model.normalize}
        return Reference(kmer_products, "X", helpers=(parts_of,), **options)
    a, b = pair_of(run.problem.texts, model.first, model.second)
    n_cells = (len(a) + 1) * (len(b) + 1)
    if n_cells > MAX_CELLS:
        raise Incomparable(f"a graph of {n_cells:,} cells takes too long. Choose shorter strings.")
    helpers = (scored_moves,)
    return Reference(shortest_alignment, "X", helpers=helpers, **pair, **scores_of(model))


def scores_of(model: StringAlignment) -> dict[str, Any]:
    """Return a measure as scores of :func:`shortest_alignment`."""
    own = {"match": model.match, "mismatch": model.mismatch, "gap": model.gap}
    unit = {"match": 0.0, "mismatch": -1.0, "gap": -1.0, "sign": -1}
    return {
        "levenshtein": unit,
        "damerau": unit | {"transpose": -1.0},
        "hamming": unit | {"gap": -np.inf},
        "lcs": {"match": 1.0, "mismatch": -np.inf, "gap": 0.0},
        "needleman-wunsch": own,
        "smith-waterman": own | {"is_local": True},
    }[model.measure]


def lengths_of(model: StringKernel) -> list[int]:
    """Return the lengths of the substrings that are counted; none for whole strings."""
    if model.kernel == "delta":
        return []
    return list(range(1, model.k + 1)) if model.kernel == "substrings" else [model.k]
