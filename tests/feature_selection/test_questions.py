"""Questions about feature selection: the search is made again with scikit-learn's regression."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression

from dashboard.rounds import practice_settings, questions_of, view_of
from dmlib.feature_selection import (
    L0SVM,
    CoverageSelector,
    FilterSelector,
    ProbeSelector,
    SubsetSearch,
)
from dmlib.feature_selection.annealing_questions import AnnealingRule
from dmlib.feature_selection.genetic_questions import GeneticRule
from dmlib.feature_selection.questions import questions
from dmlib.feature_selection.search_questions import Rule
from dmlib.feature_selection.sensor_questions import SensorRule
from dmlib.feature_selection.walk import all_sets
from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.rounds import of_topics, round_by_topic, step_of
from tests.visit import technique


def aic(X, y, subset):
    """Return Akaike's criterion of least squares on some columns."""
    columns = X[:, list(subset)] if subset else np.zeros((len(X), 1))
    residual = y - LinearRegression().fit(columns, y).predict(columns)
    return len(y) * np.log(residual @ residual / len(y)) + 2 * (len(subset) + 1)


@pytest.mark.parametrize("seed", range(4))
def test_the_next_set_is_the_best_neighbour_if_it_is_better(seed):
    page = technique("feature_selection")
    view = view_of(page, practice_settings(page, seed))
    problem = view.run.problem
    X, y, sets = problem.X, problem.y, all_sets(len(problem.features))
    for each in questions_of(view):
        subset = view.run.trace.steps[each.question.step - 1].subset
        larger = [tuple(sorted({*subset, j})) for j in range(X.shape[1]) if j not in subset]
        if each.question.topic == "next set":
            best = min([subset, *larger], key=lambda columns: aic(X, y, columns))
            assert judge(each.question, [sets.index(best) + 1]).is_right
        elif each.question.topic == "sets compared":
            assert judge(each.question, len(larger)).is_right
        else:
            value = float(aic(X, y, larger[0]))
            assert judge(each.question, value).is_right
            assert judge(each.question, value - 2).rule is Rule.INTERCEPT


def test_filters_and_coverage_choose_by_their_scores():
    rng = np.random.default_rng(0)
    a, b, c = rng.normal(size=(3, 20))
    frame = pd.DataFrame({"a": a, "b": b, "c": c, "d": a + 0.01 * b, "y": 3 * b - a})
    names = {"target": "y", "labelled": True, "numeric_target": True}
    problem = prepare(frame, list("abcd"), **names)
    by_filter = {q.topic: q for q in questions(Run.of(problem, FilterSelector(k=1)))}
    assert judge(by_filter["next column"], [2]).is_right
    (covered,) = questions(Run.of(problem, CoverageSelector(n_features_to_select=2)))
    assert judge(covered, [3]).is_right
    assert not judge(covered, [4]).is_right


@pytest.mark.parametrize(
    "search", ["backward", "bidirectional", "local", "annealing", "genetic", "best"]
)
def test_every_search_has_answers_of_its_own_steps(search):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.normal(size=(30, 9)), columns=list("abcdefghy"))
    names = {"target": "y", "labelled": True, "numeric_target": True}
    problem = prepare(frame, list("abcdefgh"), **names)
    for question in questions(Run.of(problem, SubsetSearch(search=search))):
        assert judge(question, question.answer.right[0]).is_right


def test_a_probe_competes_with_the_columns_and_scales_are_multiplied():
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(rng.normal(size=(40, 3)), columns=list("abc"))
    frame["y"] = 3 * frame["a"] + rng.normal(size=40)
    frame["kind"] = np.where(frame["y"] > 0, "high", "low")
    names = {"labelled": True, "numeric_target": True}
    problem = prepare(frame, list("abc"), target="y", **names)
    first = next(questions(Run.of(problem, ProbeSelector(n_probes=3, random_state=0))))
    r = np.corrcoef(frame["a"], frame["y"])[0, 1]
    assert f"{100 * r**2:.1f} %" in first.prompt
    assert judge(first, 0).is_right

    run = Run.of(prepare(frame, list("abc"), target="kind", labelled=True), L0SVM(max_iter=3))
    for question in questions(run):
        step = run.trace.steps[question.step]
        scales = np.abs(step.before * step.weights[0])
        assert judge(question, float(scales.max())).is_right


@pytest.mark.parametrize("seed", range(6))
def test_annealing_follows_metropolis_rule(seed):
    run, by_topic = round_by_topic("feature_selection", seed, 1)
    X, y, sets = run.problem.X, run.problem.y, all_sets(run.problem.X.shape[1])
    for question in of_topics(by_topic, "probability", "proposal", "better proposal"):
        step, before = step_of(run, question)
        (proposal,), heat = step.candidates, 5.0 * 0.9 ** (question.step - 1)
        loss = aic(X, y, proposal) - aic(X, y, before.subset)
        if question.topic == "probability":
            assert judge(question, float(np.exp(-loss / heat))).is_right
            assert judge(question, float(np.exp(loss / heat))).rule is AnnealingRule.SIGN
            assert judge(question, 0.0).rule is AnnealingRule.DESCENT
            assert judge(question, 1.0).rule is AnnealingRule.WALK
        elif question.topic == "proposal":
            is_accepted = step.draw < np.exp(-loss / heat)
            assert loss > 0
            assert judge(question, 0 if is_accepted else 1).is_right
            misconception = AnnealingRule.DESCENT if is_accepted else AnnealingRule.WALK
            assert judge(question, 1 if is_accepted else 0).rule is misconception
        else:
            assert loss <= 0
            assert step.draw >= np.exp(-abs(loss) / heat)
            assert judge(question, 0).is_right
            assert judge(question, 1).rule is AnnealingRule.CHANCE
    for question in by_topic["answer"]:
        visited = [each.subset for each in run.trace.steps[: question.step]]
        best = min(visited, key=lambda columns: aic(X, y, columns))
        assert judge(question, [sets.index(best) + 1]).is_right
        assert judge(question, [sets.index(visited[-1]) + 1]).rule is AnnealingRule.LAST


@pytest.mark.parametrize("seed", range(6))
def test_children_are_crossed_and_the_best_set_stays(seed):
    run, by_topic = round_by_topic("feature_selection", seed, 2)
    X, y, sets = run.problem.X, run.problem.y, all_sets(run.problem.X.shape[1])
    for question in of_topics(by_topic, "child", "best set", "no mutation"):
        step, before = step_of(run, question)
        if question.topic == "child":
            number = {each: [sets.index(each) + 1] for each in sets}
            makings = {
                (child.parents, child.cut): tuple(
                    sorted({*child.subset} ^ {*child.mutated} ^ {*child.repaired})
                )
                for child in step.children
            }
            (right,) = {s for s in makings.values() if judge(question, number[s]).is_right}
            ((a, b), cut) = next(
                key for key, start in makings.items() if start == right and _named(question, key)
            )
            bits = [(j in (a if j < cut else b)) for j in range(X.shape[1])]
            assert right == tuple(np.flatnonzero(bits))
            swapped = tuple(
                np.flatnonzero([(j in (b if j < cut else a)) for j in range(X.shape[1])])
            )
            assert judge(question, number[swapped]).rule is GeneticRule.SWAPPED
            union = tuple(sorted({*a, *b}))
            if union != swapped:
                assert judge(question, number[union]).rule is GeneticRule.UNION
        elif question.topic == "best set":
            old = aic(X, y, before.subset)
            new = min(aic(X, y, child.subset) for child in step.children)
            assert judge(question, int(new < old)).is_right
            rule = GeneticRule.KEPT if new < old else GeneticRule.REPLACED
            assert judge(question, int(new >= old)).rule is rule
        else:
            assert judge(question, 0.9**5).is_right
            assert judge(question, 0.5).rule is GeneticRule.ADDED


def _named(question, key):
    (a, b), cut = key
    order = question.prompt.split("in the order ")[1].split(":")[0].split(", ")
    first, second = ("{" + ", ".join(order[j] for j in each) + "}" for each in (a, b))
    first, second = (each.replace("{}", "the empty set") for each in (first, second))
    return f"{first} and {second} are crossed after {order[cut - 1]}," in question.prompt


@pytest.mark.parametrize("seed", range(6))
def test_sensors_cover_a_union_of_neighbourhoods(seed):
    run, by_topic = round_by_topic("feature_selection", seed, 3)
    graph = nx.convert_node_labels_to_integers(run.problem.graph)
    reached = [{node, *graph[node]} for node in graph]
    for question in of_topics(by_topic, "next node", "gain of a node", "nodes covered"):
        step, before = step_of(run, question)
        chosen, sensors = step.chosen[-1], before.chosen
        covered = set().union(*(reached[node] for node in sensors))
        gains = [len(each - covered) for each in reached]
        if question.topic == "next node":
            best = [node + 1 for node, gain in enumerate(gains) if gain == max(gains)]
            assert all(judge(question, [node]).is_right for node in best)
            free = [node for node in graph if node not in covered]
            uncovered = max(free, key=lambda node: gains[node])
            if gains[uncovered] < max(gains) and uncovered != question.errors[0].answer[0] - 1:
                assert judge(question, [uncovered + 1]).rule is SensorRule.UNCOVERED
        elif question.topic == "gain of a node":
            assert judge(question, gains[chosen]).is_right
            if gains[chosen] < len(reached[chosen]):
                assert judge(question, len(reached[chosen])).rule is SensorRule.OVERLAP
        else:
            assert judge(question, len(covered | reached[chosen])).is_right
            sensors = [*sensors, chosen]
            neighbours = set().union(*(graph[node] for node in sensors))
            for number, rule in (
                (sum(len(reached[node]) for node in sensors), SensorRule.OVERLAP),
                (len(neighbours), SensorRule.NEIGHBOURS),
            ):
                assert judge(question, number).is_right or judge(question, number).rule is rule
