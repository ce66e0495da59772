"""The questions of a round of practice by topic, for the tests of techniques."""

from dashboard.practice import asked
from dashboard.rounds import practice_settings, view_of
from tests.visit import technique


def quizzed(slug, seed):
    """Return the run of a round on the data of a seed, and its questions by topic."""
    page = technique(slug)
    view = view_of(page, practice_settings(page, seed))
    by_topic = {}
    for each in asked(page.practice.questions, view.run, view.scene):
        by_topic.setdefault(each.question.topic, []).append(each.question)
    return view.run, by_topic


def step_of(run, question):
    """Return the step that answers a question, and the one that is shown while it is asked."""
    steps = run.trace.steps
    return steps[question.step], steps[question.step - 1]
