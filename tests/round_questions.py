"""Rounds of practice for tests of questions: the run of a page, and its questions by topic."""

from __future__ import annotations

from collections import defaultdict

from dashboard.practice import asked
from dashboard.rounds import practice_settings, view_of
from tests.visit import technique


def round_questions(slug, seed):
    """Return the run of a page on the data of a seed, and its questions by topic."""
    page = technique(slug)
    view = view_of(page, practice_settings(page, seed))
    by_topic = defaultdict(list)
    for each in asked(page.practice.questions, view.run, view.scene):
        by_topic[each.question.topic].append(each.question)
    return view.run, by_topic
