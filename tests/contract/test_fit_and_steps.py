"""``fit`` and the last of ``steps`` agree for all parameters: the picture shows the fit."""

import dataclasses
import math
import re
import warnings

import numpy as np
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.datasets import make_blobs

from dmlib.classification import SVC, BayesianNetworkStep
from dmlib.params import Choice, Flag, Integer
from dmlib.trace import run
from tests.contract.test_public_api import ALGORITHMS, assert_same, data_of, qualified, seeded

DRAWS = 60
ENOUGH = 12
MIN_AGREED = 6
MAX_STEPS = 2000
TABLE, CLASSES = make_blobs(40, 2, centers=3, cluster_std=2.0, random_state=0)
CLASSES = CLASSES % 2  # two classes: the last step of some tells of the last pair of classes alone


def logistic(model, steps):
    with_intercept = int(model.fit_intercept)
    yield model.coef_, steps[-1].coef[:, with_intercept:]
    yield model.intercept_[:with_intercept], steps[-1].coef[0, :with_intercept]


def machine(model, steps):
    last = steps[-1]
    yield np.sort(model.support_), np.sort(last.rows[last.alpha > 0])
    yield model.n_iter_, [last.iteration]
    if isinstance(model, SVC):  # the other divides by its margin at the end
        yield model.intercept_, [last.b]


def area(model, steps):
    last = steps[-1]
    yield model.auc_, last.area / ((last.tp + last.fn) * (last.fp + last.tn))


def measures(model, steps):
    values = {step.name: step.value for step in steps if getattr(step, "name", "")}
    yield model.accuracy_, values["accuracy"]
    yield model.balanced_accuracy_, values["balanced_accuracy"]
    yield model.kappa_, values["kappa"]


def summary(model, steps):
    statistics, column = steps[-1].statistics, steps[-1].column
    yield model.counts_[column], statistics["n"]
    for name in statistics.keys() & {"mean", "median", "variance", "range", "n_outliers"}:
        yield getattr(model, f"{name}_")[column], statistics[name]


def binary_problems(model, steps):
    yield model.signs, steps[-1].signs
    for estimator, step in zip(model.estimators_, steps[:-1], strict=True):
        if hasattr(estimator, "coef_"):
            yield estimator.coef_, step.estimator.coef_
        yield estimator.predict(TABLE), step.estimator.predict(TABLE)


def layers(model, steps):
    for fitted, last in (
        (model.coefs_, steps[-1].coefs),
        (model.intercepts_, steps[-1].intercepts),
    ):
        yield from zip(fitted, last, strict=True)


# What is said under another name than that of the fitted attribute, or in another form: both, in
# pairs.
OTHERWISE = {
    "NaiveBayes": lambda model, steps: [
        (model.class_prior_, step.class_prior)
        for step in steps
        if step.phase in ("count", "estimate")
    ],
    "BayesianNetworkClassifier": lambda model, steps: [
        (getattr(model, f"{name}_"), getattr(step, name))
        for step in [[step for step in steps if isinstance(step, BayesianNetworkStep)][-1]]
        for name in ("class_prior", "class_count", "parents")
    ],
    "ExactInference": lambda model, steps: [(model.probabilities_, steps[-1].weights)],
    "PEBLS": lambda model, steps: [(model.exemplar_weights_, steps[-1].weights)],
    "LogisticRegression": logistic,
    "SVC": machine,
    "NuSVC": machine,
    "KMeans": lambda model, steps: [(model.cluster_centers_, steps[-1].centers)],
    "BisectingKMeans": lambda model, steps: [(model.cluster_centers_, steps[-1].centers)],
    "XMeans": lambda model, steps: [
        (model.cluster_centers_, steps[-1].centers),
        (model.bic_, steps[-1].score.bic),
    ],
    "GaussianMixture": lambda model, steps: [(model.n_iter_, steps[-1].iteration)],
    "OPTICS": lambda model, steps: [(model.reachability_, steps[-1].reachabilities)],
    "PCA": lambda model, steps: [(model.explained_variance_, steps[-1].variances)],
    "BaggingClassifier": lambda model, steps: [
        (bag, step.bag) for bag, step in zip(model.estimators_samples_, steps[1:], strict=True)
    ],
    "OneVsRestClassifier": binary_problems,
    "OneVsOneClassifier": binary_problems,
    "OutputCodeClassifier": binary_problems,
    "WeightedVoteRelationalNeighbor": lambda model, steps: [
        (model.label_distributions_, steps[-1].proba),
        (model.n_iter_, steps[-1].sweep),
    ],
    **dict.fromkeys(
        ("ElmanNetwork", "LSTM", "NARX"),
        lambda model, steps: [
            (weight, steps[-1].weights[name]) for name, weight in model.weights_.items()
        ],
    ),
    "GradientDescent": lambda model, steps: [(model.n_iter_, steps[-1].iteration)],
    **dict.fromkeys(
        (
            "CascadeCorrelationClassifier",
            "DeepBeliefNetwork",
            "MLPClassifier",
            "MLPRegressor",
            "PrunedMLPClassifier",
        ),
        layers,
    ),
    "ThresholdSweep": area,
    "ClassifierReport": measures,
    "ColumnSummary": summary,
    "ClusterValidity": lambda model, steps: [
        (list(model.measures_.values()), list(steps[-1].measures.values()))
    ],
}
# Names of fitted attributes that mean something else in a step: with the intercept, of one row, of
# all pairs of rows.
ELSE = {
    "LogisticRegression": {"coef"},
    "SVC": {"kernel"},
    "NuSVC": {"kernel"},
    "ElmanNetwork": {"weights"},  # by name
    "LSTM": {"weights"},
    "NARX": {"weights"},
    "OPTICS": {"reachability", "predecessor"},
    "AgglomerativeClustering": {"distances"},
    "DivisiveClustering": {"distances"},
    "CascadeCorrelationClassifier": {"coefs", "intercepts"},  # unit by unit
    "MLPClassifier": {"coefs", "intercepts"},  # layer by layer
    "MLPRegressor": {"coefs", "intercepts"},
    "DeepBeliefNetwork": {"coefs", "intercepts", "random_coefs", "random_intercepts"},
    "PrunedMLPClassifier": {"coefs", "intercepts", "masks"},
    "ThresholdSweep": {"fpr", "tpr"},
    "ClusterValidity": {"measures"},
    "ColumnSummary": {"median", "variance", "range"},  # a step is of one column, the answer of all
}
OF_SEQUENCES = {"ElmanNetwork", "LSTM", "NARX"}  # their forecast of a series is an attribute
OF_A_QUERY = {"KNeighborsClassifier"}  # its fit only stores the rows, its steps classify one


def draw(spec, rng):
    """Return a value that a parameter may have, not seldom an extreme one."""
    if isinstance(spec, Choice | Flag) or rng.random() < 0.25:
        options = spec.extremes()
        return options[rng.integers(len(options))]
    low, high = spec.shown or (spec.low, spec.high)
    if isinstance(spec, Integer):
        return int(rng.integers(low, min(high, low + 12) + 1))
    if spec.log:
        smallest = low or high / 1e8
        return (
            float(smallest * (high / smallest) ** rng.random())
            if math.isfinite(high)
            else float(smallest)
        )
    return float(low + (high - low) * rng.random())


def drawn_parameters(algorithm, rng):
    """Return some parameters; the others keep their defaults."""
    return {name: draw(spec, rng) for name, spec in algorithm.PARAMS.items() if rng.random() < 0.5}


def pairs(model, steps):
    """Yield what is fitted and what the last step says of it."""
    last, name = steps[-1], type(model).__name__
    for each in {each for each in dir(last) if not each.startswith("_")} - ELSE.get(name, set()):
        if hasattr(model, f"{each}_") and getattr(last, each) is not None:
            yield getattr(model, f"{each}_"), getattr(last, each)
    yield from OTHERWISE.get(name, lambda model, steps: ())(model, steps)


def assert_agree(learned, shown_value, where):
    if dataclasses.is_dataclass(learned) or (
        isinstance(learned, tuple) and learned and dataclasses.is_dataclass(learned[0])
    ):
        assert_same(learned, shown_value, where)
    elif isinstance(learned, str):
        assert learned == shown_value, where
    else:
        learned, shown_value = np.asarray(learned), np.asarray(shown_value)
        if learned.dtype.kind == "U":
            assert learned.tolist() == shown_value.tolist(), where
            return
        np.testing.assert_allclose(
            learned.ravel(), shown_value.ravel(), rtol=1e-7, atol=1e-9, err_msg=where
        )


def fit(model, steps=None):
    X, y = data_of(type(model), (TABLE, CLASSES))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the last step says the same as a sentence
        return model.fit(X, y) if steps is None else model.fit_from(steps, X, y)


def refusal(act):
    """Return the sentence of a refusal, without its numbers, and otherwise the result."""
    try:
        return "", act()
    except ValueError as error:
        return re.sub(r"\d+", "n", str(error)), None


def dense(value):
    return value.toarray() if scipy.sparse.issparse(value) else value


def assert_tells_all(model, steps):
    """Assert that what is learned from the steps is what ``fit`` has learned."""
    replayed = fit(clone(model), steps)
    assert vars(replayed).keys() == vars(model).keys()
    for name in vars(model):
        if name.endswith("_") and name != "estimators_":  # compared by what they predict
            assert_same(
                dense(getattr(model, name)), dense(getattr(replayed, name)), f"{name} of {model!r}"
            )
    if hasattr(model, "predict") and type(model).__name__ not in OF_SEQUENCES:
        X, _ = data_of(type(model), (TABLE, CLASSES))
        np.testing.assert_array_equal(model.predict(X), replayed.predict(X))


each_algorithm = pytest.mark.parametrize(
    "algorithm", [each for each in ALGORITHMS if each.__name__ not in OF_A_QUERY], ids=qualified
)


@each_algorithm
def test_fit_learns_what_the_steps_tell(algorithm):
    assert agree(seeded(algorithm))


@pytest.mark.sweep
@each_algorithm
def test_so_it_does_with_other_parameters(algorithm):
    rng, agreed = np.random.default_rng(0), 0
    for _ in range(DRAWS):
        agreed += agree(seeded(algorithm, **drawn_parameters(algorithm, rng)))
        if agreed == ENOUGH:
            break
    assert agreed >= MIN_AGREED


def agree(model):
    """Return whether a model is fitted in time; assert that its steps agree, or refuse too."""
    refused, trace = refusal(
        lambda: run(model, *data_of(type(model), (TABLE, CLASSES)), max_steps=MAX_STEPS)
    )
    if trace is not None and not trace.complete:
        return False
    refused_by_fit, _ = refusal(lambda: fit(model))
    assert refused_by_fit == refused, model
    if refused:
        return False
    compared = list(pairs(model, trace.steps))
    assert compared, "the last step says nothing that fit learns"
    for learned, last in compared:
        assert_agree(learned, last, repr(model))
    if hasattr(model, "fit_from"):
        assert_tells_all(model, trace.steps)
    return True
