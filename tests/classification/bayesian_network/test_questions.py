"""Questions about Bayesian networks: answers are worked out again from the rows."""

import re
from itertools import combinations, product

import networkx as nx
import numpy as np
import pytest
from sklearn.metrics import mutual_info_score

from dmlib.classification import ExactInference
from dmlib.classification.bayesian_network.inference_questions import InferenceRule
from dmlib.classification.bayesian_network.questions import Rule, questions
from dmlib.datasets import load
from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from dmlib.problem import prepare_network
from tests.rounds import round_by_topic

SEEDS = range(5)


@pytest.mark.parametrize("seed", SEEDS)
def test_an_edge_closes_no_cycle(seed):
    run, by_topic = round_by_topic("bayesian_network", seed)
    for question in by_topic["edge"]:
        first, second = re.search(r"Next is (\w+) – (\w+),", question.prompt).groups()
        graph = nx.Graph()
        graph.add_nodes_from(run.problem.features)
        graph.add_edges_from(re.findall(r"(\w+) – (\w+)", question.prompt.split("Next is")[0]))
        is_connected = nx.has_path(graph, first, second)
        assert judge(question, int(is_connected)).is_right
        wrong = judge(question, 0 if is_connected else 2)
        assert wrong.rule is (Rule.STRONG if is_connected else Rule.WEAK)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_next_edge_has_the_most_information_given_the_class(seed):
    run, by_topic = round_by_topic("bayesian_network", seed)
    frame, y = run.problem.training.data.astype(str), np.asarray(run.problem.training.y)

    def bits(pair, rows):
        return mutual_info_score(*(frame[name][rows] for name in pair)) / np.log(2)

    given = {
        pair: sum((y == c).mean() * bits(pair, y == c) for c in set(y))
        for pair in combinations(run.problem.features, 2)
    }
    over_all = {pair: bits(pair, np.ones(len(y), bool)) for pair in given}
    graph = nx.Graph()
    graph.add_weighted_edges_from((*pair, value) for pair, value in given.items())
    edges = {frozenset(edge) for edge in nx.maximum_spanning_edges(graph, data=False)}
    for question in by_topic["next edge"]:
        pairs = [tuple(option.split(" – ")) for option in question.answer.options]
        right = max(pairs, key=given.get)
        assert frozenset(right) in edges
        assert judge(question, pairs.index(right)).is_right
        mistake = max(pairs, key=over_all.get)
        assert judge(question, pairs.index(mistake)).rule is Rule.MARGINAL
        assert f"{given[right]:.3g}" in question.proof
        assert f"{given[mistake]:.3g}" in question.proof


def test_the_next_edge_is_asked_for_where_the_class_decides():
    topics = [set(round_by_topic("bayesian_network", seed)[1]) for seed in SEEDS]
    assert any("next edge" in each for each in topics)


@pytest.mark.parametrize("seed", SEEDS)
def test_entries_are_counted(seed):
    run, by_topic = round_by_topic("bayesian_network", seed)
    problem = run.problem
    frame = problem.training.data.astype(str)
    labels = np.array([problem.classes[code] for code in problem.training.y])
    assert by_topic["estimate"]
    for question in by_topic["estimate"]:
        pattern = r"for (\w+) = (\w+), given (\w+) and (\w+) = (\w+)\?"
        column, value, name, parent, state = re.search(pattern, question.prompt).groups()
        has_state = (frame[parent] == state) & (labels == name)
        n_values = len(problem.categories[problem.features.index(column)])
        n = int((has_state & (frame[column] == value)).sum())
        assert judge(question, (n + 1) / (has_state.sum() + n_values)).is_right
        by_class = frame[column][labels == name]
        mistake = ((by_class == value).sum() + 1) / (len(by_class) + n_values)
        verdict = judge(question, float(mistake))
        assert verdict.is_right or verdict.rule is Rule.CLASS_ONLY


@pytest.mark.parametrize("seed", SEEDS)
def test_parents_are_on_the_path_to_the_root(seed):
    run, by_topic = round_by_topic("bayesian_network", seed)
    features = run.problem.features
    graph = nx.Graph(run.fitted.edges_)
    for question in by_topic["parent"]:
        child = re.search(r"does (\w+) get", question.prompt)[1]
        path = nx.shortest_path(graph, 0, features.index(child))
        assert judge(question, question.answer.options.index(features[path[-2]])).is_right


def test_shares_are_divided_by_the_sum():
    _, by_topic = round_by_topic("bayesian_network", 0)
    for question in by_topic["share"]:
        numbers = [float(each) for each in re.findall(r"(\d\.?\d*) for", question.prompt)]
        half = len(numbers) // 2
        products = [a * b for a, b in zip(numbers[:half], numbers[half:], strict=True)]
        names = re.findall(r"for (\w+)", question.prompt)[:half]
        name = re.search(r"probability of (\w+) then", question.prompt)[1]
        product = products[names.index(name)]
        assert judge(question, product / sum(products)).is_right
        verdict = judge(question, product)
        assert verdict.is_right or verdict.rule is InferenceRule.UNDIVIDED


def test_a_query_is_asked_about_its_factors_and_its_end():
    evidence = {"wet_grass": "yes"}
    problem = prepare_network(load("sprinkler").nodes, "rain", evidence)
    by_topic = {each.topic: each for each in questions(Run.of(problem, ExactInference()))}
    assert judge(by_topic["probability"], 0.708).is_right
    assert judge(by_topic["probability"], 0.4581).rule is InferenceRule.UNDIVIDED
    assert judge(by_topic["factors"], 1).rule is InferenceRule.OWN
    # the last variable, after the first one is gone: its factor f1, and that of the wet grass
    assert judge(by_topic["factors"], 2).is_right


def joint_of(problem):
    """Return the nodes of a network, and the probability of each state of all of them."""
    places = {name: i for i, name in enumerate(problem.names)}
    states = product(*(range(len(node.values)) for node in problem.nodes))

    def probability(state):
        codes = (
            tuple(state[places[name]] for name in (*node.parents, node.name))
            for node in problem.nodes
        )
        return np.prod([node.table[each] for node, each in zip(problem.nodes, codes, strict=True)])

    return places, {state: probability(state) for state in states}


@pytest.mark.parametrize(
    ("name", "target", "evidence"),
    [
        ("asia", "lung_cancer", {"smoker": "yes", "x_ray": "abnormal"}),
        ("asia", "tuberculosis", {}),
        ("burglary", "burglary", {"alarm": "yes"}),
        ("sprinkler", "sprinkler", {"cloudy": "yes"}),
        ("asia", "lung_cancer", {"smoker": "yes", "dyspnoea": "yes"}),
    ],
)
def test_independent_nodes_tell_nothing_about_the_target(name, target, evidence):
    problem = prepare_network(load(name).nodes, target, evidence)
    (question,) = (
        each
        for each in questions(Run.of(problem, ExactInference()))
        if each.topic == "independence"
    )
    places, joint = joint_of(problem)
    observed = {
        places[name]: problem.by_name[name].values.index(value) for name, value in evidence.items()
    }
    asked = places[target]

    def share(node, code):
        """Return the probability of the target's first value, given a value of a node too."""
        known = observed | {node: code}
        agree = [state for state in joint if all(state[i] == v for i, v in known.items())]
        first = sum(joint[state] for state in agree if state[asked] == 0)
        return first / sum(joint[state] for state in agree)

    independent = [
        i + 1
        for i, node in enumerate(problem.nodes)
        if i != asked and i not in observed
        if np.ptp([share(i, code) for code in range(len(node.values))]) < 1e-12
    ]
    assert judge(question, independent).is_right


def test_wrong_rules_of_paths():
    evidence = {"smoker": "yes", "x_ray": "abnormal"}
    problem = prepare_network(load("asia").nodes, "lung_cancer", evidence)
    question = next(questions(Run.of(problem, ExactInference())))
    numbers = {name: problem.names.index(name) + 1 for name in problem.names}
    assert judge(question, [numbers["bronchitis"]]).is_right
    # the X-ray tells of "either", where tuberculosis and lung cancer meet
    separated = [numbers[name] for name in ("visit_to_asia", "tuberculosis", "bronchitis")]
    assert judge(question, separated).rule is InferenceRule.COLLIDER
    # dyspnoea is not observed, so that nothing passes from bronchitis to "either"
    assert judge(question, []).rule is InferenceRule.OPEN


def test_factors_of_the_chest_clinic_by_hand():
    _, by_topic = round_by_topic("bayesian_network", 0, 1)
    right = [2, 2, 2, 1, 3]
    for question, n in zip(by_topic["factors"], right, strict=True):
        assert judge(question, n).is_right
    first, last = by_topic["factors"][0], by_topic["factors"][-1]
    assert judge(first, 8).rule is InferenceRule.ALL
    assert judge(last, 5).rule is InferenceRule.ALL
    assert judge(last, 1).rule is InferenceRule.OWN
