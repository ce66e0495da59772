"""Questions about rule learning: rows are counted again."""

import re

import numpy as np
import pytest

from dmlib.classification import RIPPER, C45Rules, OneRule, SequentialCovering
from dmlib.classification.rule_learning.questions import Rule, questions
from dmlib.classification.rule_learning.simplification import pessimistic_error
from dmlib.datasets import load, make
from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.rounds import round_by_topic, step_of


@pytest.fixture(params=range(4))
def round_of_seed(request):
    return round_by_topic("rule_learning", request.param)


def test_the_condition_has_the_largest_accuracy(round_of_seed):
    _, by_topic = round_of_seed
    assert by_topic["condition"]
    for question in by_topic["condition"]:
        counts = [
            tuple(map(int, re.search(r"\((\d+) of (\d+)\)", text).groups()))
            for text in question.answer.options
        ]
        best = max((p / t, p) for p, t in counts)
        for i, (p, t) in enumerate(counts):
            assert judge(question, i).is_right == ((p / t, p) == best)


def test_conditions_are_compared_by_accuracy(round_of_seed):
    _, by_topic = round_of_seed
    for question in by_topic["precision"]:
        p, t = (
            int(re.search(pattern, question.prompt)[1])
            for pattern in (r"of which (\d+)", r"would cover (\d+)")
        )
        assert judge(question, p / t).is_right
        n_class = int(re.search(r"covers, (\d+) are", question.prompt)[1])
        if abs(p / n_class - p / t) > 0.02:
            assert judge(question, p / n_class).rule is Rule.RECALL


def test_a_rule_grows_until_it_does_not_err(round_of_seed):
    run, by_topic = round_of_seed
    for question in by_topic["next"]:
        step, before = step_of(run, question)
        (right,) = question.answer.right
        text = question.answer.options[right]
        if before.phase == "grow":
            is_pure = before.rule.n_right == before.rule.n_covered
            assert text.startswith("the rule is done" if is_pure else "a condition is added")
        else:
            is_left = (run.problem.training.y[before.active] == before.target).any()
            assert text.startswith("the next class") == (not is_left)
        assert step.phase in ("grow", "rule", "class")


def test_all_rows_are_back_for_the_next_class(round_of_seed):
    run, by_topic = round_of_seed
    for question in by_topic["back"]:
        assert judge(question, len(run.problem.training.X)).is_right
        _, before = step_of(run, question)
        removed = sum(rule.n_covered for rule in before.rules)
        assert judge(question, len(run.problem.training.X) - removed).rule in (Rule.GONE, None)


def test_what_is_asked_of_the_other_methods():
    run, _ = round_by_topic("rule_learning", 0)
    pruning = Run.of(run.problem, SequentialCovering())
    for question in questions(pruning):
        if question.topic == "value":
            P, N, p, n = map(int, re.findall(r"= (\d+)", question.prompt))
            assert judge(question, (p + N - n) / (P + N)).is_right
    one = Run.of(run.problem, OneRule())
    about_columns = list(questions(one))
    X, y = run.problem.training.X, np.asarray(run.problem.training.y)
    assert len(about_columns) == X.shape[1] - 1
    for question in about_columns:
        column = one.trace.steps[question.step].column
        groups = [y[X[:, column] == value] for value in np.unique(X[:, column])]
        wrong = sum(len(group) - np.bincount(group).max() for group in groups)
        assert judge(question, int(wrong)).is_right


def test_the_variant_with_the_fewest_bits_stays():
    frame = make("moons", n_samples=200, noise=2.0, random_state=1).frame
    problem = prepare(frame, ["x", "y"], target="class", labelled=True)
    for question in questions(Run.of(problem, RIPPER())):
        if question.topic == "variant":
            sums = [
                sum(map(float, re.findall(r"[\d.]+", text))) for text in question.answer.options
            ]
            for i, bits in enumerate(sums):
                is_least = bits <= min(sums) + 0.1  # four digits of each are in the text
                assert judge(question, i).is_right <= is_least
        if question.topic == "value":
            p, n = map(int, re.findall(r"[pn] = (\d+)", question.prompt))
            assert judge(question, (p - n) / (p + n) if p + n else 0.0).is_right


@pytest.mark.parametrize(("name", "target"), [("contact_lenses", "lenses"), ("zoo", "type")])
def test_what_is_asked_of_rules_of_a_tree(name, target):
    frame = load(name).frame
    features = [column for column in frame.columns if column != target]
    problem = prepare(frame, features, target=target, labelled=True)
    topics = {"drop": 0, "select": 0, "order": 0}
    for question in questions(Run.of(problem, C45Rules())):
        topics[question.topic] += 1
        counts = [text.rpartition("(")[2] for text in question.answer.options]
        numbers = [list(map(float, re.findall(r"[\d.]+", text))) for text in counts]
        if question.topic == "drop":
            e, t = map(int, re.search(r"wrong for (\d+) of (\d+)", question.prompt).groups())
            limits = [pessimistic_error(int(n - k), int(n), 0.25) for k, n in numbers[:-1]]
            is_dropped = min(limits) <= pessimistic_error(t - e, t, 0.25)
            for i, limit in enumerate(limits):
                assert judge(question, i).is_right == (is_dropped and limit == min(limits))
            assert judge(question, len(limits)).is_right != is_dropped
        elif question.topic == "select":
            sums = [sum(pair) for pair in numbers]
            for i, bits in enumerate(sums):
                assert judge(question, i).is_right <= (bits <= min(sums) + 0.1)
        else:
            wrong = [covered - right for right, covered in numbers]
            for i, each in enumerate(wrong):
                assert judge(question, i).is_right == (each == min(wrong))
    assert all(topics.values())
