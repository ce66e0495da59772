"""Questions about graphs: distances, orders and paths with networkx."""

import networkx as nx
import pytest

from dashboard.rounds import practice_settings, questions_of, view_of
from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from dmlib.problem import prepare_graph
from dmlib.similarity import GraphKernel, NodeCentrality, ShortestPaths
from dmlib.similarity.graphs_similarity.questions import Rule, questions
from tests.visit import technique


@pytest.fixture(params=range(5))
def parts(request):
    """Return the graph, the distances from its first node, the run and its questions."""
    page = technique("graphs_similarity")
    view = view_of(page, practice_settings(page, request.param))
    G = view.run.problem.graph
    nodes = list(G)
    distances = nx.single_source_dijkstra_path_length(G, nodes[0])
    all_questions = questions_of(view)
    return G, nodes, distances, view.run, [each.question for each in all_questions]


def test_nodes_are_settled_by_their_distance(parts):
    _, _, distances, run, all_questions = parts
    names = dict(zip(run.problem.names, distances_in_order(run, distances), strict=True))
    for question in (each for each in all_questions if each.topic == "order"):
        items = question.answer.items
        order = sorted(range(len(items)), key=lambda i: names[items[i]])
        assert judge(question, order).is_right


def distances_in_order(run, distances):
    """Return the distance of each node, in the order of the graph."""
    return [distances.get(node, float("inf")) for node in run.problem.graph]


def test_distances_and_shorter_paths(parts):
    G, nodes, distances, run, all_questions = parts
    for question in all_questions:
        if question.topic not in ("distance", "shorter paths"):
            continue
        before, step = run.trace.steps[question.step - 1], run.trace.steps[question.step]
        node = nodes[step.node]

        def through(i, node=node):
            weight = G.get_edge_data(node, nodes[i], {"weight": float("inf")})["weight"]
            return distances[node] + weight

        if question.topic == "distance":
            i = question.about[0] - 1
            assert judge(question, float(min(before.distances[i], through(i)))).is_right
        else:
            unsettled = [i for i in range(len(nodes)) if i not in step.order]
            right = [i + 1 for i in unsettled if through(i) < before.distances[i]]
            assert judge(question, right).is_right


def test_paths_are_shortest(parts):
    G, nodes, _, _, all_questions = parts
    for question in (each for each in all_questions if each.topic == "path"):
        paths = nx.all_shortest_paths(G, nodes[0], nodes[-1], weight="weight")
        right = {frozenset(nodes.index(node) + 1 for node in path) for path in paths}
        assert {frozenset(each) for each in question.answer.right} == right


def test_other_methods_have_questions():
    G = nx.Graph()
    G.add_weighted_edges_from([("a", "c", 9), ("a", "b", 2), ("b", "c", 3), ("d", "e", 1)])
    through = list(questions(Run.of(prepare_graph(G), ShortestPaths())))
    assert judge(through[-1], 5).is_right
    assert judge(through[-1], 9).rule is Rule.STAYS
    kernel = list(questions(Run.of(prepare_graph(G), GraphKernel(n_iter=1))))
    assert judge(kernel[0], 0).is_right  # all of the triangle have two neighbours, d and e one
    (first, *_) = questions(Run.of(prepare_graph(nx.star_graph(3)), NodeCentrality()))
    assert judge(first, [1]).is_right
