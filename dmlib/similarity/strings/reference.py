"""The same by SciPy and scikit-learn: alignments as shortest paths, kernels as products of counted k-mers."""

from __future__ import annotations

from inspect import getsource
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.preprocessing import normalize

from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.run import Run
from dmlib.similarity.strings.alignment import pair_of
from dmlib.similarity.strings.string_kernel import StringKernel

MOST_CELLS = 100_000  # about a second


def shortest_alignment(
    a: str,
    b: str,
    match: float,
    mismatch: float,
    gap: float,
    *,
    swap: float = np.inf,
    local: bool = False,
) -> Answers:
    """Ask SciPy for shortest paths through the cells, where a move costs its letters times ``most`` minus its score."""
    n, m = len(a), len(b)
    most = max(1.0, *(abs(score) for score in (match, mismatch, gap) if np.isfinite(score)))
    cells = [(i, j) for i in range(n + 1) for j in range(m + 1)]
    number = {cell: k for k, cell in enumerate(cells)}
    edges = {}
    for i, j in cells:
        if local:
            edges[len(cells), number[i, j]] = most * (i + j)  # an alignment may start here
        if i and j:
            edges[number[i - 1, j - 1], number[i, j]] = 2 * most - (
                match if a[i - 1] == b[j - 1] else mismatch
            )
        if i:
            edges[number[i - 1, j], number[i, j]] = most - gap
        if j:
            edges[number[i, j - 1], number[i, j]] = most - gap
        if i > 1 and j > 1 and np.isfinite(swap) and a[i - 2 : i] == b[j - 2 : j][::-1]:
            edges[number[i - 2, j - 2], number[i, j]] = 4 * most - swap
    kept = {ends: cost for ends, cost in edges.items() if np.isfinite(cost)}
    ends = np.array(list(kept), int).reshape(-1, 2).T
    graph = csr_array((list(kept.values()), (ends[0], ends[1])), shape=(len(cells) + 1,) * 2)
    lengths = dijkstra(graph, indices=len(cells) if local else 0)[:-1].reshape(n + 1, m + 1)
    scores = most * np.add.outer(np.arange(n + 1.0), np.arange(m + 1.0)) - lengths
    value = scores.max() if local else scores[-1, -1]
    return Answers("scipy.sparse.csgraph.dijkstra", {"matrix_": scores, "value_": value})


def strings_reference(run: Run) -> Any:
    """Return SciPy's shortest paths, or scikit-learn's counts of k-mers."""
    model, texts = run.model, run.problem.texts
    if isinstance(model, StringKernel):
        if model.kernel in ("mismatch", "gappy"):
            raise Incomparable(
                f"no library that is installed counts k-mers as the kernel {model.kernel} does."
            )
        return kmer_products(
            texts, _lengths(model, texts), model.first, model.second, normalized=model.normalize
        )
    a, b = pair_of(texts, model.first, model.second)
    if (len(a) + 1) * (len(b) + 1) > MOST_CELLS:
        raise Incomparable(
            f"a graph of {(len(a) + 1) * (len(b) + 1):,} cells takes too long. Choose shorter"
            " strings."
        )
    scores, options, sign = _scores(model)
    found = shortest_alignment(a, b, *scores, **options)
    return Answers(found.functions, {name: sign * value for name, value in found.values.items()})


def _scores(model: Any) -> tuple[tuple[float, float, float], dict[str, Any], int]:
    """Return the scores that a method has, options, and the sign of its value."""
    none = -np.inf
    known: dict[str, tuple[tuple[float, float, float], dict[str, Any], int]] = {
        "levenshtein": ((0.0, -1.0, -1.0), {}, -1),
        "damerau": ((0.0, -1.0, -1.0), {"swap": -1.0}, -1),
        "hamming": ((0.0, -1.0, none), {}, -1),
        "lcs": ((1.0, none, 0.0), {}, 1),
        "needleman-wunsch": ((model.match, model.mismatch, model.gap), {}, 1),
        "smith-waterman": ((model.match, model.mismatch, model.gap), {"local": True}, 1),
    }
    return known[model.measure]


def kmer_products(
    texts: Any, lengths: Any, first: int, second: int, *, normalized: bool
) -> Answers:
    """Count k-mers with scikit-learn; of lengths None the whole strings."""

    def parts(text: str) -> list[str]:
        return (
            [text[i : i + k] for k in lengths for i in range(len(text) - k + 1)]
            if lengths
            else ["<" + text]
        )

    try:
        counts = CountVectorizer(analyzer=parts).fit_transform(texts).astype(float)
    except ValueError:  # no string has a part
        counts = csr_array((len(texts), 0))
    counts = normalize(counts) if normalized and counts.shape[1] else counts
    K = (counts @ counts.T).toarray()
    values = {"matrix_": K, "value_": K[first - 1, second - 1], "n_parts_": counts.shape[1]}
    return Answers("sklearn.feature_extraction.text.CountVectorizer", values)


def _lengths(model: StringKernel, texts: Any) -> list[int]:
    """Return the lengths of the parts that are counted; none for whole strings."""
    if model.kernel == "delta":
        return []
    return list(range(1, model.k + 1)) if model.kernel == "substrings" else [model.k]


def strings_code(run: Run) -> str:
    """Return code that does the same with SciPy or scikit-learn as ``reference`` for ``X``, after ``model``."""
    return _kernel_code(run) if isinstance(run.model, StringKernel) else _alignment_code(run)


def _kernel_code(run: Run) -> str:
    model = run.model
    if model.kernel in ("mismatch", "gappy"):
        return "# No library here counts these parts.\nreference = model"
    call = (
        f"{_lengths(model, run.problem.texts)!r}, {model.first}, {model.second},"
        f" normalized={model.normalize}"
    )
    return f"""
# The same with scikit-learn
from dmlib.comparison import Answers
from scipy.sparse import csr_array
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.preprocessing import normalize

{getsource(kmer_products).replace(": Any", "")}

reference = kmer_products(X, {call})
"""


def _alignment_code(run: Run) -> str:
    model = run.model
    scores, options, sign = _scores(model)
    numbers = ", ".join(repr(float(score)).replace("-inf", "-np.inf") for score in scores)
    more = "".join(f", {name}={value!r}" for name, value in options.items())
    return f"""
# The same with SciPy
import numpy as np
from dmlib.comparison import Answers
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

{getsource(shortest_alignment)}
found = shortest_alignment(X[{model.first - 1}], X[{model.second - 1}], {numbers}{more})
reference = Answers(found.functions, {{name: {sign} * value for name, value in found.values.items()}})
"""
