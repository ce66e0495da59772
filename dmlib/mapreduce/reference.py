"""The same questions put to libraries on one machine, and the code that puts them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from dmlib.comparison import Answers, Incomparable
from dmlib.mapreduce.jobs import numbers, point, words
from dmlib.pictures.run import Run

Found = Mapping[str, Any]


def word_counts(lines: Sequence[str], y: Any, model: Any) -> Found:
    """Return the counts of all words, by a Counter."""
    return Counter(word for line in lines for word in words(line))


def matrix_product(lines: Sequence[str], y: Any, model: Any) -> Found:
    """Return the product of the matrix and the vector, by numpy."""
    columns = sorted({word for line in lines for word in words(line)})
    letters, place = (
        np.array([len(word) for word in columns]),
        {word: j for j, word in enumerate(columns)},
    )
    found = {}
    for i, line in enumerate(lines):
        if (row := numbers(line)) is not None:
            found[f"row{i + 1}"] = float(np.matmul(row, np.arange(1, len(row) + 1)))
        elif there := words(line):
            counts = np.bincount([place[word] for word in there], minlength=len(columns))
            found[f"row{i + 1}"] = float(np.matmul(counts, letters))
    return found


def class_counts(lines: Sequence[str], y: Any, model: Any) -> Found:
    """Return what scikit-learn's naive Bayes counts."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.naive_bayes import MultinomialNB

    vectors = CountVectorizer(analyzer=words).fit(lines)
    bayes = MultinomialNB().fit(vectors.transform(lines), y)
    names = vectors.get_feature_names_out()
    found = dict(zip(bayes.classes_, bayes.class_count_, strict=True))
    for kind, counts in zip(bayes.classes_, bayes.feature_count_, strict=True):
        found |= {f"{kind}|{word}": n for word, n in zip(names, counts, strict=True) if n}
    return found


def centers(lines: Sequence[str], y: Any, model: Any) -> Found:
    """Return the centres after as many iterations of scikit-learn's k-means, without those of empty clusters."""
    from scipy.spatial.distance import cdist
    from sklearn.cluster import KMeans

    points = [point(line) for line in lines]
    first = np.array(tuple(dict.fromkeys(points))[: model.n_clusters])
    nearest = np.sort(cdist(points, first), axis=1)
    if len(first) > 1 and np.isclose(nearest[:, 0], nearest[:, 1], rtol=1e-9, atol=0.0).any():
        raise Incomparable(
            "some points are equally far from two centres, and rounding decides between them."
        )
    how: dict[str, Any] = {"n_init": 1, "tol": 0.0, "algorithm": "lloyd"}
    reference = KMeans(model.n_clusters, init=first, max_iter=model.max_iter, **how).fit(points)
    return {f"cluster{c + 1}": tuple(center) for c, center in enumerate(reference.cluster_centers_)}


def itemset_counts(lines: Sequence[str], y: Any, model: Any) -> Found:
    """Return what Apriori counts in all baskets at once."""
    from dmlib.association import apriori

    found = apriori([set(words(line)) for line in lines], model.min_support, model.max_length)
    return {" ".join(items): round(support * len(lines)) for items, support in found.items()}


BY: Mapping[str, tuple[str, Callable[..., Found]]] = {
    "WordCountJob": ("collections.Counter", word_counts),
    "MatrixVectorJob": ("numpy.matmul", matrix_product),
    "NaiveBayesJob": ("sklearn.naive_bayes.MultinomialNB", class_counts),
    "KMeansJob": ("sklearn.cluster.KMeans", centers),
    "FrequentItemsetsJob": ("dmlib.association.apriori", itemset_counts),
}


def on_one_machine(model: Any, lines: Sequence[str], y: Any = None) -> Answers:
    """Return what a library finds in all lines at once, with the attributes of a job.

    Parameters
    ----------
    model : estimator of :mod:`dmlib.mapreduce`
        The job.
    lines : sequence of str
        Its lines.
    y : array-like of str, optional
        Their classes.

    Examples
    --------
    >>> from dmlib.mapreduce import WordCountJob
    >>> on_one_machine(WordCountJob(), ["to be", "or not to be"]).n_keys_
    4
    """
    functions, find = BY[type(model).__name__]
    found = find(lines, y, model)
    values = np.array([found[key] for key in sorted(found)], float)
    return Answers(
        functions, {"n_keys_": len(found), "values_": values, "total_": float(values.sum())}
    )


def mapreduce_reference(run: Run) -> Answers:
    """Return what a library finds on the run's lines."""
    return on_one_machine(run.model, *run.problem.arguments)


def mapreduce_code(run: Run) -> str:
    """Return code that asks a library as ``reference``, after ``model``."""
    functions = BY[type(run.model).__name__][0]
    classes = ", y" if run.problem.labelled else ""
    return f"""
# The same on one machine, all lines at once, with {functions}
from dmlib.mapreduce.reference import on_one_machine

reference = on_one_machine(model, X{classes})
"""
