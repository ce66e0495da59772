"""Bayesian networks: the tree, the tables and the inference, against brute force and libraries."""

import itertools
import json
from math import log2

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import mutual_info_score
from sklearn.naive_bayes import CategoricalNB

from dmlib.classification import BayesianNetworkClassifier, NaiveBayes
from dmlib.classification.bayesian_network.tree import conditional_mutual_information
from dmlib.datasets import load
from dmlib.outputs.models import model_json
from dmlib.problem import prepare

WEATHER = load("weather_nominal").frame
X, Y = WEATHER.drop(columns="play"), WEATHER["play"].astype(str)


@st.composite
def tables(draw, max_columns=4, missing=False):
    """Return a table of few values with its classes, all of which occur."""
    n_rows, n_columns = draw(st.integers(4, 25)), draw(st.integers(1, max_columns))
    seed = draw(st.integers(0, 10_000))
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {f"c{j}": rng.choice(list("uvw"[: 2 + j % 2]), n_rows) for j in range(n_columns)}
    )
    if missing:
        frame = frame.mask(rng.random(frame.shape) < 0.2)
    return frame, np.r_[0, 1, rng.integers(0, 2, n_rows - 2)]


def joint_table(model):
    """Return P(class, all columns) as one array, by multiplying all tables cell by cell."""
    sizes = [table.probabilities.shape[2] for table in model.tables_]
    joint = np.empty((len(model.classes_), *sizes))
    for c, *values in np.ndindex(joint.shape):
        joint[c, *values] = model.class_prior_[c] * np.prod(
            [
                table.probabilities[c, 0 if parent < 0 else values[parent], value]
                for table, parent, value in zip(model.tables_, model.parents_, values, strict=True)
            ]
        )
    return joint


def posterior_by_brute_force(model, row):
    """Return P(class | known values) by adding up the cells of the joint distribution."""
    joint = joint_table(model)
    for axis, (table, value) in enumerate(zip(model.tables_, row, strict=True), 1):
        if value is not None:
            joint = joint.take([table.coding.values.index(value)], axis=axis)
    products = joint.reshape(len(joint), -1).sum(axis=1)
    return products / products.sum()


@given(tables(missing=True), st.sampled_from(["tan", "naive"]), st.data())
def test_it_infers_what_the_joint_distribution_says(table, structure, data):
    model = BayesianNetworkClassifier(structure).fit(*table)
    choices = [st.sampled_from([None, *t.coding.values]) for t in model.tables_]
    row = data.draw(st.tuples(*choices))
    expected = posterior_by_brute_force(model, row)
    frame = pd.DataFrame([row], columns=table[0].columns, dtype=object)
    assert model.predict_proba(frame)[0] == pytest.approx(expected)
    *_, last = model.explain_steps(row)
    assert last.posterior == pytest.approx(expected)
    assert np.exp(last.log_joint) == pytest.approx(np.exp(model.predict_joint_log_proba(frame)[0]))


@given(tables())
def test_all_probabilities_sum_to_one(table):
    model = BayesianNetworkClassifier(root=1).fit(*table)
    assert joint_table(model).sum() == pytest.approx(1)
    for each in model.tables_:
        assert each.probabilities.sum(axis=2) == pytest.approx(1)


@given(tables())
def test_the_tree_is_a_maximum_spanning_tree(table):
    frame, y = table
    model = BayesianNetworkClassifier().fit(frame, y)
    graph = nx.Graph()
    graph.add_nodes_from(range(frame.shape[1]))
    for first, second in itertools.combinations(range(frame.shape[1]), 2):
        bits = sum(
            (y == c).mean()
            * mutual_info_score(frame.iloc[:, first][y == c], frame.iloc[:, second][y == c])
            for c in (0, 1)
        ) / np.log(2)
        assert model.information_[first, second] == pytest.approx(bits, abs=1e-9)
        graph.add_edge(first, second, weight=bits)
    best = nx.maximum_spanning_tree(graph).size(weight="weight")
    assert frame.shape[1] == 1 or nx.is_tree(graph.edge_subgraph(model.edges_))
    assert sum(model.information_[pair] for pair in model.edges_) == pytest.approx(best, abs=1e-9)


@given(tables(), st.sampled_from([0.5, 1.0, 3.0]))
def test_naive_is_the_categorical_classifier_of_scikit_learn(table, laplace):
    frame, y = table
    codes = frame.apply(lambda column: pd.factorize(column, sort=True)[0])
    reference = CategoricalNB(alpha=laplace).fit(codes, y)
    model = BayesianNetworkClassifier("naive", laplace=laplace).fit(frame, y)
    assert model.predict_proba(frame) == pytest.approx(reference.predict_proba(codes))


@given(tables(missing=True), st.integers(1, 4))
def test_what_values_are_called_does_not_matter(table, root):
    frame, y = table
    root = min(root, frame.shape[1])
    model = BayesianNetworkClassifier(root=root).fit(frame, y)
    renamed = frame.replace({"u": "z", "v": "a", "w": "m"})
    other = BayesianNetworkClassifier(root=root).fit(renamed, y)
    assert other.parents_ == model.parents_
    assert other.predict_proba(renamed) == pytest.approx(model.predict_proba(frame))


@given(tables(), st.integers(1, 4))
def test_without_smoothing_the_root_does_not_matter(table, root):
    frame, y = table
    dense = pd.concat([frame, *[frame.assign(**{c: v}) for c in frame for v in frame[c].unique()]])
    labels = np.resize(y, len(dense))
    models = [
        BayesianNetworkClassifier(root=r, laplace=0).fit(dense, labels)
        for r in (1, min(root, frame.shape[1]))
    ]
    is_positive = all(t.counts.all() for model in models for t in model.tables_)
    if is_positive:
        first, second = (model.predict_proba(frame) for model in models)
        assert first == pytest.approx(second)


def test_information_by_hand():
    # class 0 has 00, 00, 11, 11: one bit; class 1 has 00, 01, 10, 11: none; half of the rows each
    first = np.array([0, 0, 1, 1, 0, 0, 1, 1])
    second = np.array([0, 0, 1, 1, 0, 1, 0, 1])
    classes = np.repeat([0, 1], 4)
    assert conditional_mutual_information(first, second, classes) == pytest.approx(0.5)
    # without the row that has no first value: 00, 00, 11
    second = np.array([0, 0, 1, 1])
    by_hand = 2 / 3 * log2(2 / 3 / (2 / 3 * 2 / 3)) + 1 / 3 * log2(1 / 3 / (1 / 3 * 1 / 3))
    assert conditional_mutual_information(
        np.array([0, 0, -1, 1]), second, np.zeros(4, int)
    ) == pytest.approx(by_hand)


def test_many_values_are_counted_as_few_are():
    rng = np.random.default_rng(0)
    first, second = rng.integers(0, 3, 200), rng.integers(0, 4, 200)
    classes = rng.integers(0, 2, 200)
    few = conditional_mutual_information(first, second, classes)
    many = conditional_mutual_information(first * 1000, second * 1000, classes)
    assert many == pytest.approx(few)


def test_the_model_that_is_taken_along_has_all_that_a_prediction_needs():
    frame = WEATHER[["outlook", "windy", "play"]]
    problem = prepare(frame, ["outlook", "windy"], target="play", labelled=True)
    model = BayesianNetworkClassifier().fit(*problem.arguments)
    fitted = json.loads(model_json(model, problem))["fitted"]
    outlook, windy = fitted["tables_"]
    assert fitted["parents_"] == [-1, 0]
    products = [
        fitted["class_prior_"][c]
        * outlook["probabilities"][c][0][outlook["coding"]["values"].index("rainy")]
        * windy["probabilities"][c][outlook["coding"]["values"].index("rainy")][0]
        for c in (0, 1)
    ]
    value = windy["coding"]["values"][0]
    row = problem.data[(frame["outlook"] == "rainy") & (frame["windy"].astype(str) == value)][:1]
    assert model.predict_proba(row)[0] == pytest.approx(np.array(products) / sum(products))


def test_naive_is_naive_bayes_where_all_is_known():
    for laplace in (0, 1):
        model = BayesianNetworkClassifier("naive", laplace=laplace).fit(X, Y)
        rival = NaiveBayes(laplace=laplace).fit(X, Y)
        assert model.predict_proba(X) == pytest.approx(rival.predict_proba(X))
    numbers = load("iris").frame.drop(columns="species")
    species = load("iris").frame["species"].astype(str)
    model = BayesianNetworkClassifier("naive", n_bins=4).fit(numbers, species)
    rival = NaiveBayes(1, numeric="discretised", n_bins=4).fit(numbers, species)
    assert model.predict_proba(numbers) == pytest.approx(rival.predict_proba(numbers))


def test_it_learns_exclusive_or_which_naive_bayes_cannot():
    frame = pd.DataFrame(list(itertools.product("01", "01")) * 5, columns=["a", "b"])
    y = (frame["a"] != frame["b"]).astype(int)
    assert (BayesianNetworkClassifier().fit(frame, y).predict(frame) == y).all()
    assert BayesianNetworkClassifier("naive").fit(frame, y).predict_proba(frame) == pytest.approx(
        np.full((20, 2), 0.5)
    )


def test_a_repeated_column_counts_once():
    frame = pd.DataFrame({"a": list("0001011011") * 4})
    y = np.tile([0, 0, 0, 0, 0, 1, 1, 1, 1, 1], 4)
    twice = frame.assign(b=frame["a"])
    once = BayesianNetworkClassifier(laplace=0).fit(frame, y).predict_proba(frame)
    both = BayesianNetworkClassifier(laplace=0).fit(twice, y).predict_proba(twice)
    naive = BayesianNetworkClassifier("naive", laplace=0).fit(twice, y).predict_proba(twice)
    assert both == pytest.approx(once)
    assert naive.max() > once.max() + 0.05


def test_degenerate_tables():
    one = BayesianNetworkClassifier().fit(X[["outlook"]], Y)
    assert one.parents_ == (-1,)
    assert one.edges_ == ()
    single = BayesianNetworkClassifier().fit(X, np.zeros(len(X), int))
    assert single.predict_proba(X) == pytest.approx(np.ones((len(X), 1)))
    empty = X.assign(wind=np.full(len(X), None, dtype=object))
    for laplace in (0, 1):
        model = BayesianNetworkClassifier(laplace=laplace).fit(empty, Y)
        assert np.isfinite(model.predict_proba(empty)).all()
    unseen = X.iloc[[0]].assign(outlook="hail")
    model = BayesianNetworkClassifier().fit(X, Y)
    unknown = X.iloc[[0]].assign(outlook=None)
    assert model.predict_proba(unseen) == pytest.approx(model.predict_proba(unknown))


def test_where_all_products_are_zero_the_prior_decides():
    frame = pd.DataFrame({"a": ["u", "v"], "b": ["u", "v"]})
    model = BayesianNetworkClassifier("naive", laplace=0).fit(frame, [0, 1])
    assert model.predict_proba(pd.DataFrame({"a": ["u"], "b": ["v"]})).tolist() == [[0.5, 0.5]]


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"root": 5}, "root must be the number of a column, from 1 to 4; it is 5"),
        ({"structure": "chain"}, "one of tan, naive"),
        ({"laplace": -1}, "laplace must be"),
    ],
)
def test_refusals(params, message):
    with pytest.raises(ValueError, match=message):
        BayesianNetworkClassifier(**params).fit(X, Y)


def test_a_table_of_very_many_cells_is_refused():
    many = pd.DataFrame({name: np.arange(1500).astype(str) for name in "ab"})
    with pytest.raises(ValueError, match="Leave out columns with very many values"):
        BayesianNetworkClassifier().fit(many, np.arange(1500) % 2)


def test_steps_end_with_what_fit_learns():
    model = BayesianNetworkClassifier().fit(X, Y)
    steps = list(BayesianNetworkClassifier().steps(X, Y))
    learned = [step for step in steps if hasattr(step, "tables")]
    assert learned[-1].parents == model.parents_
    assert learned[-1].edges == model.edges_
    assert [step.phase for step in learned[:8]] == ["prior", *["measure"] * 6, "connect"]
    assert len(steps) - len(learned) == X.shape[1] + 2
