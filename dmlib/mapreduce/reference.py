"""The same questions put to libraries on one machine, all lines at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from dmlib.comparison import Answers, Incomparable
from dmlib.mapreduce.jobs import point
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import LinesProblem


def as_answers(functions: str, result: Mapping[str, Any]) -> Answers:
    """Return a result with the attributes of a job."""
    from dmlib.comparison import Answers

    values = np.array([result[key] for key in sorted(result)], float)
    return Answers(
        functions, {"n_keys_": len(result), "values_": values, "total_": float(values.sum())}
    )


def count_words(X: Sequence[str]) -> Answers:
    """Count all words by a Counter."""
    import collections

    from dmlib.mapreduce.jobs import words

    counts = collections.Counter(word for line in X for word in words(line))
    return as_answers("collections.Counter", counts)


def multiply(X: Sequence[str]) -> Answers:
    """Multiply the matrix by the vector with numpy."""
    from dmlib.mapreduce.jobs import numbers, words

    columns = sorted({word for line in X for word in words(line)})
    letters = np.array([len(word) for word in columns])
    index = {word: j for j, word in enumerate(columns)}
    result = {}
    for i, line in enumerate(X, start=1):
        row = numbers(line)
        if row is not None:
            result[f"row{i}"] = np.matmul(row, np.arange(1, len(row) + 1))
        elif words(line):
            counts = np.bincount([index[word] for word in words(line)], minlength=len(columns))
            result[f"row{i}"] = np.matmul(counts, letters)
    return as_answers("numpy.matmul", result)


def count_classes(X: Sequence[str], y: Any) -> Answers:
    """Count the lines and the words of each class by scikit-learn's naive Bayes."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.naive_bayes import MultinomialNB

    from dmlib.mapreduce.jobs import words

    vectors = CountVectorizer(analyzer=words).fit(X)
    bayes = MultinomialNB().fit(vectors.transform(X), y)
    names = vectors.get_feature_names_out()
    result = dict(zip(bayes.classes_, bayes.class_count_, strict=True))
    for label, counts in zip(bayes.classes_, bayes.feature_count_, strict=True):
        result |= {f"{label}|{word}": n for word, n in zip(names, counts, strict=True) if n}
    return as_answers("sklearn.naive_bayes.MultinomialNB", result)


def cluster(X: Sequence[str], n_clusters: int, max_iter: int) -> Answers:
    """Return the centres of scikit-learn's k-means after as many iterations."""
    from sklearn.cluster import KMeans

    from dmlib.mapreduce.jobs import point

    points = [point(line) for line in X]
    centers = np.array(list(dict.fromkeys(points))[:n_clusters])
    kmeans = KMeans(n_clusters, init=centers, n_init=1, max_iter=max_iter, tol=0.0)
    kmeans.fit(points)
    result = {f"cluster{c}": center for c, center in enumerate(kmeans.cluster_centers_, start=1)}
    return as_answers("sklearn.cluster.KMeans", result)


def count_itemsets(X: Sequence[str], min_support: float, max_length: int) -> Answers:
    """Count frequent item sets by Apriori in all baskets at once."""
    from dmlib.association import apriori
    from dmlib.mapreduce.jobs import words

    supports = apriori([set(words(line)) for line in X], min_support, max_length)
    result = {" ".join(items): round(support * len(X)) for items, support in supports.items()}
    return as_answers("dmlib.association.apriori", result)


def as_table(X: Sequence[str]) -> Any:
    """Return lines of column=value as a table; of texts, which of the commonest words they have."""
    import pandas as pd

    from dmlib.mapreduce.jobs import words

    tokens = [words(line) for line in X]
    table = pd.DataFrame([dict(t.split("=", 1) for t in line if "=" in t) for line in tokens])
    if not (table.empty or table.isna().any(axis=None)):
        return table
    has = pd.DataFrame([dict.fromkeys(line, "yes") for line in tokens]).fillna("no")
    n_lines = (has == "yes").sum()
    return has[sorted(has, key=lambda word: (-n_lines[word], word))[:20]]


def grow_tree(X: Sequence[str], y: Any, max_depth: int) -> Answers:
    """Count the classes in the leaves of a tree that is grown on all rows at once by pandas."""
    import pandas as pd
    from scipy.stats import entropy

    def bits(part: pd.DataFrame) -> float:
        return float(entropy(kinds[part.index].value_counts(), base=2))

    table = as_table(X)
    kinds = pd.Series([*y])
    result: dict[str, float] = {}
    waiting = [("all", 0, table[sorted(table)])]
    while waiting:
        node, depth, part = waiting.pop()
        after = {
            column: sum(len(group) * bits(group) for _, group in part.groupby(column)) / len(part)
            for column in part
        }
        gains = {column: round(bits(part) - rest, 12) for column, rest in after.items()}
        best = max(gains, key=lambda column: gains[column], default=None)
        if best is None or gains[best] <= 0 or depth == max_depth:
            counts = kinds[part.index].value_counts()
            result |= {f"{node}|{kind}": n for kind, n in counts.items()}
            continue
        start = "" if node == "all" else f"{node}&"
        for value, group in part.groupby(best):
            waiting.append((f"{start}{best}={value}", depth + 1, group.drop(columns=best)))
    return as_answers("pandas and scipy.stats.entropy", result)


FUNCTIONS: Mapping[str, tuple[Callable[..., Answers], tuple[str, ...]]] = {
    "WordCountJob": (count_words, ()),
    "MatrixVectorJob": (multiply, ()),
    "NaiveBayesJob": (count_classes, ()),
    "KMeansJob": (cluster, ("n_clusters", "max_iter")),
    "FrequentItemsetsJob": (count_itemsets, ("min_support", "max_length")),
    "DecisionTreeJob": (grow_tree, ("max_depth",)),
}
"""The function of each job, and the parameters that it takes."""


def mapreduce_reference(run: Run[LinesProblem, Any]) -> Reference:
    """Return the same result by a library, of all lines at once.

    Raises
    ------
    Incomparable
        If rounding decides between two centres.

    Examples
    --------
    >>> from dmlib.mapreduce import WordCountJob
    >>> from dmlib.problem import prepare_texts
    >>> run = Run.of(prepare_texts(["to be", "or not to be"]), WordCountJob())
    >>> mapreduce_reference(run).answer(run).n_keys_
    4
    """
    model = run.model
    name = type(model).__name__
    if name == "KMeansJob":
        _check_ties(run.problem.data, model.n_clusters)
    function, parameters = FUNCTIONS[name]
    params = {parameter: getattr(model, parameter) for parameter in parameters}
    data = ("X", "y") if name in {"NaiveBayesJob", "DecisionTreeJob"} else ("X",)
    helpers = (as_answers, as_table) if name == "DecisionTreeJob" else (as_answers,)
    return Reference(function, *data, helpers=helpers, **params)


def _check_ties(lines: Sequence[str], n_clusters: int) -> None:
    from scipy.spatial.distance import cdist

    points = [point(line) for line in lines]
    centers = list(dict.fromkeys(points))[:n_clusters]
    nearest = np.sort(cdist(points, centers), axis=1)
    if len(centers) > 1 and np.isclose(nearest[:, 0], nearest[:, 1], rtol=1e-9, atol=0.0).any():
        raise Incomparable(
            "some points are equally far from two centres, and rounding decides between them."
        )
