"""Learning curve of a model on a table: its error by the number of training rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.model_selection import train_test_split

from dmlib import engine
from dmlib.arrays import Floats
from dmlib.evaluation import models
from dmlib.trace import look

TEST_SIZE = 0.3  # fraction of the rows that are held out
SMALLEST = 4  # training rows
MIN_ROWS = 10


@dataclass(frozen=True, eq=False)
class LearningCurve:
    """Errors of a model by the number of training rows.

    Attributes
    ----------
    sizes : ndarray of shape (n_sizes,)
        Numbers of training rows: powers of two, and all that are not held out.
    test : ndarray of shape (n_repetitions, n_sizes)
        The errors on the held-out rows; NaN where the model needs more rows.
    training : ndarray of shape (n_repetitions, n_sizes)
        The errors on the training rows.
    """

    sizes: NDArray[np.intp]
    test: Floats
    training: Floats

    @property
    def sufficient(self) -> int:
        """The smallest size whose error is at most a standard error above that of all rows."""
        mean = self.test.mean(axis=0)
        bound = mean[-1] + self.test[:, -1].std(ddof=1) / np.sqrt(len(self.test))
        return int(self.sizes[np.flatnonzero(mean <= bound)[0]])


def learning_curve(
    model: Any,
    X: Any,
    y: ArrayLike,
    *,
    numbers: bool = False,
    n_repetitions: int = 20,
    random_state: int = 0,
    progress: Any = None,
) -> LearningCurve:
    """Train a model on more and more rows, and test it on the same held-out ones.

    Parameters
    ----------
    model : str or estimator
        The model.
    X : array-like or DataFrame of shape (n_samples, n_features)
        The table.
    y : array-like of shape (n_samples,)
        Classes or numbers.
    numbers : bool
        Whether the target is numeric: the error is the mean squared one.
    n_repetitions : int
        The number of random splits, each with 30 % of the rows held out.
    random_state : int
        The seed.
    progress : callable, optional
        Called after each repetition.

    Raises
    ------
    ValueError
        If there are fewer than ten rows, or the model refuses every size.

    Notes
    -----
    A smaller training set is a part of the larger ones. Each begins with a row of every class.
    Sizes at which the model refuses a training set are left out.

    References
    ----------
    F. Provost, D. Jensen and T. Oates (1999), Efficient progressive sampling, KDD, section 2.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(100) % 2
    >>> curve = learning_curve("naive_bayes", rng.normal(y[:, None], 1.0, (100, 3)), y)
    >>> curve.sizes.tolist(), bool(curve.test[:, -1].mean() < curve.test[:, 0].mean())
    ([4, 8, 16, 32, 64, 70], True)
    """
    target = np.asarray(y)
    if len(target) < MIN_ROWS:
        raise ValueError(
            f"A learning curve needs at least {MIN_ROWS} rows; there are {len(target)}."
        )
    task = partial(_errors, model, X, target, numbers)
    outcomes = engine.map(task, range(n_repetitions), seed=random_state, progress=progress)
    errors = np.array(list(outcomes))
    is_learned = ~np.isnan(errors).any(axis=(0, 2))
    if not is_learned.any():
        raise ValueError("The model refuses every part of these rows. Choose another model.")
    sizes = _sizes(len(target))[is_learned]
    return LearningCurve(sizes, errors[:, is_learned, 0], errors[:, is_learned, 1])


def _sizes(n_rows: int) -> NDArray[np.intp]:
    """Return the numbers of training rows of so many rows."""
    n_train = n_rows - int(np.ceil(TEST_SIZE * n_rows))
    powers = 2 ** np.arange(int(np.log2(SMALLEST)), int(np.log2(n_train)) + 1)
    return np.unique(np.append(powers, n_train))


def _errors(
    model: Any, X: Any, y: NDArray[Any], numbers: bool, number: int, rng: np.random.Generator
) -> list[list[float]]:
    """Return the errors on held-out and on training rows for each size."""
    seed = int(rng.integers(2**31 - 1))
    classes = None if numbers or np.unique(y, return_counts=True)[1].min() < 2 else y
    train, test = train_test_split(
        np.arange(len(y)), test_size=TEST_SIZE, random_state=seed, stratify=classes
    )
    if not numbers:
        first = np.unique(y[train], return_index=True)[1]
        train = np.concatenate([train[first], np.delete(train, first)])
    errors = []
    for size in _sizes(len(y)).tolist():
        look()
        rows = train[:size]
        try:
            predicted = models.predictions(model, seed, X, y, None, (rows, np.append(test, rows)))
        except ValueError:  # too few rows for the model
            errors.append([np.nan, np.nan])
            continue
        losses = models.losses(y[np.append(test, rows)], predicted, numbers)
        errors.append([float(losses[: len(test)].mean()), float(losses[len(test) :].mean())])
    return errors
