"""The lesson on Bayesian networks says what the algorithms compute."""

from fractions import Fraction

import numpy as np
import pytest

from dmlib.classification import BayesianNetworkClassifier, ExactInference
from dmlib.datasets import load
from dmlib.problem import prepare_network
from tests.contract.test_lessons import section, text_of

TEXT = text_of("bayesian_network")


def test_the_day_of_the_lesson():
    text = section(TEXT, "By hand")
    frame = load("weather_nominal").frame
    X, y = frame.drop(columns="play"), frame["play"].astype(str)
    model = BayesianNetworkClassifier().fit(X, y)
    for first, second in model.edges_:
        assert f"**{model.information_[first, second]:.4f}**" in text
    *_, last = model.explain_steps(["sunny", "cool", "high", "TRUE"])
    no, yes = np.exp(last.log_joint)
    assert f"| product | **{yes:.6f}** | **{no:.6f}** |" in text
    rows = [line.split("|")[2:4] for line in text.splitlines() if "/" in line and line[0] == "|"]
    factors = np.array([[_value(cell) for cell in row] for row in rows])
    assert factors.prod(axis=0) == pytest.approx([yes, no])
    assert f"= **{last.posterior[1]:.3f}**, where" in text
    naive = BayesianNetworkClassifier("naive").fit(X, y)
    *_, last = naive.explain_steps(["sunny", "cool", "high", "TRUE"])
    assert f"says **{last.posterior[1]:.3f}**" in text


def _value(cell):
    """Return a fraction of sums, such as (0 + 1)/(3 + 2)."""
    upper, lower = cell.replace("(", "").replace(")", "").split("/")
    return float(Fraction(sum(map(int, upper.split("+"))), sum(map(int, lower.split("+")))))


def test_both_neighbours_call():
    text = section(TEXT, "By hand")
    calls = {"john_calls": "yes", "mary_calls": "yes"}
    problem = prepare_network(load("burglary").nodes, "burglary", calls)
    first, second = (
        step.result for step in ExactInference().steps(problem) if step.phase == "eliminate"
    )
    assert first.restricted({"alarm": 0}).table == pytest.approx([0.94002, 0.001578])
    assert all(f"**{value:.6g}**" in text for value in first.restricted({"alarm": 0}).table)
    assert f"**{second.table[0]:.6f}**" in text
    assert f"**{second.table[1]:.6f}**" in text
    probability = ExactInference().fit(problem).probabilities_[0]
    assert f"P(burglary) = **{probability:.3f}**" in text


def test_a_network_needs_fewer_numbers():
    nodes = load("burglary").nodes
    needed = [node.table[..., 0].size for node in nodes]
    text = section(TEXT, "The joint distribution")
    assert f"{' + '.join(map(str, needed))} = {sum(needed)} numbers" in text
    assert 2 ** len(nodes) - 1 == 31


def test_the_likelihood_is_the_sum_of_the_information():
    """Of trees on four columns, all have the likelihood that the lesson derives."""
    frame = load("weather_nominal").frame
    X, y = frame.drop(columns="play"), frame["play"].astype(str)
    naive = BayesianNetworkClassifier("naive", laplace=0).fit(X, y)
    for root in (1, 2, 3, 4):
        tree = BayesianNetworkClassifier(root=root, laplace=0).fit(X, y)
        places = np.searchsorted(tree.classes_, y)
        gain = [
            model.predict_joint_log_proba(X)[np.arange(len(X)), places].mean() / np.log(2)
            for model in (naive, tree)
        ]
        assert gain[1] - gain[0] == pytest.approx(tree.total_information_)


def test_multiplications_of_the_lesson():
    evidence = {"x_ray": "abnormal", "dyspnoea": "yes"}
    problem = prepare_network(load("asia").nodes, "lung_cancer", evidence)
    counts = [
        ExactInference(way).fit(problem).n_products_ for way in ("elimination", "enumeration")
    ]
    assert "{} multiplications instead of {}".format(*counts) in TEXT
