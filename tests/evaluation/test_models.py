"""The registry of models has what the families export; trees that grow together are each alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, is_classifier, is_regressor
from sklearn.datasets import load_iris, load_wine

from dmlib import classification, regression
from dmlib.datasets import LIBRARY, load, names
from dmlib.evaluation import models
from dmlib.evaluation.benchmark import Benchmark
from dmlib.evaluation.resampling.base import MAX_LOCAL
from dmlib.evaluation.resampling.splitting import BOOTSTRAP, GROUPED, K_FOLD, STRATIFIED, splits
from dmlib.problem import prepare

TABLES_WITH_CLASSES = [
    name
    for name in names("table")
    if LIBRARY[name].target is not None and not LIBRARY[name].numeric_target
]

MAX_COLUMNS = 100
"""A network of more columns, thus of more than 4,950 pairs, is refused for its time."""


def assert_predictions_are_equal(X, y, parts):
    """Compare trees that grow together with trees that grow from their training rows alone."""
    predictions = list(models.predictions_each("decision_tree", 0, X, y, parts, 1))
    for part, predicted in zip(parts, predictions, strict=True):
        expected = models.predictions("decision_tree", 0, X, y, None, part)
        np.testing.assert_array_equal(predicted, expected)


@pytest.mark.parametrize("scheme", [K_FOLD, STRATIFIED, GROUPED, BOOTSTRAP])
@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_of_folds_and_of_rows_that_are_drawn_again(load, scheme):
    X, y = load(return_X_y=True)
    row_splits = splits(
        scheme, y, folds=20, n_repeats=MAX_LOCAL, groups=np.arange(len(y)) // 4, random_state=0
    )
    assert_predictions_are_equal(X, y, [(split.train, split.test) for split in row_splits])


@given(st.integers(0, 2**31 - 1), st.integers(4, 30), st.integers(1, 3), st.integers(2, 4))
def test_of_ties_and_of_classes_that_are_not_among_the_training_rows(
    seed, n_rows, n_columns, n_classes
):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 4, (n_rows, n_columns)).astype(float), rng.integers(0, n_classes, n_rows)
    samples = [rng.integers(0, n_rows, n_rows) for _ in range(3)]
    samples.append(rng.permutation(n_rows)[: n_rows // 2])
    assert_predictions_are_equal(X, y, [(train, np.arange(n_rows)) for train in samples])


def test_of_holes():
    X, y = load_iris(return_X_y=True)
    X[::7, 0] = np.nan
    assert_predictions_are_equal(
        X, y, [(np.arange(10, 150), np.arange(10)), (np.arange(150)[::2], np.arange(150)[1::2])]
    )


def test_infinite_numbers_are_refused():
    X, y = load_iris(return_X_y=True)
    X[3, 0] = np.inf
    with pytest.raises(ValueError, match="infinity"):
        list(
            models.predictions_each(
                "decision_tree", 0, X, y, [(np.arange(100), np.arange(100, 150))], 1
            )
        )


def test_a_network_cuts_numbers_by_its_training_rows_alone():
    X, y = load_iris(return_X_y=True)
    train, test = np.arange(150)[::2], np.arange(150)[1::2]
    predicted = models.predictions("tan", 0, X, y, None, (train, test))
    changed = X.copy()
    changed[test[1:]] += 100.0
    again = models.predictions("tan", 0, changed, y, None, (train, test))
    assert again[0] == predicted[0]
    assert (predicted != y[test]).mean() < 0.1


@pytest.mark.parametrize("name", TABLES_WITH_CLASSES)
def test_a_network_is_compared_wherever_naive_bayes_is(name):
    table = load(name)
    features = [column for column in table.frame if column != table.target][:MAX_COLUMNS]
    problem = prepare(table.frame, features, target=table.target, labelled=True)
    benchmark = Benchmark("classes", problem.data, problem.y)
    scores, expected = (benchmark.score(models.fresh_model(m, 0)) for m in ("tan", "naive_bayes"))
    assert scores.reason == expected.reason == ""
    assert len(scores.repeated["error"]) == len(expected.repeated["error"]) > 1


TEXTBOOK_TREE = "a textbook's settings of the decision tree"
VARIANT = "a variant of a model in the registry"
RULES = "rules for columns of names"
UNLABELLED = "learns from rows without a class too"
NOT_COMPARED = {
    "C45": TEXTBOOK_TREE,
    "CART": TEXTBOOK_TREE,
    "CHAID": TEXTBOOK_TREE,
    "ID3": TEXTBOOK_TREE,
    "OneR": TEXTBOOK_TREE,
    "QUEST": TEXTBOOK_TREE,
    "CHAIDRegressor": VARIANT,
    "DiagonalDiscriminantAnalysis": VARIANT,
    "FuzzyTree": VARIANT,
    "IncrementalTree": VARIANT,
    "InfoFuzzyNetwork": VARIANT,
    "LeastAbsoluteDeviations": VARIANT,
    "LeastMeanSquares": VARIANT,
    "NuSVC": VARIANT,
    "ObliviousTree": VARIANT,
    "OneVsOneClassifier": VARIANT,
    "OutputCodeClassifier": VARIANT,
    "RegularizedDiscriminantAnalysis": VARIANT,
    "WeightedVoteRelationalNeighbor": "needs a graph",
    "OneRule": RULES,
    "PRISM": RULES,
    "C45Rules": RULES,
    "RIPPER": RULES,
    "SequentialCovering": RULES,
    "ActiveLearner": UNLABELLED,
    "LabelPropagation": UNLABELLED,
    "LabelSpreading": UNLABELLED,
    "SelfTrainingClassifier": UNLABELLED,
}
"""Exported estimators that are not evaluated by name, with the reason."""


@pytest.mark.parametrize(
    ("package", "registry", "is_of_kind"),
    [
        (classification, models.CLASSIFIERS, is_classifier),
        (regression, models.REGRESSORS, is_regressor),
    ],
)
def test_each_exported_estimator_is_in_the_registry_or_is_not_compared(
    package, registry, is_of_kind
):
    exports = {name: getattr(package, name) for name in package.__all__}
    estimators = {
        name
        for name, export in exports.items()
        if isinstance(export, type) and issubclass(export, BaseEstimator) and is_of_kind(export())
    }
    registered = {model.algorithm.__name__ for model in registry.values()}
    assert estimators - registered <= NOT_COMPARED.keys()
    assert not registered & NOT_COMPARED.keys()


def test_each_model_has_its_settings():
    for name in models.MODELS:
        for settings in models.candidates(name):
            fresh = models.fresh_model(name, 0, settings)
            assert models.name_of(fresh) == name
