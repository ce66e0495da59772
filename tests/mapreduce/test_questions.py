"""Questions about MapReduce: words are counted again, without any tasks."""

from collections import Counter
from zlib import crc32

import pytest

from dashboard.rounds import practice_settings, questions_of, view_of
from dmlib.mapreduce import FrequentItemsetsJob, KMeansJob, WordCountJob
from dmlib.mapreduce.questions import Rule, questions
from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from dmlib.problem import prepare_texts
from tests.visit import technique


@pytest.fixture(params=range(4))
def parts(request):
    """Return the words of each split of a round, and its questions."""
    page = technique("mapreduce")
    view = view_of(page, practice_settings(page, request.param))
    words = [text.split() for text in view.run.problem.texts]
    return words, [each.question for each in questions_of(view)]


def test_pairs_are_words_and_their_groups(parts):
    words, all_questions = parts
    for question in all_questions:
        if question.topic in ("map", "combine"):
            split = words[question.about[0] - 1]
            n = len(split) if question.topic == "map" else len(set(split))
            assert judge(question, n).is_right
        if question.topic == "combine":
            verdict = judge(question, len(words[question.about[0] - 1]))
            assert verdict.is_right or verdict.rule is Rule.UNCHANGED


def test_results_are_counts_of_words(parts):
    words, all_questions = parts
    counts = Counter(word for split in words for word in split)
    for question in all_questions:
        key = question.prompt.rstrip("?").split()[-1]
        if question.topic == "reduce":
            assert judge(question, counts[key]).is_right
        if question.topic == "reducer":
            assert judge(question, [crc32(key.encode()) % 3 + 1]).is_right


@pytest.mark.parametrize("model", [KMeansJob(2, n_splits=2), FrequentItemsetsJob(0.5, n_splits=2)])
def test_other_jobs_have_questions(model):
    run = Run.of(prepare_texts(["1 2", "8 9", "1 3", "8 8"]), model)
    assert {"combine"} <= {question.topic for question in questions(run)}


def test_map_tasks_of_a_worker_that_dies_end_on_another_one():
    texts = ["to be or not", "to be that is", "the question is", "to be or not to be"] * 2
    job = WordCountJob(n_splits=8, n_workers=2, speed=10.0, bandwidth=20.0, failure=60)
    run = Run.of(prepare_texts(texts), job)
    (question,) = [each for each in questions(run) if each.topic == "failure"]
    ends = {}
    for attempt in run.trace.steps[0].schedule:
        if attempt.kind == "map" and attempt.outcome == "done":
            ends.setdefault(attempt.task + 1, []).append(attempt.worker)
    right = [task for task in question.answer.among if ends[task][-1] == 0]
    assert judge(question, right).is_right
