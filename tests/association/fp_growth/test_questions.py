"""Questions about FP-growth: the answers are counted in the baskets, without a tree."""

import pytest

from dashboard.rounds import practice_settings, questions_of, view_of
from dmlib.association.fp_growth.questions import Rule
from dmlib.pictures.question import judge
from tests.visit import technique


@pytest.fixture(params=range(5))
def parts(request):
    """Return run, baskets in the order of the tree, and questions of a round."""
    page = technique("fp_growth")
    view = view_of(page, practice_settings(page, request.param))
    run = view.run
    order = [run.problem.items[j] for j in run.trace.steps[0].items]
    baskets = [[item for item in order if item in basket] for basket in run.problem.transactions]
    return run, order, baskets, questions_of(view)


def test_counts_rise_along_beginnings_of_earlier_baskets(parts):
    run, _, baskets, all_questions = parts
    for question in (each.question for each in all_questions if each.question.topic == "insert"):
        row = run.trace.steps[question.step].basket
        earlier = {tuple(basket[:k]) for basket in baskets[:row] for k in range(1, len(basket) + 1)}
        paths = {tuple(name.split(" › ")): i for i, name in question.answer.names.items()}
        assert set(paths) == earlier
        raised = [i for path, i in paths.items() if list(path) == baskets[row][: len(path)]]
        assert judge(question, raised).is_right
        if raised:
            assert judge(question, []).rule is Rule.OWN_PATH


def test_conditional_trees_hold_the_earlier_items_that_are_frequent_with_the_item(parts):
    run, order, baskets, all_questions = parts
    least = run.model.min_support * len(baskets)
    for question in (each.question for each in all_questions):
        if question.topic == "conditional tree":
            item = run.problem.items[question.about[0] - 1]
            stays = [
                i
                for i, name in question.answer.names.items()
                if order.index(name) < order.index(item)
                and sum({name, item} <= set(basket) for basket in baskets) >= least
            ]
            assert judge(question, stays).is_right


def test_supports_and_single_paths(parts):
    run, _, baskets, all_questions = parts
    for question in (each.question for each in all_questions):
        step = run.trace.steps[question.step]
        if question.topic == "support":
            items = {run.problem.items[j] for j in step.items}
            assert judge(question, sum(items <= set(basket) for basket in baskets)).is_right
        if question.topic == "single path":
            assert judge(question, 2 ** len(step.items) - 1).is_right
