"""Rounds of practice of a page, for tests that work their answers out again."""

from dashboard.practice import asked
from dashboard.rounds import practice_settings, view_of
from tests.visit import technique


def round_by_topic(slug, seed):
    """Return the run of a round on data of a seed, and its questions by topic."""
    page = technique(slug)
    view = view_of(page, practice_settings(page, seed))
    by_topic = {}
    for each in asked(page.practice.questions, view.run, view.scene):
        by_topic.setdefault(each.question.topic, []).append(each.question)
    return view.run, by_topic


def of_topics(by_topic, *topics):
    """Return the questions of some topics."""
    return [question for topic in topics for question in by_topic.get(topic, [])]
