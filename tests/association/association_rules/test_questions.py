"""Questions about association rules: confidence and lift counted in the baskets."""

import pytest

from dashboard.rounds import chosen_seed, practice_settings, questions_of, view_of
from dmlib.association.association_rules.questions import Rule
from dmlib.pictures.question import judge
from tests.visit import technique


@pytest.fixture(params=(0, 100, 200))
def parts(request):
    """Return the run of a round and its questions."""
    page = technique("association_rules")
    seed = chosen_seed("association_rules", request.param)
    view = view_of(page, practice_settings(page, seed))
    return view.run, [each.question for each in questions_of(view)]


def sides(text):
    """Return antecedent and consequent of a rule as it is written."""
    return [set(side.strip("{} ").split(", ")) for side in text.split("→")]


def measures(run, antecedent, consequent):
    """Return support, confidence and lift of a rule."""
    baskets = [set(basket) for basket in run.problem.transactions]
    joint, a, b = (
        sum(items <= basket for basket in baskets) / len(baskets)
        for items in (antecedent | consequent, antecedent, consequent)
    )
    return joint, joint / a, joint / a / b


def test_confident_rules_and_places_and_lifts(parts):
    run, all_questions = parts
    for question in all_questions:
        text = question.prompt.rpartition(" of ")[2].rstrip("?")
        if question.topic == "confidence":
            confident = [
                number
                for number, name in question.answer.names.items()
                if measures(run, *sides(name))[1] >= 0.5
            ]
            assert judge(question, confident).is_right
        elif question.topic == "place":
            assert judge(question, measures(run, *sides(text))[:2]).is_right
        elif question.topic == "lift":
            assert judge(question, measures(run, *sides(text))[2]).is_right


def test_the_highest_lift_is_that_of_the_options(parts):
    run, all_questions = parts
    for question in (each for each in all_questions if each.topic == "highest lift"):
        rules = (text.partition(":")[0] for text in question.answer.options)
        lifts = [measures(run, *sides(rule))[2] for rule in rules]
        assert judge(question, lifts.index(max(lifts))).is_right


def test_larger_consequents_have_only_confident_items(parts):
    run, all_questions = parts
    for question in (each for each in all_questions if each.topic == "consequents"):
        step = run.trace.steps[question.step]
        items = {run.problem.items[j] for j in step.itemset}
        sets = {i: set(name.strip("{}").split(", ")) for i, name in question.answer.names.items()}
        if len(sets[0]) == 2:
            tested = [
                i
                for i, consequent in sets.items()
                if all(measures(run, items - {item}, {item})[1] >= 0.5 for item in consequent)
            ]
            assert judge(question, tested).is_right
        verdict = judge(question, list(sets))
        assert verdict.is_right or verdict.rule is Rule.ALL_TESTED
