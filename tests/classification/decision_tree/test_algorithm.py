"""Decision trees against Weka, R, scikit-learn, the weather by hand and brute force."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_breast_cancer, load_iris, make_classification
from sklearn.tree import DecisionTreeClassifier as Reference
from sklearn.tree import export_text

from dmlib.classification import C45, CART, CHAID, ID3, ONE_R, QUEST, DecisionTreeClassifier
from dmlib.trace import run
from dmlib.trees import impurity

ROOT = Path(__file__).parents[3]
GOLDEN = json.loads((ROOT / "tests" / "golden" / "decision_tree.json").read_text())


def weather(kind="nominal"):
    table = pd.read_csv(ROOT / "assets" / "data" / f"weather_{kind}.csv", dtype={"windy": str})
    return table.drop(columns="play"), table["play"]


def iris():
    data = load_iris(as_frame=True)
    columns = ["sepal_length", "sepal_width", "petal_length", "petal_width"]
    return data.data.set_axis(columns, axis=1), data.target_names[data.target]


def steps(model, X, y):
    trace = run(model, X, y)
    assert trace.complete
    return trace.steps


def named(tree, X, classes):
    """The tests and leaves of a tree as nested dictionaries, as the golden file writes them."""

    def node(i):
        split = tree.splits.split(i)
        if split is None:
            counts = tree.counts[i]
            best = int(tree.value[i, 0].argmax())
            return {"leaf": classes[best], "n": round(counts.sum(), 6), "errors": round(counts.sum() - counts[best], 6)}
        column = X.iloc[:, split.column]
        values = None if split.thresholds else sorted(column.unique())
        texts = split.conditions(X.columns[split.column], values)
        below = [
            {"test": text, "child": node(child)} for text, child in zip(texts, tree.children[i].tolist(), strict=False)
        ]
        return {"branches": sorted(below, key=lambda branch: branch["test"])}

    return node(0)


def in_order(tree):
    if "branches" not in tree:
        return tree
    branches = [branch | {"child": in_order(branch["child"])} for branch in tree["branches"]]
    return {"branches": sorted(branches, key=lambda branch: branch["test"])}


# --- the weather, by hand ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("criterion", "key"), [("entropy", "information_gain"), ("gain_ratio", "gain_ratio"), ("gini", "gini_gain")]
)
def test_candidates_for_the_root_of_the_weather(criterion, key):
    X, y = weather()
    root = steps(DecisionTreeClassifier(criterion=criterion, splitter="multiway"), X, y)[0]
    got = {X.columns[candidate.split.column]: candidate for candidate in root.candidates}
    for name, expected in GOLDEN["weather_root"]["expected"]["candidates"].items():
        assert_allclose(got[name].score, expected[key], rtol=1e-9)
    assert X.columns[root.chosen.split.column] == "outlook"
    assert [c.score for c in root.candidates if c.eligible] == sorted(
        (c.score for c in root.candidates if c.eligible), reverse=True
    )


def test_gain_ratio_is_compared_among_columns_with_average_gain():
    X, y = weather()
    root = steps(DecisionTreeClassifier(criterion="gain_ratio", splitter="multiway"), X, y)[0]
    assert {X.columns[c.split.column] for c in root.candidates if c.eligible} == {"outlook", "humidity"}


def test_id3_is_weka_s():
    X, y = weather()
    model = DecisionTreeClassifier(**ID3).fit(X, y)
    assert model.predict(X).tolist() == GOLDEN["id3_weather"]["predicted"]
    lines = sorted(line.replace("|", "").strip() for line in GOLDEN["id3_weather"]["text"].split("\n")[3:])
    rules = [rule.removeprefix("if ").replace(" then", ":").rsplit(" (", 1)[0] for rule in model.export_rules()]
    tests = {text for rule in rules for text in rule.split(": ")[0].split(" and ")}
    assert tests == {line.split(":")[0] for line in lines}
    assert model.get_n_leaves() == 5


@pytest.mark.parametrize("case", ["j48_weather", "j48_iris"])
def test_c45_is_j48(case):
    X, y = weather() if case == "j48_weather" else iris()
    model = DecisionTreeClassifier(**C45).fit(X, y)
    expected = GOLDEN[case]
    assert named(model.tree_, X, model.classes_) == in_order(expected["tree"])
    assert (model.get_n_leaves(), model.tree_.node_count) == (expected["leaves"], expected["size"])
    if case == "j48_iris":
        probabilities = model.predict_proba(X)
        assert_allclose(probabilities, expected["distribution_by_row"], atol=1e-9)
        truth = (np.asarray(y)[:, None] == model.classes_).astype(float)
        assert_allclose(np.abs(probabilities - truth).mean(), expected["mean_absolute_error"], rtol=1e-7)
        assert_allclose(np.sqrt(((probabilities - truth) ** 2).mean()), expected["root_mean_squared_error"], rtol=1e-7)


def test_c45_on_numbers_and_words():
    """The tree of J. R. Quinlan (1993), C4.5, section 2.1; its thresholds are values that occur."""
    X, y = weather("numeric")
    rules = DecisionTreeClassifier(**C45).fit(X, y).export_rules()
    assert "if outlook = sunny and humidity <= 75 then yes (2)" in rules
    assert "if outlook = rainy and windy = TRUE then no (2)" in rules
    assert len(rules) == 5


def test_one_r_is_weka_s():
    X, y = weather()
    model = DecisionTreeClassifier(**ONE_R).fit(X, y)
    assert model.predict(X).tolist() == GOLDEN["oner_weather"]["predicted"]
    assert (model.predict(X) != y).sum() == GOLDEN["oner_weather"]["training_errors"]
    assert model.get_depth() == 1


def test_missing_value_in_parts_as_in_the_book():
    """J. R. Quinlan (1993), C4.5, section 3.3: outlook of one row is unknown; gain 0.199, split information 1.809."""
    X, y = weather()
    row = X.query("outlook == 'overcast' and humidity == 'high' and windy == 'TRUE'").index
    X.loc[row, "outlook"] = None
    root = steps(DecisionTreeClassifier(criterion="gain_ratio", splitter="multiway"), X, y)[0]
    outlook = next(c for c in root.candidates if c.split.column == 0)
    assert_allclose([outlook.gain, outlook.gain / outlook.score], [0.199, 1.809], atol=5e-4)
    assert outlook.missing == 1
    rest = steps(DecisionTreeClassifier(**ID3), X, y)[1:]
    children = [step for step in rest if step.parent == 0 and step.phase != "done"]
    parts = [step.shares[step.rows == row[0]].sum() for step in children]
    assert_allclose(sorted(parts), [3 / 13, 5 / 13, 5 / 13])
    assert_allclose(sum(step.counts.sum() for step in children), 14)


def test_parts_of_rows_count_as_parts():
    """Class weights in the branches and of the rows without a value add up to those of the node."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(90, 3))
    X[rng.random(X.shape) < 0.2] = np.nan
    y = (np.nan_to_num(X[:, 0]) + 0.5 * rng.normal(size=90) > 0).astype(int)
    splits = [step for step in steps(DecisionTreeClassifier(max_depth=4), X, y) if step.phase == "split"]
    assert any((step.shares < 1).any() for step in splits)
    for step in splits:
        for one in step.candidates:
            missing = np.isnan(X[step.rows, one.split.column])
            without = np.bincount(y[step.rows[missing]], step.shares[missing], 2)
            assert_allclose(one.counts.sum(axis=0) + without, step.counts, atol=1e-9)
            assert_allclose(one.missing, without.sum(), atol=1e-9)


def test_a_row_without_values_gets_the_average_of_the_leaves():
    X, y = weather()
    model = DecisionTreeClassifier(**ID3).fit(X, y)
    unknown = pd.DataFrame({name: pd.Series([None], dtype=object) for name in X})
    assert_allclose(model.predict_proba(unknown), [[5 / 14, 9 / 14]])
    somewhere = X.iloc[[0]].assign(outlook="foggy")
    assert_allclose(model.predict_proba(somewhere), model.predict_proba(somewhere.assign(outlook=None)))


def test_a_value_that_is_not_in_a_node_gets_a_leaf_of_its_parent_s_classes():
    X = pd.DataFrame({"a": ["x", "x", "x", "y"], "b": ["u", "u", "v", "w"]})
    model = DecisionTreeClassifier(**ID3).fit(X, [0, 0, 1, 1])
    leaves = model.tree_.n_node_samples[model.tree_.is_leaf]
    assert (leaves == 0).any() == (model.tree_.feature[0] == 0)
    forced = DecisionTreeClassifier(**ID3, choices="r_0~r.0_1").fit(X, [0, 0, 1, 1])
    assert_allclose(forced.predict_proba(pd.DataFrame({"a": ["x"], "b": ["w"]})), [[2 / 3, 1 / 3]])


# --- R ----------------------------------------------------------------------------------------------------------------


def test_cart_is_rpart():
    X, y = iris()
    expected = GOLDEN["rpart_iris"]
    model = DecisionTreeClassifier(**CART, min_samples_split=20, min_samples_leaf=7)
    path = model.cost_complexity_pruning_path(X, y)
    sequence = expected["exact_weakest_link_sequence"]
    used = np.unique(path.ccp_alphas.round(12))
    assert_allclose(used * 150, sequence["alpha_total_error_units"], atol=1e-9)
    model.set_params(ccp_alpha=0.01 * 100 / 150).fit(X, y)
    assert model.get_n_leaves() == 3
    assert_allclose(model.tree_.threshold[[0, 2]], [2.45, 1.75])
    assert_allclose(model.tree_.counts, expected["class_counts_by_node"])
    names = list(X.columns)
    surrogates = expected["root"]["surrogates"]
    for got, wanted in zip(model.tree_.surrogates[0], surrogates, strict=True):
        assert names[got.split.column] == wanted["variable"]
        assert_allclose(
            [*got.split.thresholds, got.agreement, got.adjusted],
            [wanted["cut"], wanted["improve_or_agreement"], wanted["adjusted_agreement"]],
            rtol=1e-8,
        )
        assert got.swapped == wanted["direction"].startswith("x >= ")
    root = steps(model, X, y)[0]
    best = {candidate.split.column: candidate for candidate in reversed([*root.candidates])}
    for wanted in expected["root"]["competitors"]:
        candidate = best[names.index(wanted["variable"])]
        assert_allclose(150 * candidate.score, wanted["improve_or_agreement"], rtol=1e-8)
        assert_allclose(candidate.split.thresholds, [wanted["cut"]])


def test_rows_without_a_value_follow_the_surrogate():
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    X = np.column_stack([x, x + 0.01 * rng.normal(size=200), rng.normal(size=200)])
    y = (x > 0).astype(int)
    X[::7, 0] = np.nan
    model = DecisionTreeClassifier(missing="surrogate", max_depth=1).fit(X, y)
    other = DecisionTreeClassifier(missing="surrogate", max_depth=1).fit(X[:, [0, 2]], y)
    assert model.score(X, y) > 0.97 > other.score(X[:, [0, 2]], y)
    nothing = np.full((1, 3), np.nan)
    larger = model.tree_.n_node_samples[model.tree_.children[0]].argmax()
    assert model.predict_proba(nothing).argmax() == model.tree_.value[model.tree_.children[0, larger], 0].argmax()


# --- scikit-learn -----------------------------------------------------------------------------------------------------

NODE = ["feature", "threshold", "impurity", "n_node_samples", "weighted_n_node_samples", "value"]
SETTINGS = [
    {},
    {"criterion": "entropy"},
    {"criterion": "log_loss"},
    {"min_samples_leaf": 9},
    {"min_samples_split": 0.2},
    {"min_impurity_decrease": 0.01},
    {"min_weight_fraction_leaf": 0.1},
    {"class_weight": "balanced"},
    {"class_weight": {0: 3.0}},
    {"ccp_alpha": 0.01},
]


def table(n_samples=300):
    """Values that single precision holds exactly, since scikit-learn rounds to it."""
    X, y = make_classification(n_samples, 6, n_informative=4, n_classes=3, random_state=3)
    return X.astype(np.float32).astype(np.float64), y


@pytest.mark.parametrize("params", SETTINGS, ids=str)
@pytest.mark.parametrize("weighted", [False, True])
def test_the_tree_is_scikit_learn_s(params, weighted):
    X, y = table(2000)  # so many that no node has two equal splits, among which scikit-learn would draw lots
    weights = np.random.default_rng(1).uniform(0.5, 2, len(y)) if weighted else None
    ours = DecisionTreeClassifier(**{"max_depth": 4, **params}).fit(X, y, weights)
    theirs = Reference(**{"max_depth": 4, **params}, random_state=0).fit(X, y, weights)
    for name in NODE:
        assert_allclose(getattr(ours.tree_, name), getattr(theirs.tree_, name), rtol=1e-9, atol=1e-12, err_msg=name)
    assert_array_equal(ours.tree_.children_left, theirs.tree_.children_left)
    assert_array_equal(ours.tree_.children_right, theirs.tree_.children_right)
    assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-12)
    assert_array_equal(ours.apply(X), theirs.apply(X))
    assert_array_equal(ours.decision_path(X).toarray(), theirs.decision_path(X).toarray())
    assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-12)
    assert (ours.get_depth(), ours.get_n_leaves()) == (theirs.get_depth(), theirs.get_n_leaves())
    assert ours.export_text() == export_text(theirs)
    assert ours.export_text(decimals=4, show_weights=True) == export_text(theirs, decimals=4, show_weights=True)


def test_the_best_nodes_are_split_first_as_in_scikit_learn():
    """It numbers these nodes in the order in which they are split."""
    X, y = table(2000)
    ours = DecisionTreeClassifier(max_leaf_nodes=9).fit(X, y)
    theirs = Reference(max_leaf_nodes=9, random_state=0).fit(X, y)
    assert_allclose(np.sort(ours.tree_.threshold), np.sort(theirs.tree_.threshold))
    assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-12)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_the_pruning_path_is_scikit_learn_s(criterion):
    X, y = load_breast_cancer(return_X_y=True)
    X = X.astype(np.float32).astype(float)[:, :4]
    ours = DecisionTreeClassifier(criterion=criterion, max_depth=4).cost_complexity_pruning_path(X, y)
    theirs = Reference(criterion=criterion, max_depth=4, random_state=0).cost_complexity_pruning_path(X, y)
    assert_allclose(ours.ccp_alphas, theirs.ccp_alphas, atol=1e-12)
    assert_allclose(ours.impurities, theirs.impurities, atol=1e-12)
    for alpha in theirs.ccp_alphas[::3]:
        one = DecisionTreeClassifier(criterion=criterion, max_depth=4, ccp_alpha=alpha + 1e-9).fit(X, y)
        other = Reference(criterion=criterion, max_depth=4, ccp_alpha=alpha + 1e-9, random_state=0).fit(X, y)
        assert one.get_n_leaves() == other.get_n_leaves()


def test_the_whole_tree_fits_rows_that_differ():
    X, y = table()
    assert DecisionTreeClassifier().fit(X, y).score(X, y) == 1


def test_exclusive_or_is_learned_although_no_first_split_gains():
    X = np.array(list(product([0.0, 1.0], repeat=2)))
    y = [0, 1, 1, 0]
    assert DecisionTreeClassifier().fit(X, y).score(X, y) == 1
    assert DecisionTreeClassifier(min_gain=1e-6).fit(X, y).get_depth() == 0


def test_max_features_draws_columns_by_the_seed():
    X, y = table()
    one, same, other = (
        DecisionTreeClassifier(max_features=2, random_state=s).fit(X, y).tree_.feature for s in (0, 0, 1)
    )
    assert_array_equal(one, same)
    assert not np.array_equal(one[:5], other[:5])
    assert DecisionTreeClassifier(max_features="sqrt").fit(X, y).max_features_ == 2


# --- brute force ------------------------------------------------------------------------------------------------------

MEASURED = ["gini", "entropy", "error", "dkm"]


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 1)), min_size=4, max_size=25),
    st.sampled_from(MEASURED),
    st.integers(1, 3),
)
def test_the_best_split_is_the_best_of_all(rows, criterion, least):
    values = np.array(rows, float)
    X, y = values[:, :2], values[:, 2].astype(int)
    if len(set(y)) < 2:
        return
    found = steps(DecisionTreeClassifier(criterion=criterion, max_depth=1, min_samples_leaf=least), X, y)[0]
    worths = []
    for column, threshold in product(range(2), np.arange(0.5, 4)):
        left = X[:, column] <= threshold
        if min(left.sum(), (~left).sum()) >= least:
            parts = [np.bincount(y[side], minlength=2) for side in (left, ~left)]
            after = sum(part.sum() * impurity(part, criterion) for part in parts) / len(y)
            worths.append(impurity(np.bincount(y), criterion) - after)
    assert (found.best is None) == (not worths)
    if worths:
        assert_allclose(found.best.score, max(worths), atol=1e-12)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 13), st.integers(0, 2)), min_size=4, max_size=40),
    st.sampled_from(["gini", "entropy"]),
    st.booleans(),
)
def test_nominal_values_are_divided_in_the_best_way(rows, criterion, two_classes):
    codes, y = np.array(rows).T
    codes, y = (codes, np.minimum(y, 1)) if two_classes else (codes % 6, y)
    X = pd.DataFrame({"a": [f"value {code:02d}" for code in codes]})
    if len(set(y)) < 2:
        return
    found = steps(DecisionTreeClassifier(criterion=criterion, max_depth=1), X, y)[0]
    counts = np.array([np.bincount(y[codes == code], minlength=3) for code in np.unique(codes)])
    best = -1.0
    for number in range(1, 2 ** (len(counts) - 1)) if len(counts) < 12 else ():
        first = (number >> np.arange(len(counts))) & 1 == 1
        parts = [counts[side].sum(axis=0) for side in (first, ~first)]
        after = sum(part.sum() * impurity(part, criterion) for part in parts) / len(y)
        best = max(best, impurity(counts.sum(axis=0), criterion) - after)
    if 1 < len(counts) < 12:
        assert_allclose(found.best.score, best, atol=1e-12)
        assert_allclose(found.best.counts.sum(axis=0), found.counts)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 2), st.integers(1, 3)), min_size=3, max_size=25))
def test_a_weight_is_as_good_as_copies(rows):
    values = np.array(rows, float)
    X, y, weights = values[:, :1], values[:, 1].astype(int), values[:, 2].astype(int)
    one = DecisionTreeClassifier().fit(X, y, weights)
    other = DecisionTreeClassifier().fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert_allclose(one.predict_proba(X), other.predict_proba(X), atol=1e-9)


def test_thresholds_of_the_tax_data():
    """The table in Tan, Steinbach and Kumar (2006), section 4.3."""
    rows = pd.DataFrame(GOLDEN["evade"]["rows"], columns=GOLDEN["evade"]["columns"])
    root = steps(DecisionTreeClassifier(max_depth=1), rows[["Taxable Income"]], rows["Evade"])[0]
    got = {str(float(c.split.thresholds[0])): 0.42 - c.score for c in root.candidates}
    assert got == pytest.approx(GOLDEN["evade"]["gini_by_threshold"])
    assert root.chosen.split.thresholds == (97.5,)


# --- 1R ---------------------------------------------------------------------------------------------------------------


def buckets(x, y, least):
    """1R as R. C. Holte (1993) and Weka loop over the rows."""
    order = np.argsort(x, kind="stable")
    x, y = x[order], y[order]
    i, cuts, classes = 0, [], []
    while i < len(x):
        counts = {}
        while True:
            it = y[i]
            counts[it] = counts.get(it, 0) + 1
            i += 1
            if counts[it] >= least or i == len(x):
                break
        while i < len(x) and (y[i] == it or x[i] == x[i - 1]):
            if y[i] != it and x[i] != x[i - 1]:
                break
            if y[i] != it:
                while i < len(x) and x[i] == x[i - 1]:
                    counts[y[i]] = counts.get(y[i], 0) + 1
                    i += 1
                break
            counts[y[i]] += 1
            i += 1
        most = max(counts.values())
        it = it if counts[it] == most else min(c for c in counts if counts[c] == most)
        if classes and counts.get(classes[-1], 0) == most:
            it = classes[-1]
        if classes and it == classes[-1]:
            cuts.pop()
        else:
            classes.append(it)
        cuts.append((x[i - 1] + x[i]) / 2 if i < len(x) else np.inf)
    return [cut for cut in cuts if np.isfinite(cut)]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 2)), min_size=6, max_size=50), st.integers(1, 6))
def test_one_r_fills_buckets(rows, least):
    x, y = np.array(rows).T
    if len(set(y)) < 2:
        return
    model = DecisionTreeClassifier(**ONE_R, min_bucket=least).fit(x[:, None], y)
    split = model.tree_.splits.split(0)
    assert_allclose([] if split is None else split.thresholds, buckets(x.astype(float), y, least))


# --- steps and prescribed splits --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "params",
    [{}, C45, ID3, {"max_leaf_nodes": 6}, {"ccp_alpha": 0.02}, {"missing": "surrogate", "max_depth": 3}],
    ids=str,
)
def test_the_steps_lead_to_the_fitted_tree(params):
    X, y = iris()
    model = DecisionTreeClassifier(**params)
    *grown, last = steps(model, X, y)
    tree = model.fit(X, y).tree_
    for name in NODE:
        assert_array_equal(getattr(last.tree, name), getattr(tree, name))
    assert last.n_leaves == model.get_n_leaves()
    nodes = [step for step in grown if step.phase in ("split", "leaf")]
    assert [step.node for step in nodes] == sorted({step.node for step in nodes})
    assert_allclose(sum(step.counts for step in nodes if not step.children), [50, 50, 50])
    made = {step.node: step for step in nodes}
    for step in nodes:
        assert all(made[child].parent == step.node for child in step.children)
        assert step.best is None or step.loss == 0
        assert (step.phase == "leaf") == bool(step.reason)


def test_prescribed_splits_are_compared_with_the_best():
    X, y = iris()
    model = DecisionTreeClassifier(choices="r_0_5.5~r.1_auto")
    trace = steps(model, X, y)
    root, left, right = trace[:3]
    assert (root.phase, left.phase, right.phase) == ("split", "open", "split")
    assert root.chosen.split.thresholds == (5.5,)
    assert root.best.split.column == 2
    assert_allclose(root.loss, root.best.score - root.chosen.score)
    assert root.loss > 0.1
    assert left.best is not None
    assert left.chosen is None
    assert left.children == ()
    assert right.loss == 0
    assert model.fit(X, y).tree_.threshold[0] == 5.5
    assert DecisionTreeClassifier(choices="").fit(X, y).get_depth() == 0
    assert_array_equal(
        DecisionTreeClassifier(choices="r_auto").fit(X, y).tree_.feature,
        DecisionTreeClassifier().fit(X, y).tree_.feature,
    )


def test_a_prescribed_division_of_nominal_values():
    X, y = weather()
    root = steps(DecisionTreeClassifier(choices="r_0_in.0"), X, y)[0]
    assert root.chosen.split.branches == (0, 1, 1)
    assert_allclose(root.chosen.counts, [[0, 4], [5, 5]])
    multiway = steps(DecisionTreeClassifier(**ID3, choices="r_2"), X, y)[0]
    assert_allclose(multiway.loss, 0.24674981977443933 - 0.15183550136234159)


@pytest.mark.parametrize(
    ("choices", "sentence"),
    [
        ("r_9_1.0", "the columns are 0 to 3"),
        ("r_0_99", "choose a threshold from 4.3 to below 7.9"),
        ("x", "no prescribed split"),
        ("r_0_1_1", "no prescribed split"),
        ("r_0_--", "no prescribed split"),
    ],
)
def test_choices_that_cannot_be(choices, sentence):
    with pytest.raises(ValueError, match=sentence):
        DecisionTreeClassifier(choices=choices).fit(*iris())


# --- missing values ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", ["fractional", "surrogate"])
@pytest.mark.parametrize(
    "params", [{}, {"criterion": "gain_ratio", "numeric": "c45", "pruning": "error_based"}], ids=str
)
def test_holes_lose_no_weight(missing, params):
    X, y = iris()
    X = X.mask(np.random.default_rng(0).random(X.shape) < 0.2)
    model = DecisionTreeClassifier(missing=missing, min_samples_leaf=3, **params).fit(X, y)
    tree = model.tree_
    leaves = tree.counts[tree.is_leaf].sum(axis=0)
    assert_allclose(leaves, [50, 50, 50])
    assert_allclose(model.predict_proba(X).sum(axis=1), 1)
    assert model.score(X, y) > 0.85
    rows, nodes, parts = tree.leaves(X.to_numpy())
    assert_allclose(np.bincount(rows, parts), 1)
    assert tree.is_leaf[nodes].all()
    assert_allclose(steps(model, X, y)[-1].tree.value, tree.value)


def test_a_column_of_nothing_is_never_split():
    X = pd.DataFrame({"a": [np.nan] * 4, "b": [1.0, 2.0, 3.0, 4.0], "c": pd.Series([None] * 4, dtype=object)})
    model = DecisionTreeClassifier().fit(X, [0, 0, 1, 1])
    assert model.tree_.feature[0] == 1
    assert DecisionTreeClassifier().fit(X[["a", "c"]], [0, 0, 1, 1]).get_depth() == 0


# --- pruning ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pruning", ["cost_complexity", "error_complexity"])
def test_cross_validation_judges_the_trees_of_the_path(pruning):
    X, y = table()
    model = DecisionTreeClassifier(pruning=pruning)
    path = model.pruning_path(X, y, cv=5, random_state=0)
    assert (np.diff(path.alphas) > 0).all()
    assert (np.diff(path.n_leaves) < 0).all()
    assert (np.diff(path.errors) >= -1e-12).all()
    assert path.n_leaves[-1] == 1
    assert path.cv_errors[path.best] == path.cv_errors.min()
    assert path.simplest >= path.best
    for i in (0, path.best, path.simplest):
        alpha = min(path.middles[i], 1.0)
        fitted = DecisionTreeClassifier(pruning=pruning, ccp_alpha=alpha).fit(X, y)
        assert fitted.get_n_leaves() == path.n_leaves[i]
        assert_allclose(1 - fitted.score(X, y), path.errors[i])


def test_cross_validation_of_one_alpha_by_hand():
    X, y = table(120)
    path = DecisionTreeClassifier().pruning_path(X, y, cv=4, random_state=0)
    order = np.random.RandomState(0).permutation(len(y))
    folds = np.empty(len(y), int)
    folds[order[np.argsort(y[order], kind="stable")]] = np.arange(len(y)) % 4
    i = len(path.alphas) // 2
    wrong = 0
    for fold in range(4):
        out = folds == fold
        model = DecisionTreeClassifier(ccp_alpha=path.middles[i]).fit(X[~out], y[~out])
        wrong += (model.predict(X[out]) != y[out]).sum()
    assert_allclose(path.cv_errors[i], wrong / len(y))


def test_folds_must_fit_the_rows():
    with pytest.raises(ValueError, match="cv must be a whole number from 2"):
        DecisionTreeClassifier().pruning_path([[1.0], [2.0]], [0, 1], cv=5)


# --- what does not go together ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"criterion": "dkm"}, "compares two classes, but there are 3"),
        ({"criterion": "twoing", "numeric": "buckets"}, "compares two branches"),
        ({"missing": "surrogate", "numeric": "buckets"}, "Surrogates stand in for splits into two"),
        ({"max_features": 0}, "max_features must be"),
        ({"min_samples_leaf": 0}, "min_samples_leaf must be"),
        ({"max_depth": 0}, "max_depth must be a whole number from 1 to .* or None"),
    ],
    ids=str,
)
def test_refusals(params, sentence):
    with pytest.raises(ValueError, match=sentence):
        DecisionTreeClassifier(**params).fit(*iris())


def test_rows_must_weigh_something():
    with pytest.raises(ValueError, match="All rows have the weight 0"):
        DecisionTreeClassifier(class_weight={0: 0.0, 1: 0.0}).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize("criterion", ["twoing", "ort", "g2", "chi2", "distance", "gain_ratio", "ks", "auc", "dkm"])
def test_every_criterion_grows_a_tree_that_separates(criterion):
    X, y = make_classification(120, 4, random_state=1)
    model = DecisionTreeClassifier(criterion=criterion).fit(X, y)
    assert model.score(X, y) == 1
    nominal = pd.DataFrame({"a": np.where(X[:, 0] > 0, "high", "low"), "b": X[:, 1]})
    assert DecisionTreeClassifier(criterion=criterion, max_depth=3).fit(nominal, y).score(nominal, y) > 0.5


def test_single_class_one_row_and_constant_columns():
    assert DecisionTreeClassifier().fit([[1.0], [2.0]], ["a", "a"]).predict([[5.0]]) == ["a"]
    assert DecisionTreeClassifier().fit([[1.0]], ["a"]).get_depth() == 0
    model = DecisionTreeClassifier().fit(np.ones((6, 2)), [0, 1, 1, 0, 1, 1])
    assert_allclose(model.predict_proba([[1.0, 1.0]]), [[1 / 3, 2 / 3]])
    assert steps(DecisionTreeClassifier(), np.ones((6, 2)), [0, 1, 1, 0, 1, 1])[0].reason.startswith("No test divides")


def test_huge_and_tiny_values():
    X = np.array([[-1.7e308], [1.7e308], [1e-300], [0.0]])
    y = [0, 1, 1, 0]
    assert DecisionTreeClassifier().fit(X, y).score(X, y) == 1
    close = np.array([[1.0], [np.nextafter(1.0, 2)]])
    assert DecisionTreeClassifier().fit(close, [0, 1]).score(close, [0, 1]) == 1


def test_c45_cuts_at_a_value_that_is_halfway_but_for_rounding():
    x = np.array([1.2, 1.2, 1.2, 1.4, 1.4, 1.4, 1.3, 0.5, 2.0, 0.5, 2.0, 1.3])
    group = np.repeat([0, 1], 6)  # 1.3 is in the data, but in another node
    assert (1.2 + 1.4) / 2 < 1.3
    y = np.repeat([0, 1, 2], [3, 3, 6])
    model = DecisionTreeClassifier(**C45 | {"pruning": "cost_complexity"}).fit(np.column_stack([group, x]), y)
    assert model.export_rules()[0] == "if feature_0 <= 0 and feature_1 <= 1.3 then 0 (3)"
    assert model.score(np.column_stack([group, x]), y) == 1


def test_the_printed_threshold_sends_the_rows_where_the_tree_sends_them():
    x = np.array([1.23456749, 1.2346]).repeat(4)
    rule = DecisionTreeClassifier(**C45).fit(x[:, None], [0] * 4 + [1] * 4).export_rules()[0]
    printed = float(rule.split("<= ")[1].split()[0])
    assert ((x <= printed) == (x < 1.2346)).all()


@pytest.mark.parametrize("settings", [{}, C45, ONE_R, ID3, CHAID, QUEST])
@pytest.mark.parametrize("unit", [1e-310, 1e-160, 1e160, 1.7e308])
def test_thresholds_of_the_smallest_and_largest_numbers(settings, unit):
    x = np.repeat([-1.0, -0.5, 0.5, 1.0], 8)[:, None]
    y = np.repeat([0, 1], 16)
    model = DecisionTreeClassifier(**settings).fit(x * unit, y)
    assert np.isfinite(model.tree_.threshold[~model.tree_.is_leaf]).all()
    assert_array_equal(model.predict(x * unit), y)
