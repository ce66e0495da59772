"""Every public name of dmlib keeps the contract of docs/decisions/0001, new ones too."""

import copy
import dataclasses
import importlib
import inspect
import pkgutil
import re
from itertools import product

import networkx as nx
import numpy as np
import pytest
from sklearn.base import BaseEstimator, is_classifier
from sklearn.utils.estimator_checks import check_estimator

import dmlib
from dmlib.classification import C45, ActiveLearner, NuSVC, OneR, OneRule
from dmlib.classification.ensembles.voting import VotingClassifier
from dmlib.clustering import SelfOrganizingMap
from dmlib.datasets import load, make
from dmlib.params import describe
from dmlib.problem import prepare_network, prepare_surface
from dmlib.regression import PLSRegression
from dmlib.trace import run


def public_modules():
    names = ["dmlib", *(m.name for m in pkgutil.walk_packages(dmlib.__path__, "dmlib."))]
    return [
        importlib.import_module(n)
        for n in names
        if not any(part.startswith("_") for part in n.split("."))
    ]


def public_objects():
    """Classes and functions where they are defined."""
    for module in public_modules():
        for name, value in vars(module).items():
            if name.startswith("_") or not (inspect.isclass(value) or inspect.isfunction(value)):
                continue
            if value.__module__ == module.__name__:
                yield value


def qualified(value):
    return f"{value.__module__.removeprefix('dmlib.')}.{value.__qualname__}"


OBJECTS = sorted(public_objects(), key=qualified)
ALGORITHMS = [
    o for o in OBJECTS if inspect.isclass(o) and hasattr(o, "PARAMS") and hasattr(o, "steps")
]
EXPORTED = [
    value
    for module in public_modules()
    for name in getattr(module, "__all__", ())
    if inspect.isclass(value := getattr(module, name)) or inspect.isfunction(value)
]


def by_package(objects):
    """Parametrize a test by packages: a test for each object would take longer to call."""
    packages = {}
    for value in objects:
        packages.setdefault(".".join(value.__module__.split(".")[1:3]), []).append(value)
    return pytest.mark.parametrize("objects", list(packages.values()), ids=list(packages))


each_algorithm = pytest.mark.parametrize("algorithm", ALGORITHMS, ids=qualified)


def sections(documented):
    """The numpydoc sections of a docstring: heading -> text."""
    text = inspect.cleandoc(documented.__doc__ or "")
    parts = re.split(r"^([A-Z]\w+(?: \w+)?)\n-{3,}$", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def names_in(section):
    """The names that a Parameters or Attributes section describes, in order."""
    heads = re.findall(r"^([\w*][\w*, ]*?)(?: : .*)?$", section, flags=re.M)
    return [name.strip().lstrip("*") for head in heads for name in head.split(",")]


def is_record(value):
    return inspect.isclass(value) and dataclasses.is_dataclass(value)


def is_error(value):
    return inspect.isclass(value) and issubclass(value, Exception)


# --- documentation --------------------------------------------------------------------------------


@by_package(OBJECTS)
def test_docstrings_start_with_one_sentence(objects):
    starts = {
        qualified(value): inspect.cleandoc(value.__doc__ or "").split("\n")[0] for value in objects
    }
    assert {name: start for name, start in starts.items() if not start.endswith((".", "?"))} == {}


@by_package([value for value in OBJECTS if not is_record(value)])
def test_documented_parameters_are_the_signature(objects):
    for value in objects:
        described = sections(value)
        if "Parameters" in described:
            actual = [name for name in inspect.signature(value).parameters if name != "self"]
            assert names_in(described["Parameters"]) == actual, qualified(value)


@by_package(filter(is_record, OBJECTS))
def test_a_record_describes_its_fields(objects):
    for record in objects:
        described = sections(record)
        names = names_in(described.get("Parameters", "") + described.get("Attributes", ""))
        fields = {field.name for field in dataclasses.fields(record)}
        own = {
            name
            for name in fields & set(inspect.get_annotations(record))
            if not name.startswith("_")
        }
        assert set(names) <= fields | set(dir(record)), qualified(record)
        assert not names or own <= set(names), qualified(record)


@by_package([value for value in EXPORTED if not is_record(value) and not is_error(value)])
def test_what_a_package_exports_has_an_example(objects):
    assert [
        qualified(value) for value in objects if ">>> " not in sections(value).get("Examples", "")
    ] == []


@each_algorithm
def test_algorithm_documents_everything(algorithm):
    described = sections(algorithm)
    assert set(described) >= {"Parameters", "Attributes", "Notes", "References", "Examples"}
    assert ">>> " in described["Examples"]
    assert all(describe(algorithm, name) for name in algorithm.PARAMS), (
        "a control takes its help from the docstring"
    )
    assert re.search(r"\(\d{4}\)", described["References"]), "a reference has a year"


# --- parameters -----------------------------------------------------------------------------------


@each_algorithm
def test_each_spec_is_a_parameter_whose_default_it_accepts(algorithm):
    parameters = inspect.signature(algorithm).parameters
    for name, spec in algorithm.PARAMS.items():
        default = parameters[name].default
        assert default is not inspect.Parameter.empty
        assert spec.check(default) == default
        assert all(spec.check(value) == value for value in spec.extremes())


SURFACE = prepare_surface("x^2 + 3*y^2 + sin(x*y)")
ALARM = prepare_network(load("burglary").nodes, "burglary", {"john_calls": "yes"})
WAVE = np.sin(np.arange(90.0) / 3)
OTHER_DATA = {
    "GradientDescent": lambda: (SURFACE, None),
    "ExactInference": lambda: (ALARM, None),
    "GraphKernelClassifier": lambda: (make("rings_and_trees", n_graphs=6).graph, None),
    **dict.fromkeys(("ElmanNetwork", "LSTM", "NARX"), lambda: (WAVE, None)),
}
"""Data of algorithms that take no table, lines of text or one graph."""


def data_of(algorithm, blobs):
    """Return the data of an algorithm: a table with classes, lines of text, two series, a graph."""
    if algorithm.__name__ in OTHER_DATA:
        return OTHER_DATA[algorithm.__name__]()
    if takes_tables(algorithm):
        rows, classes = blobs
        if algorithm().__sklearn_tags__().input_tags.positive_only:
            return np.abs(rows), classes
        return (rows, classes % 2) if of_two_classes(algorithm) else blobs
    if algorithm().__sklearn_tags__().input_tags.one_d_array:
        return blobs[0][:, 0], blobs[0][:, 1]
    if algorithm().__sklearn_tags__().input_tags.string:
        return [" ".join(f"{x:.3f}" for x in row) for row in blobs[0]], [
            f"class {code}" for code in blobs[1]
        ]
    G = nx.karate_club_graph()
    return G, [G.nodes[i]["club"] if i % 3 == 0 else None for i in G] if is_classifier(
        algorithm()
    ) else None


def of_two_classes(algorithm):
    tags = algorithm().__sklearn_tags__().classifier_tags
    return tags is not None and not tags.multi_class


def takes_tables(algorithm):
    return algorithm().__sklearn_tags__().input_tags.two_d_array


def refusal(algorithm, name, value, X, y):
    """Return what the algorithm says of a value that it does not take with this data, or None."""
    try:
        run(seeded(algorithm, **{name: value}), X, y, max_steps=200)
    except ValueError as error:
        return str(error)
    return None


@pytest.mark.sweep
@each_algorithm
def test_extremes_work_or_say_why_not(algorithm, blobs):
    for name, spec in algorithm.PARAMS.items():
        for value in spec.extremes():
            sentence = refusal(algorithm, name, value, *data_of(algorithm, blobs))
            assert sentence is None or re.fullmatch(r".{15,}[.?]", sentence, flags=re.DOTALL), (
                f"{name}={value!r}"
            )


NONSENSE = (None, "nonsense", float("nan"), -(10**30))


@each_algorithm
def test_nonsense_is_refused_by_name(algorithm, blobs):
    for (name, spec), nonsense in product(algorithm.PARAMS.items(), NONSENSE):
        try:
            spec.check(nonsense)
        except ValueError:
            sentence = refusal(algorithm, name, nonsense, *data_of(algorithm, blobs)) or ""
            assert sentence.startswith(f"{name} must be "), nonsense


# --- steps ----------------------------------------------------------------------------------------


def seeded(algorithm, **params):
    random = (
        {"random_state": 0} if "random_state" in inspect.signature(algorithm).parameters else {}
    )
    return algorithm(**params, **random)


def assert_same(first, second, where="step"):
    """Equal values, NaN equal to NaN, in records, containers and arrays."""
    assert type(first) is type(second), where
    if dataclasses.is_dataclass(first):
        for field in dataclasses.fields(first):
            assert_same(
                getattr(first, field.name), getattr(second, field.name), f"{where}.{field.name}"
            )
    elif isinstance(first, tuple | list):
        assert len(first) == len(second), where
        for i, (a, b) in enumerate(zip(first, second, strict=True)):
            assert_same(a, b, f"{where}[{i}]")
    elif isinstance(first, dict):
        assert first.keys() == second.keys(), where
        for key in first:
            assert_same(first[key], second[key], f"{where}[{key!r}]")
    elif isinstance(first, BaseEstimator):
        assert_same(vars(first), vars(second), where)
    elif isinstance(first, np.ndarray) and first.dtype == object:
        assert_same(first.tolist(), second.tolist(), where)
    elif isinstance(first, nx.Graph):
        assert nx.utils.graphs_equal(first, second), where
    else:
        np.testing.assert_array_equal(first, second, err_msg=where)


@each_algorithm
def test_steps_are_frozen_records_that_never_change(algorithm, blobs):
    X, y = data_of(algorithm, blobs)
    steps, copies = [], []
    for step in seeded(algorithm).steps(X, y):
        assert dataclasses.is_dataclass(step), type(step).__name__
        assert type(step).__dataclass_params__.frozen, f"{type(step).__name__} is not frozen"
        steps.append(step)
        copies.append(copy.deepcopy(step))
    assert steps
    assert_same(steps, copies)


@each_algorithm
def test_steps_leave_the_data_and_the_estimator_alone(algorithm, blobs):
    X, y = data_of(algorithm, blobs)
    estimator = seeded(algorithm)
    before = dict(vars(estimator))
    X_before = copy.deepcopy(X)
    list(estimator.steps(X, y))
    assert_same(X, X_before)
    assert vars(estimator) == before


@each_algorithm
def test_the_same_seed_gives_the_same_steps(algorithm, blobs):
    X, y = data_of(algorithm, blobs)
    assert_same(list(seeded(algorithm).steps(X, y)), list(seeded(algorithm).steps(X, y)))


@each_algorithm
def test_fit_on_the_same_seed_gives_the_same_answer(algorithm, blobs):
    X, y = data_of(algorithm, blobs)
    first, second = seeded(algorithm).fit(X, y), seeded(algorithm).fit(X, y)
    learned = [name for name in vars(first) if name.endswith("_")]
    assert learned
    for name in learned:
        assert_same(getattr(first, name), getattr(second, name), name)


def impossible(estimator):
    """Return scikit-learn's checks that do not fit an estimator, with the reasons."""
    weights = "check_sample_weight_equivalence_on_dense_data"
    if isinstance(estimator, VotingClassifier):
        return {weights: "Rows are drawn by their weights: it holds on average."}
    if isinstance(estimator, SelfOrganizingMap):
        return {"check_clustering": "A map has more units than there are groups."}
    if isinstance(estimator, PLSRegression):
        two = "To estimators of this name it hands two targets; this one takes one."
        names = (
            "regressors_train",
            "regressors_int",
            "transformer_data_not_an_array",
            "transformer_general",
        )
        return {f"check_{name}": two for name in names}
    if isinstance(estimator, C45):
        return {weights: "A leaf has two rows, whatever they weigh."}
    if isinstance(estimator, OneR | OneRule):
        return {"check_classifiers_train": "One column is too little for its three classes."}
    reason = "It fits nu = 0.5 to classes of 3, 10 and 14 rows, for which there is no such machine."
    return {weights: reason} if isinstance(estimator, NuSVC) else of_few_labels(estimator)


def of_few_labels(estimator):
    """Return the checks that expect of an estimator to use all labels."""
    if not hasattr(estimator, "n_labeled"):
        return {}
    failing = {"check_classifiers_train": "It learns from one label of each class."}
    if isinstance(estimator, ActiveLearner):
        failing["check_classifiers_classes"] = "A label of -1 is none, as in semi_supervised."
    return failing


# data far from zero, without a learning rate that fits them
@pytest.mark.filterwarnings("ignore:Not converged. The weights grow")
@pytest.mark.filterwarnings("ignore:No features were selected")  # of pure noise
@pytest.mark.parametrize("algorithm", [*filter(takes_tables, ALGORITHMS)], ids=qualified)
def test_scikit_learns_own_checks(algorithm):
    estimator = algorithm()
    results = check_estimator(
        estimator, expected_failed_checks=impossible(estimator), on_skip=None, on_fail=None
    )
    assert len(results) > 30
    assert {
        each["check_name"]: repr(each["exception"])
        for each in results
        if each["status"] == "failed"
    } == {}
