"""Questions about Apriori: candidates, pruning, maximal and closed sets by brute force."""

from itertools import combinations

import pytest

from dashboard.rounds import practice_settings, questions_of, view_of
from dmlib.association.apriori.questions import Rule
from dmlib.pictures.question import judge
from tests.visit import technique


@pytest.fixture(params=range(6))
def questions(request):
    """Return the baskets of a round, its frequent item sets with counts, and its questions."""
    page = technique("apriori")
    view = view_of(page, practice_settings(page, request.param))
    baskets = [set(basket) for basket in view.run.problem.transactions]
    items = sorted(set().union(*baskets))
    counts = {
        frozenset(each): sum(set(each) <= basket for basket in baskets)
        for size in range(1, len(items) + 1)
        for each in combinations(items, size)
    }
    enough = view.run.model.min_support * len(baskets) - 1e-9
    frequent = {each: n for each, n in counts.items() if n >= enough}
    return frequent, [each.question for each in questions_of(view)]


def sets_of(question, numbers):
    """Return the item sets that are named by numbers."""
    return {frozenset(question.answer.names[i].strip("{}").split(", ")) for i in numbers}


def test_candidates_are_unions_of_sets_that_agree_in_all_but_the_last_item(questions):
    frequent, all_questions = questions
    size = 1
    for question in (each for each in all_questions if each.topic == "join"):
        size += 1
        small = [sorted(each) for each in frequent if len(each) == size - 1]
        joined = {frozenset([*a, *b]) for a in small for b in small if a < b and a[:-1] == b[:-1]}
        right = question.answer.right[0]
        if isinstance(right, float):
            assert right == len(joined)
        else:
            assert sets_of(question, right) == joined


def test_pruned_sets_have_an_infrequent_subset(questions):
    frequent, all_questions = questions
    for question in (each for each in all_questions if each.topic == "prune"):
        pruned = {
            each
            for each in sets_of(question, question.answer.among)
            if any(each - {item} not in frequent for item in each)
        }
        assert sets_of(question, question.answer.right[0]) == pruned
        if pruned:
            assert judge(question, []).rule is Rule.NO_PRUNING


def test_maximal_and_closed_sets(questions):
    frequent, all_questions = questions
    larger = {each: [other for other in frequent if each < other] for each in frequent}
    for question in all_questions:
        if question.topic in ("maximal", "closed"):
            choices = sets_of(question, question.answer.among)
            right = {each for each in choices if not larger[each]}
            if question.topic == "closed":
                right = {
                    each
                    for each in choices
                    if any(frequent[each] == frequent[other] for other in larger[each])
                }
            assert sets_of(question, question.answer.right[0]) == right
