"""Rule learners against a textbook, Weka, plain loops over tiny tables, and what always holds."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris

from dmlib.classification import PRISM, RIPPER, C45Rules, OneR, OneRule, SequentialCovering
from dmlib.classification.rule_learning.conditions import Condition, Rule, condition_text
from dmlib.classification.rule_learning.search import Rows
from dmlib.classification.rule_learning.sequential_covering import pruned
from dmlib.datasets import load, make
from tests.classification.rule_learning.test_brute_force import tiny

LEARNERS = (
    PRISM(),
    SequentialCovering(),
    SequentialCovering(pruning=False),
    RIPPER(k=1),
    C45Rules(min_samples_leaf=1),
    OneRule(min_bucket=2),
)
each_learner = pytest.mark.parametrize("model", LEARNERS, ids=repr)


def table(name, target):
    frame = load(name).frame
    return frame.drop(columns=target), frame[target].astype(str)


def conditions(model, X, rule):
    """The conditions of a rule as texts."""
    categories = {j: v for j, v in enumerate(model.columns_.categories) if v is not None}
    matrix = model.columns_.encode(X)
    return [
        condition_text(each, model.columns_.names, categories, matrix) for each in rule.conditions
    ]


def texts(model, X):
    """The rules as pairs of their conditions, in any order, and their class."""
    return [
        (frozenset(conditions(model, X, rule)), str(model.classes_[rule.target]))
        for rule in model.rules_
    ]


# Textbook and Weka
# ---------------------------------------------------------------------------------------------

# Witten, Frank and Hall (2011), section 4.4: recommendations for hard lenses, p and t of each
# condition, and the three that are chosen.
HARD = [
    {
        "age = young": (2, 8),
        "age = pre-presbyopic": (1, 8),
        "age = presbyopic": (1, 8),
        "spectacle_prescription = myope": (3, 12),
        "spectacle_prescription = hypermetrope": (1, 12),
        "astigmatism = no": (0, 12),
        "astigmatism = yes": (4, 12),
        "tear_rate = reduced": (0, 12),
        "tear_rate = normal": (4, 12),
    },
    {
        "age = young": (2, 4),
        "age = pre-presbyopic": (1, 4),
        "age = presbyopic": (1, 4),
        "spectacle_prescription = myope": (3, 6),
        "spectacle_prescription = hypermetrope": (1, 6),
        "tear_rate = reduced": (0, 6),
        "tear_rate = normal": (4, 6),
    },
    {
        "age = young": (2, 2),
        "age = pre-presbyopic": (1, 2),
        "age = presbyopic": (1, 2),
        "spectacle_prescription = myope": (3, 3),
        "spectacle_prescription = hypermetrope": (1, 3),
    },
]
CHOSEN = ["astigmatism = yes", "tear_rate = normal", "spectacle_prescription = myope"]

# All rules, as Prism of Weka finds them; the seventh there also has tear_rate = normal, which all
# rows fulfil that are left.
LENSES = """
astigmatism = no, tear_rate = normal, spectacle_prescription = hypermetrope: soft
astigmatism = no, tear_rate = normal, age = young: soft
age = pre-presbyopic, astigmatism = no, tear_rate = normal: soft
astigmatism = yes, tear_rate = normal, spectacle_prescription = myope: hard
age = young, astigmatism = yes, tear_rate = normal: hard
tear_rate = reduced: none
age = presbyopic, spectacle_prescription = myope, astigmatism = no: none
spectacle_prescription = hypermetrope, astigmatism = yes, age = pre-presbyopic: none
age = presbyopic, spectacle_prescription = hypermetrope, astigmatism = yes: none
"""


def test_hard_lenses_are_those_of_the_textbook():
    X, y = table("contact_lenses", "lenses")
    model = PRISM().fit(X, y)
    hard = list(model.classes_).index("hard")
    steps = [step for step in PRISM().steps(X, y) if step.target == hard]
    for step, expected, chosen in zip(steps[1:4], HARD, CHOSEN, strict=True):
        ranked = step.candidates
        names = [
            conditions(model, X, rule)[0]
            for rule in (Rule((each,), 0) for each in ranked.conditions)
        ]
        counts = zip(ranked.right.tolist(), ranked.covered.tolist(), strict=True)
        assert dict(zip(names, counts, strict=True)) == expected
        assert names[step.chosen] == chosen


def test_all_rules_of_the_lenses_are_those_of_weka():
    X, y = table("contact_lenses", "lenses")
    lines = [line.split(": ") for line in LENSES.strip().splitlines()]
    expected = [(frozenset(left.split(", ")), right) for left, right in lines]
    assert sorted(texts(PRISM().fit(X, y), X), key=str) == sorted(expected, key=str)


def test_one_column_of_the_weather_is_that_of_weka():
    """OneR of Weka 3.6: outlook, 10 of 14 right."""
    X, y = table("weather_nominal", "play")
    model = OneRule().fit(X, y)
    assert texts(model, X) == [
        (frozenset({"outlook = sunny"}), "no"),
        (frozenset({"outlook = overcast"}), "yes"),
        (frozenset({"outlook = rainy"}), "yes"),
    ]
    *columns, last = OneRule().steps(X, y)
    assert last.errors == (4, 5, 4, 5)
    assert [step.errors[-1] for step in columns] == [4, 5, 4, 5]


DATA = {
    "iris": (load_iris().data, load_iris().target),
    "weather": table("weather_nominal", "play"),
    "weather in numbers": table("weather_numeric", "play"),
    "lenses": table("contact_lenses", "lenses"),
    "zoo": table("zoo", "type"),
    "moons": (
        make("moons", n_samples=90, noise=1.0, random_state=0).frame[["x", "y"]],
        make("moons", n_samples=90, noise=1.0, random_state=0).frame["class"],
    ),
}


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("min_bucket", [1, 3, 6])
def test_one_rule_is_the_tree_of_1r(name, min_bucket):
    X, y = DATA[name]
    ours, tree = (learner(min_bucket=min_bucket).fit(X, y) for learner in (OneRule, OneR))
    assert (ours.predict(X) != y).sum() == (tree.predict(X) != y).sum()


def test_a_rule_is_pruned_by_the_share_that_it_treats_rightly():
    X, y = DATA["moons"]
    rows = Rows.read(X, y)
    steps = [step for step in SequentialCovering().steps(X, y) if step.phase == "prune"]
    assert steps
    for step in steps:
        judges = step.active & ~step.growing
        assert abs(judges.sum() / step.active.sum() - 0.33) < 0.05
        for each in pruned(step.before, rows, judges):
            fires, is_target = each.rule.covers(rows.X), rows.codes == step.target
            assert each.value == pytest.approx((fires == is_target)[judges].mean())
        values = [each.value for each in step.prunings]
        lengths = [len(each.rule.conditions) for each in step.prunings]
        assert len(step.rule.conditions) == lengths[values.index(max(values))]


def test_nominal_conditions_agree_with_pandas():
    X, y = DATA["lenses"]
    model = PRISM().fit(X, y)
    for step in PRISM().steps(X, y):
        if step.phase != "grow":
            continue
        frame = X[_covered_before(step, model, X)]
        for condition, p, t in zip(
            step.candidates.conditions, step.candidates.right, step.candidates.covered, strict=True
        ):
            value = model.columns_.categories[condition.column][int(condition.value)]
            rows = frame[frame.iloc[:, condition.column] == value]
            is_target = y[rows.index] == model.classes_[step.target]
            assert (is_target.sum(), len(rows)) == (p, t)


def _covered_before(step, model, X):
    return step.before.covers(model.columns_.encode(X)) & step.active


# Invariants
# ---------------------------------------------------------------------------------------------


def is_contradictory(X, y):
    """Which rows are equal to a row of another class."""
    frame = pd.DataFrame(X)
    return (pd.Series(y).groupby([frame[c] for c in frame]).transform("nunique") > 1).to_numpy()


@given(tiny)
def test_prism_covers_all_rows_and_errs_on_contradictions_only(data):
    X, y = np.array(data[0], float), np.array(data[1])
    model, contradicts = PRISM().fit(X, y), is_contradictory(data[0], data[1])
    fires = model.firing(X)
    assert fires[~contradicts].any(axis=1).all() or len(model.classes_) == 1
    assert (model.predict(X)[~contradicts] == y[~contradicts]).all()
    for number, rule in enumerate(model.rules_):
        wrong = fires[:, number] & (y != model.classes_[rule.target])
        assert (wrong <= contradicts).all()


@given(tiny, st.sampled_from(LEARNERS))
def test_what_holds_of_every_run(data, model):
    X, y = np.array(data[0], float), np.array(data[1])
    steps = list(model.steps(X, y))
    fitted = model.fit(X, y)
    assert steps[-1].phase == "done"
    assert steps[-1].rules == fitted.rules_
    assert (fitted.predict(X) == model.fit_from(steps, X, y).predict(X)).all()
    for before, step in pairwise(steps):
        if step.phase == "grow":
            assert step.rule.conditions[:-1] == step.before.conditions
            assert 0 < step.rule.n_right <= step.rule.n_covered < step.before.n_covered
            ranked = step.candidates
            assert ranked.scores[step.chosen] == ranked.scores[ranked.right > 0].max()
        if step.phase == "rule":
            assert step.rules[:-1] == before.rules
            assert (step.active == (before.active & ~step.covered)).all()
            assert step.covered.sum() == step.rule.n_covered > 0
    for number, rule in enumerate(fitted.rules_):
        assert ((fitted.deciding(X) == number) <= rule.covers(X)).all()
    codes, sure = fitted.certainty(X)
    assert (codes == fitted.predict(X)).all()
    assert ((sure >= 0) & (sure <= 1)).all()


@given(tiny)
def test_a_rule_of_a_list_is_asked_where_those_above_do_not_fire(data):
    X, y = np.array(data[0], float), np.array(data[1])
    model = SequentialCovering(pruning=False).fit(X, y)
    for row, label in zip(X, model.predict(X), strict=True):
        fires = (rule for rule in model.rules_ if rule.covers(row[None])[0])
        rule = next(fires, None)
        assert label == model.classes_[model.default_ if rule is None else rule.target]


# What is special
# ---------------------------------------------------------------------------------------------


@each_learner
@pytest.mark.parametrize(
    ("X", "y"),
    [
        ([[1.0, 2.0]], ["a"]),
        ([[1.0]] * 4, ["a", "b", "b", "b"]),
        ([[1.0], [2.0], [3.0]], ["a", "a", "a"]),
        ([[np.nan], [np.nan]], ["a", "b"]),
        ([["x"], ["x"], ["y"]], ["a", "b", "b"]),
        ([["x", 1.0], [None, np.nan], ["y", 3.0]], ["a", "b", "b"]),
    ],
    ids=["one row", "equal rows", "one class", "nothing known", "nominal", "gaps"],
)
def test_degenerate_tables_are_learned(model, X, y):
    fitted = model.fit(X, y)
    predicted = fitted.predict(X)
    assert set(predicted) <= set(y)
    counts = pd.Series(y).value_counts()
    assert (predicted == np.array(y)).sum() >= (1 if len(counts) > 1 else len(y))


def test_equal_rows_get_their_most_frequent_class():
    X, y = [[1.0]] * 5, ["a", "b", "b", "b", "a"]
    for model in (PRISM(), OneRule(), SequentialCovering()):
        assert set(model.fit(X, y).predict(X)) == {"b"}


def test_a_missing_value_fulfils_no_condition():
    X = pd.DataFrame({"sky": ["sun", "rain", None], "wind": [1.0, 3.0, np.nan]})
    model = PRISM().fit(X, ["a", "b", "b"])
    assert not Condition(0, "=", 0.0).holds(np.array([[np.nan, 1.0]]))[0]
    assert model.deciding(pd.DataFrame({"sky": [None], "wind": [np.nan]}))[0] == -1
    assert model.predict(X).tolist() == ["a", "b", "b"]


def test_values_that_were_not_learned_get_the_default():
    model = OneRule().fit([["x"], ["x"], ["y"]], ["a", "a", "b"])
    assert model.predict([["z"]]).tolist() == ["a"]


def test_of_two_rules_that_fire_the_larger_one_of_a_set_decides():
    X = [["p", "q"]] * 3 + [["p", "s"]] * 2 + [["r", "s"]] * 1
    y = ["a"] * 3 + ["a"] * 2 + ["b"]
    model = PRISM().fit(X, y)
    numbers = [model.rules_[i] for i in model.order_of(model.rules_)]
    assert [rule.n_right for rule in numbers] == sorted(
        (rule.n_right for rule in model.rules_), reverse=True
    )
    assert model.predict([["p", "s"]]).tolist() == ["a"]


def test_the_order_of_the_classes_decides_which_has_no_rules():
    X, y = DATA["zoo"]
    sizes = y.value_counts()
    last = {
        order: str(model.classes_[model.default_])
        for order in ("rare", "frequent")
        for model in [SequentialCovering(class_order=order, pruning=False).fit(X, y)]
    }
    assert sizes[last["rare"]] == sizes.max()
    first = next(SequentialCovering(class_order="frequent").steps(X, y))
    assert sorted(sizes.index)[first.target] == sizes.idxmax()


def test_few_conditions_leave_errors():
    X, y = DATA["moons"]
    model = PRISM(max_conditions=1).fit(X, y)
    assert {len(rule.conditions) for rule in model.rules_} == {1}
    assert model.n_rules_ < PRISM().fit(X, y).n_rules_
    assert model.score(X, y) < 1


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (PRISM(max_conditions=0), "max_conditions must be a whole number"),
        (SequentialCovering(class_order="last"), "class_order must be one of"),
        (SequentialCovering(prune_fraction=1.0), "prune_fraction must be a number"),
        (C45Rules(confidence=0.7), "confidence must be a number"),
        (RIPPER(k=-1), "k must be a whole number"),
        (OneRule(min_bucket=0), "min_bucket must be a whole number"),
    ],
    ids=repr,
)
def test_parameters_out_of_bounds_are_refused(model, message):
    with pytest.raises(ValueError, match=message):
        model.fit([[0.0], [1.0]], [0, 1])
