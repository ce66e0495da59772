"""Rounds of practice, for tests that work their answers out again."""

from collections import defaultdict

from dashboard.rounds import link_of_round, practice_settings, questions_of, view_of
from tests.visit import technique


def round_by_topic(slug, seed, number=0):
    """Return the run of a round on the data of a seed, and its questions by topic."""
    page = technique(slug)
    view = view_of(page, practice_settings(page, seed, link_of_round(slug, number)))
    by_topic = defaultdict(list)
    for each in questions_of(view):
        by_topic[each.question.topic].append(each.question)
    return view.run, by_topic


def of_topics(by_topic, *topics):
    """Return the questions of some topics."""
    return [question for topic in topics for question in by_topic[topic]]


def step_of(run, question):
    """Return the step that answers a question, and the one that is shown while it is asked."""
    steps = run.trace.steps
    return steps[question.step], steps[question.step - 1]
