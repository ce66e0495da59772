"""Questions about Bayesian networks: answers are worked out again from the rows."""

import re

import networkx as nx
import numpy as np
import pytest

from dmlib.classification import ExactInference
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
        assert verdict.is_right or verdict.rule is Rule.UNDIVIDED


def test_a_query_is_asked_about_its_factors_and_its_end():
    evidence = {"wet_grass": "yes"}
    problem = prepare_network(load("sprinkler").nodes, "rain", evidence)
    by_topic = {each.topic: each for each in questions(Run.of(problem, ExactInference()))}
    assert judge(by_topic["probability"], 0.708).is_right
    assert judge(by_topic["probability"], 0.4581).rule is Rule.UNDIVIDED
    # the last variable, after the first one is gone: its factor f1, and that of the wet grass
    assert judge(by_topic["factors"], 2).is_right
