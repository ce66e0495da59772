"""Exact inference against the joint distribution, and textbooks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlib.classification import ExactInference
from dmlib.datasets import load, names
from dmlib.datasets.networks import NetworkNode
from dmlib.problem import prepare_network

NETWORKS = names("network")


def joint_table(nodes):
    """Return the joint distribution as one array, cell by cell."""
    places = {node.name: i for i, node in enumerate(nodes)}
    joint = np.empty([len(node.values) for node in nodes])
    for state in np.ndindex(joint.shape):
        joint[state] = np.prod(
            [
                node.table[(*(state[places[each]] for each in node.parents), state[i])]
                for i, node in enumerate(nodes)
            ]
        )
    return joint


def by_brute_force(nodes, target, evidence):
    """Return P(target | evidence) and P(evidence), by adding up the cells."""
    joint = joint_table(nodes)
    for axis, node in enumerate(nodes):
        if node.name in evidence:
            joint = joint.take([node.values.index(evidence[node.name])], axis=axis)
    place = [node.name for node in nodes].index(target)
    weights = joint.sum(axis=tuple(axis for axis in range(joint.ndim) if axis != place))
    return weights / weights.sum(), weights.sum()


@st.composite
def random_networks(draw):
    """Return a network of up to six nodes of two or three values, with tables at random."""
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    nodes = []
    for i in range(draw(st.integers(1, 6))):
        parents = [nodes[j] for j in range(i) if rng.random() < 0.5][:3]
        shape = [len(parent.values) for parent in parents]
        values = tuple("xyz"[: rng.integers(2, 4)])
        table = rng.dirichlet(np.ones(len(values)), shape or None)
        nodes.append(NetworkNode(f"n{i}", values, tuple(parent.name for parent in parents), table))
    return tuple(nodes)


@st.composite
def questions_about(draw, networks):
    """Return a network, a target and evidence on some other nodes."""
    nodes = draw(networks)
    target = draw(st.sampled_from([node.name for node in nodes]))
    evidence = {
        node.name: draw(st.sampled_from(node.values))
        for node in nodes
        if node.name != target and draw(st.booleans())
    }
    return nodes, target, evidence


ANY = st.one_of(random_networks(), st.sampled_from(NETWORKS).map(lambda name: load(name).nodes))


@given(questions_about(ANY), st.sampled_from(["smallest", "downwards", "upwards", "enumeration"]))
def test_all_ways_agree_with_the_joint_distribution(question, way):
    nodes, target, evidence = question
    expected, p_evidence = (
        by_brute_force(nodes, target, evidence) if _is_possible(nodes, evidence) else (None, 0.0)
    )
    model = ExactInference("enumeration") if way == "enumeration" else ExactInference(order=way)
    problem = prepare_network(nodes, target, evidence)
    if not p_evidence:
        with pytest.raises(ValueError, match="has the probability 0"):
            model.fit(problem)
        return
    model.fit(problem)
    assert model.probabilities_ == pytest.approx(expected)
    assert model.probabilities_.sum() == pytest.approx(1)
    assert model.evidence_probability_ == pytest.approx(p_evidence)


def _is_possible(nodes, evidence):
    joint = joint_table(nodes)
    for axis, node in enumerate(nodes):
        if node.name in evidence:
            joint = joint.take([node.values.index(evidence[node.name])], axis=axis)
    return joint.sum() > 0


@given(questions_about(random_networks()))
def test_what_is_d_separated_changes_nothing(question):
    nodes, target, evidence = question
    model = ExactInference().fit(prepare_network(nodes, target, evidence))
    for name in model.independent_:
        values = next(node.values for node in nodes if node.name == name)
        more = ExactInference().fit(prepare_network(nodes, target, {**evidence, name: values[0]}))
        assert more.probabilities_ == pytest.approx(model.probabilities_)


@pytest.mark.parametrize(
    ("name", "target", "evidence", "expected"),
    [
        # Russell and Norvig (2010), section 14.4
        ("burglary", "burglary", {"john_calls": "yes", "mary_calls": "yes"}, 0.284),
        # Tan, Steinbach and Kumar (2005), section 5.3.5
        ("heart_network", "heart_disease", {}, 0.49),
        ("heart_network", "heart_disease", {"blood_pressure": "high"}, 0.8033),
        (
            "heart_network",
            "heart_disease",
            {"blood_pressure": "high", "diet": "healthy", "exercise": "yes"},
            0.5862,
        ),
        # K. Murphy, A brief introduction to graphical models and Bayesian networks (1998)
        ("sprinkler", "sprinkler", {"wet_grass": "yes"}, 0.430),
        ("sprinkler", "rain", {"wet_grass": "yes"}, 0.708),
        ("sprinkler", "sprinkler", {"wet_grass": "yes", "rain": "yes"}, 0.1945),
        # Lauritzen and Spiegelhalter (1988): the margins
        ("asia", "dyspnoea", {}, 0.436),
        ("asia", "tuberculosis", {}, 0.0104),
    ],
)
def test_numbers_of_the_literature(name, target, evidence, expected):
    model = ExactInference().fit(prepare_network(load(name).nodes, target, evidence))
    assert model.probabilities_[0] == pytest.approx(expected, abs=0.0006)


@pytest.mark.parametrize(
    ("target", "evidence", "independent"),
    [
        ("burglary", [], ("earthquake",)),
        ("burglary", ["john_calls"], ()),
        ("burglary", ["alarm"], ("john_calls", "mary_calls")),
        ("john_calls", [], ()),
        ("john_calls", ["alarm"], ("burglary", "earthquake", "mary_calls")),
    ],
)
def test_chains_forks_and_colliders(target, evidence, independent):
    problem = prepare_network(load("burglary").nodes, target, dict.fromkeys(evidence, "yes"))
    assert ExactInference().fit(problem).independent_ == independent


def test_enumeration_multiplies_more():
    calls = {"john_calls": "yes", "mary_calls": "yes"}
    problem = prepare_network(load("burglary").nodes, "burglary", calls)
    one, all_states = ExactInference().fit(problem), ExactInference("enumeration").fit(problem)
    assert all_states.n_products_ == 2 * 2 * 2 * 4  # burglary, earthquake, alarm: four times each
    # alarm · john · mary · P(alarm | ...) has 8 cells: 2 products each; then 4 cells · 1; then 2
    assert one.n_products_ < all_states.n_products_


def test_refusals():
    nodes = load("sprinkler").nodes
    impossible = {"sprinkler": "no", "rain": "no", "wet_grass": "yes"}
    with pytest.raises(ValueError, match="has the probability 0"):
        ExactInference().fit(prepare_network(nodes, "cloudy", impossible))
    with pytest.raises(ValueError, match="X must be a question about a network"):
        ExactInference().fit([[0.0]])
    many = [NetworkNode(f"n{i}", ("a", "b"), (), np.array([0.5, 0.5])) for i in range(13)]
    with pytest.raises(ValueError, match="8,192 products"):
        ExactInference("enumeration").fit(prepare_network(many, "n0"))
    assert ExactInference().fit(prepare_network(many, "n0")).probabilities_.tolist() == [0.5, 0.5]


def test_a_single_node_keeps_its_table():
    nodes = (NetworkNode("coin", ("heads", "tails"), (), np.array([0.25, 0.75])),)
    model = ExactInference().fit(prepare_network(nodes))
    assert model.probabilities_.tolist() == [0.25, 0.75]
    assert (model.n_products_, model.independent_) == (0, ())
