"""Questions about threshold graph clustering: components come from networkx."""

import re

import networkx as nx
import pytest

from dmlib.clustering.graph_clustering.questions import Rule
from dmlib.pictures.question import judge
from tests.rounds import of_topics, round_by_topic


@pytest.fixture(params=range(6))
def round_of_seed(request):
    run, by_topic = round_by_topic("graph_clustering", request.param)
    graph = run.problem.graph
    ranked = sorted(graph.edges(data="weight"), key=lambda edge: -edge[2])
    return run, by_topic, ranked


def components_of(run, edges):
    graph = nx.Graph()
    graph.add_nodes_from(run.problem.graph)
    graph.add_weighted_edges_from(edges)
    return list(nx.connected_components(graph))


def test_components_are_joined_by_the_edges_kept_so_far(round_of_seed):
    run, by_topic, ranked = round_of_seed
    number = {node: i + 1 for i, node in enumerate(run.problem.graph)}
    for question in of_topics(by_topic, "components", "members"):
        components = components_of(run, ranked[: question.step + 1])
        if question.topic == "components":
            assert judge(question, len(components)).is_right
        else:
            (members,) = (
                each for each in components if question.about[0] in {number[node] for node in each}
            )
            assert judge(question, sorted(number[node] for node in members)).is_right


def test_the_next_edge_is_the_heaviest_of_those_that_are_left(round_of_seed):
    run, by_topic, ranked = round_of_seed
    edges = list(run.problem.graph.edges)
    for question in of_topics(by_topic, "next edge"):
        heaviest = ranked[question.step][2]
        for u, v, weight in ranked[question.step :]:
            is_right = judge(question, [edges.index((u, v)) + 1]).is_right
            assert is_right == (weight == heaviest)


def test_a_threshold_keeps_the_edges_that_equal_it(round_of_seed):
    run, by_topic, ranked = round_of_seed
    for question in of_topics(by_topic, "threshold"):
        threshold = float(re.search(r"threshold ([\d.]+)", question.prompt)[1])
        n = len(components_of(run, [edge for edge in ranked if edge[2] >= threshold]))
        assert judge(question, n).is_right
        n_strict = len(components_of(run, [edge for edge in ranked if edge[2] > threshold]))
        assert judge(question, n_strict).rule in (Rule.STRICT, None)
