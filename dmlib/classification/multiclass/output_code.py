"""Error-correcting output codes: each class has a code word, and each bit a classifier."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.utils import check_random_state

from dmlib.arrays import Floats, Ints
from dmlib.classification.multiclass.binary import ESTIMATOR
from dmlib.classification.multiclass.binary_step import Mask
from dmlib.classification.multiclass.ranges import output_code_ranges
from dmlib.classification.multiclass.reduction import BinaryReduction
from dmlib.params import Choice, Conditions, Number, Param, Ranges

MAX_EXHAUSTIVE = 10  # classes, with 511 problems


class OutputCodeClassifier(BinaryReduction):
    """Train a binary classifier for each bit of the classes' code words; predict the nearest word.

    Parameters
    ----------
    estimator : str or classifier
        The binary classifier: one of this package with its defaults,
        "logistic_regression", "svm", "lda_classifier", "qda", "perceptron", "decision_tree",
        "naive_bayes", "knn", "adaboost" or "bagging", or any that has ``decision_function`` or
        ``predict_proba``.
    code_size : float, default=1.5
        The length of a random code word, in multiples of the number of classes.
    code : {"random", "exhaustive"}, default="random"
        Random bits; or all 2^(k - 1) - 1 partitions of k classes in two, by which two words differ
        in half of the bits and more.
    decoding : {"euclidean", "hamming"}, default="euclidean"
        The distance of values, or of predicted bits, to the code words.
    random_state : int, RandomState or None, default=None
        The seed of the random code.

    Attributes
    ----------
    estimators_ : list of classifiers
        One for each bit; for one that is the same in all classes, a constant.
    code_book_ : ndarray of shape (n_classes, n_problems)
        The code words: bits 1 and -1 or, for an estimator without ``decision_function``, 1 and 0.
    classes_ : ndarray of shape (n_classes,)
        The classes.
    n_classes_ : int
        Their number.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, if they were columns of a data frame.

    Raises
    ------
    ValueError
        If there is one class only, too many for the exhaustive code, or the estimator refuses the
        data.

    Notes
    -----
    A fit on all rows for each bit. Words with the smallest Hamming distance d correct (d - 1) / 2
    wrong bits, rounded down. Random words of two classes may be equal: then the first of them
    always wins, as of all equal distances.

    References
    ----------
    T. G. Dietterich and G. Bakiri (1995), Solving multiclass learning problems via error-correcting
    output codes. E. L. Allwein, R. E. Schapire and Y. Singer (2000), Reducing multiclass to binary.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [4.0], [5.0], [8.0], [9.0]], ["a", "a", "b", "b", "c", "c"]
    >>> model = OutputCodeClassifier("decision_tree", code="exhaustive").fit(X, y)
    >>> model.code_book_.tolist(), model.predict([[0.5], [4.5], [8.5]]).tolist()
    ([[1.0, 1.0, 1.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]], ['a', 'b', 'c'])
    """

    RANGES: ClassVar[Ranges] = staticmethod(output_code_ranges)
    APPLIES: ClassVar[Conditions] = {"code_size": ("code", ("random",))}
    PARAMS: ClassVar[dict[str, Param]] = {
        **ESTIMATOR,
        "code": Choice(("random", "exhaustive")),
        "code_size": Number(0.01, 30.0, shown=(0.5, 5.0), step=0.5),
        "decoding": Choice(("euclidean", "hamming")),
    }

    def __init__(
        self,
        estimator: Any = "logistic_regression",
        *,
        code_size: float = 1.5,
        code: str = "random",
        decoding: str = "euclidean",
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.code_size = code_size
        self.code = code
        self.decoding = decoding
        self.random_state = random_state

    @property
    def code_book_(self) -> Floats:
        """The code words of a fitted machine."""
        return np.asarray(np.maximum(self._signs, 2 * self.even - 1), float)

    def _code(self, n_classes: int) -> Ints:
        if self.code == "exhaustive":
            return exhaustive(n_classes)
        n = max(int(n_classes * self.code_size), 1)
        numbers = check_random_state(self.random_state).uniform(size=(n_classes, n))
        return np.where(numbers > 0.5, 1, -1)

    def _scores(self, values: Floats, positive: Mask) -> Floats:
        if self.decoding == "hamming":
            return np.asarray(-cdist(positive, self._signs > 0, "cityblock"))
        return np.asarray(-cdist(values, self.code_book_))


def exhaustive(n_classes: int) -> Ints:
    """Return all partitions of classes in two, the first class positive.

    The shape is (n_classes, 2^(n_classes - 1) - 1).

    Examples
    --------
    >>> exhaustive(3).tolist()
    [[1, 1, 1], [-1, -1, 1], [-1, 1, -1]]
    """
    if n_classes > MAX_EXHAUSTIVE:
        raise ValueError(
            f"The exhaustive code of {n_classes} classes has {2 ** (n_classes - 1) - 1:,} bits. "
            f"Set code to random, or leave out classes until there are {MAX_EXHAUSTIVE}."
        )
    numbers = np.arange(2 ** (n_classes - 1) - 1)
    shifts = np.arange(n_classes - 1)[::-1, None]
    bits = np.vstack([np.ones_like(numbers), (numbers >> shifts) & 1])
    return np.asarray(2 * bits - 1)
