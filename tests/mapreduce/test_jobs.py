"""The jobs have the result of one machine with all lines; their tasks count pairs and bytes."""

import math
import re
import zlib
from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dmlib.association import apriori
from dmlib.classification import NaiveBayes
from dmlib.clustering import KMeans
from dmlib.comparison import Incomparable, compare
from dmlib.datasets import load
from dmlib.mapreduce import (
    DecisionTreeJob,
    FrequentItemsetsJob,
    KMeansJob,
    MatrixVectorJob,
    NaiveBayesJob,
    WordCountJob,
)
from dmlib.mapreduce.execution import PARTITIONERS, size
from dmlib.mapreduce.jobs import SENTENCE, words
from dmlib.mapreduce.reference import grow_tree, mapreduce_reference
from dmlib.mapreduce.tree_jobs import best_columns, gains
from dmlib.pictures.run import Run
from dmlib.problem import prepare_lines

LINES = st.lists(st.text("ab c1.,é", max_size=12), min_size=1, max_size=8)
CUTS = st.fixed_dictionaries(
    {
        "n_splits": st.integers(1, 9),
        "n_reducers": st.integers(1, 4),
        "combiner": st.booleans(),
        "partitioner": st.sampled_from(["hash", "range"]),
    }
)


@given(LINES, CUTS)
def test_words_are_counted_whatever_the_cuts(lines, how):
    model = WordCountJob(**how).fit(lines)
    assert model.result_ == Counter(word for line in lines for word in words(line))


@given(st.lists(st.lists(st.integers(-9, 9), min_size=1, max_size=4), min_size=1, max_size=6), CUTS)
def test_a_matrix_is_multiplied(rows, how):
    result = MatrixVectorJob(**how).fit([" ".join(map(str, row)) for row in rows]).result_
    for i, row in enumerate(rows, start=1):
        assert result[f"row{i}"] == np.dot(row, range(1, len(row) + 1))


@given(
    st.lists(st.frozensets(st.sampled_from("abcde"), min_size=1), min_size=1, max_size=9),
    st.floats(0.3, 1.0),
    CUTS,
)
def test_no_frequent_item_set_is_missed(baskets, min_support, how):
    model = FrequentItemsetsJob(min_support, 3, **how).fit([" ".join(basket) for basket in baskets])
    supports = {tuple(items.split()): n / len(baskets) for items, n in model.result_.items()}
    assert supports == pytest.approx(apriori(baskets, min_support, 3))


@pytest.mark.parametrize("max_iter", [1, 3])
def test_centres_are_those_of_k_means(max_iter):
    X = np.random.default_rng(0).normal(size=(60, 3)).round(6)
    first = X[:3]
    ours = KMeans(3, init=first, max_iter=max_iter, tol=0.0)
    *_, last = (step for step in ours.steps(X) if step.phase == "update")
    job = KMeansJob(3, max_iter).fit([" ".join(map(str, row)) for row in X])
    np.testing.assert_allclose(job.values_, last.centers)


def test_naive_bayes_counts_the_weather():
    """The counts of the textbook (Witten and Frank, table 4.2), and the posteriors of them."""
    problem, table = prepare_lines(load("weather_nominal")), load("weather_nominal")
    counts = NaiveBayesJob(n_splits=4).fit(*problem.arguments).result_
    assert (counts["yes"], counts["no"]) == (9, 5)
    assert (counts["yes|outlook=sunny"], counts["no|outlook=sunny"]) == (2, 3)
    assert counts["yes|windy=true"] == 3

    def score(label, line):
        n = counts[label]
        return n * math.prod(counts.get(f"{label}|{cell}", 0) / n for cell in words(line))

    X = table.frame.iloc[:, :4]
    posteriors = NaiveBayes().fit(X, table.frame["play"]).predict_proba(X)
    for line, (no, _) in zip(problem.texts, posteriors, strict=True):
        assert no == pytest.approx(score("no", line) / (score("no", line) + score("yes", line)))


def test_where_rounding_decides_nothing_is_compared():
    run = Run.of(prepare_lines(load("iris")), KMeansJob())
    with pytest.raises(Incomparable, match="equally far"):
        mapreduce_reference(run)


@pytest.mark.parametrize(
    "job", [WordCountJob, MatrixVectorJob, NaiveBayesJob, KMeansJob, FrequentItemsetsJob]
)
def test_agrees_with_a_library_on_speeches(job):
    run = Run.of(prepare_lines(load("state_of_the_union")), job())
    answers = mapreduce_reference(run).answer(run)
    rows = compare(run.fitted, answers, ("n_keys_", "values_"))
    assert all(row.agrees for row in rows)


def test_a_tree_by_hand():
    problem = prepare_lines(load("weather_nominal"))
    model = DecisionTreeJob(n_splits=3).fit(*problem.arguments)
    assert model.result_ == {
        "outlook=overcast|yes": 4,
        "outlook=rainy&windy=false|yes": 3,
        "outlook=rainy&windy=true|no": 2,
        "outlook=sunny&humidity=high|no": 3,
        "outlook=sunny&humidity=normal|yes": 2,
    }
    assert [sum(task.n_emitted for task in part.maps) for part in model.history_] == [56, 30, 14]
    first, second, _ = (part.result for part in model.history_)
    gained = {column: round(gain, 3) for column, gain in gains(first)["all"].items()}
    assert gained == {"humidity": 0.152, "outlook": 0.247, "temperature": 0.029, "windy": 0.048}
    assert best_columns(second) == {"outlook=rainy": "windy", "outlook=sunny": "humidity"}


@pytest.mark.parametrize("data", ["state_of_the_union", "iris"])
def test_a_tree_of_texts_asks_for_words(data):
    X, y = prepare_lines(load(data)).arguments
    model, answers = DecisionTreeJob().fit(X, y), grow_tree(X, y, 3)
    assert model.values_.tolist() == answers.values_.tolist()
    assert model.total_ == len(X)
    tests = {test for key in model.keys_ for test in key.rpartition("|")[0].split("&")}
    assert {test.rpartition("=")[2] for test in tests} == {"no", "yes"}


@given(
    st.lists(
        st.tuples(*[st.sampled_from("xyz")] * 3, st.sampled_from(["no", "yes"])),
        min_size=2,
        max_size=25,
    ),
    st.integers(1, 4),
    st.integers(1, 5),
)
def test_a_tree_of_counts_is_that_of_all_rows_at_once(rows, max_depth, n_splits):
    lines = [f"b={b} a={a} c={c}" for a, b, c, _ in rows]
    kinds = [kind for *_, kind in rows]
    assume(len(set(kinds)) > 1)
    model = DecisionTreeJob(max_depth, n_splits=n_splits).fit(lines, kinds)
    answers = grow_tree(lines, kinds, max_depth)
    assert model.n_keys_ == answers.n_keys_
    assert model.values_.tolist() == answers.values_.tolist()
    assert model.total_ == len(rows)


@given(LINES, CUTS)
def test_every_pair_and_byte_is_accounted_for(lines, how):
    model = WordCountJob(**how).fit(lines)
    ((maps, reduces),) = ((tasks.maps, tasks.reduces) for tasks in model.history_)
    tokens = [word for line in lines for word in words(line)]
    assert sum(task.n_bytes for task in maps) == sum(len(line.encode()) + 1 for line in lines)
    assert sum(task.emitted_bytes for task in maps) == sum(size(word, 1) for word in tokens)
    for task in maps:
        sent = (task.n_emitted, task.emitted_bytes)
        if how["combiner"]:
            sent = (task.n_combined, task.combined_bytes)
        assert (task.sent.sum(), task.sent_bytes.sum()) == sent
    assert [task.n_pairs for task in reduces] == list(sum(task.sent for task in maps))
    assert [task.n_bytes for task in reduces] == list(sum(task.sent_bytes for task in maps))
    assert sum(task.n_keys for task in reduces) == len(set(tokens))


@given(st.text(min_size=1, max_size=5), st.integers(1, 9))
def test_a_key_belongs_to_one_reducer(key, n):
    assert PARTITIONERS["hash"](key, n) == (zlib.crc32(key.encode()), zlib.crc32(key.encode()) % n)
    assert all(0 <= assign(key, n)[1] < n for assign in PARTITIONERS.values())


@pytest.mark.parametrize(
    ("job", "lines", "y", "sentence"),
    [
        (WordCountJob(), [], None, "There are no lines"),
        (WordCountJob(), ["a"], ["x", "y"], "one class for each line"),
        (NaiveBayesJob(), ["a", "b"], None, "these lines have none"),
        (KMeansJob(2), ["1 2", "3"], None, "equally many numbers"),
        (KMeansJob(3), ["1 2", "1 2", "3 4"], None, "Choose at most 2 clusters"),
        (DecisionTreeJob(), ["a=1", "a=2"], None, "these lines have none"),
        (WordCountJob(failure=50, n_workers=1), ["a"], None, "no worker is left"),
    ],
)
def test_bad_input_gets_a_sentence(job, lines, y, sentence):
    with pytest.raises(ValueError, match=sentence):
        job.fit(lines, y)


def test_lines_without_a_word_give_nothing():
    model = WordCountJob().fit(["", " . "])
    assert (model.result_, model.n_emitted_) == ({}, 0)


@given(st.text(".!? a\n", max_size=20))
def test_sentences_end_with_their_marks(text):
    """A match starts at the first mark of a run only, unlike that of a simpler expression."""
    assert SENTENCE.findall(text) == re.findall(r"[.!?]+(?:\s|$)", text)
