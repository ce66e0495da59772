"""Parameters that another parameter makes meaningless change nothing."""

import pytest

from tests.contract.asking import ask_all
from tests.contract.test_public_api import (
    ALGORITHMS,
    assert_same,
    data_of,
    qualified,
    seeded,
    takes_tables,
)

POSITIVE = ("multinomial", "log", "box_cox", "sqrt")  # what takes no negative numbers
WITHOUT_SPEC = {"costs": (None, {0: 9.0})}  # a tool makes it: two values of it
CONDITIONS = [
    (algorithm, idle, value)
    for algorithm in ALGORITHMS
    for idle, (decisive, values) in getattr(algorithm, "APPLIES", {}).items()
    for value in algorithm.PARAMS[decisive].extremes()
    if not {*(value.split(",") if isinstance(value, str) else [value])} & {*values}
]


def by_algorithm(conditions):
    algorithms = {
        algorithm: [each for each in conditions if each[0] is algorithm]
        for algorithm, *_ in conditions
    }
    return pytest.mark.parametrize(
        "conditions", [*algorithms.values()], ids=[*map(qualified, algorithms)]
    )


@pytest.mark.sweep
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@by_algorithm(CONDITIONS)
def test_what_does_not_apply_changes_nothing(conditions, blobs, subtests):
    ask_all(subtests, lambda *condition: assert_idle(*condition, blobs), conditions)


def assert_idle(algorithm, idle, value, blobs):
    """A control that is hidden because another parameter makes it meaningless has no effect."""
    X, y = data_of(algorithm, blobs)
    y = y % 2 if takes_tables(algorithm) else y  # some criteria take two classes
    X = abs(X) if value in POSITIVE else X
    decisive, _ = algorithm.APPLIES[idle]
    spec = algorithm.PARAMS.get(idle)
    low, *_, high = (
        WITHOUT_SPEC[idle] if spec is None else getattr(spec, "shown", None) or spec.extremes()
    )
    # k-NN takes no weights, so AdaBoost draws rows for it
    fixed = {"resample": True} if value == "knn" and "resample" in algorithm.PARAMS else {}
    models = [
        seeded(algorithm, **fixed, **{decisive: value, idle: end}).fit(X, y) for end in (low, high)
    ]
    attributes = (
        "labels_",
        "fpr_",
        "places_",
        "matrix_",
        "support_",
        "errors_",
        "probabilities_",
        "predict",
        "transform",
        "to_rows_",
        "distances_",
        "scores_",
        "rebuilt_",
        "prepared_",
        "weights_",
    )
    name = next(name for name in attributes if hasattr(models[0], name))
    answers = [getattr(model, name) for model in models]
    assert_same(*(answer(X) if callable(answer) else answer for answer in answers))


DECIDED = [
    (algorithm, idle, decisive)
    for algorithm in ALGORITHMS
    for idle, (decisive, _) in getattr(algorithm, "DECIDED", {}).items()
]


@pytest.mark.parametrize(("algorithm", "idle", "decisive"), DECIDED)
def test_what_another_value_decides_changes_nothing(algorithm, idle, decisive, blobs):
    assert algorithm.DECIDED[idle][1].endswith(".")
    X, y = data_of(algorithm, blobs)
    low, *_, high = algorithm.PARAMS[idle].shown or algorithm.PARAMS[idle].extremes()
    place, *_ = algorithm.PARAMS[decisive].shown
    first, second = (
        seeded(algorithm, **{decisive: place, idle: end}).fit(X, y) for end in (low, high)
    )
    assert_same(first.predict(X), second.predict(X))
