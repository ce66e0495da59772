"""The page of MapReduce: presets and lesson show what they say; the picture has all data."""

import re
from functools import partial
from string import ascii_lowercase

import numpy as np
import pytest
from sklearn.base import clone

from dmlib.datasets import load
from dmlib.mapreduce import (
    FrequentItemsetsJob,
    KMeansJob,
    MatrixVectorJob,
    NaiveBayesJob,
    WordCountJob,
)
from dmlib.mapreduce.figures.measured_tasks import measured
from dmlib.mapreduce.figures.result_table import result_table
from dmlib.mapreduce.figures.speedup import speedup_data
from dmlib.mapreduce.flow_scene import MAPPED, PAIRS, REDUCED, SENT
from dmlib.mapreduce.scene import mapreduce_scene
from dmlib.mapreduce.states import states
from dmlib.pictures.encode import decode, encode
from dmlib.pictures.ledger import LedgerTable
from dmlib.pictures.marks import Texts
from dmlib.pictures.run import Run
from dmlib.problem import prepare_lines, prepare_texts
from tests.contract.test_lessons import section, text_of
from tests.pictures.examples import at, marks
from tests.visit import open_preset

SPEECHES = prepare_lines(load("state_of_the_union"))

opened = partial(open_preset, "mapreduce")


def totals(model):
    """Return the bytes emitted and sent, in kB with three digits."""
    maps = [task for tasks in model.history_ for task in tasks.maps]
    emitted = sum(task.emitted_bytes for task in maps)
    sent = sum(task.sent_bytes.sum() for task in maps)
    return f"{emitted / 1e3:.3g}", f"{sent / 1e3:.3g}"


def test_words_of_the_presidents():
    run, _, look_for = opened("Words of the presidents")
    model = run.fitted
    emitted, sent = totals(model)
    pairs = f"emit {model.n_emitted_} pairs; the combiners leave {model.n_shuffled_} of them"
    assert pairs in look_for
    assert f"{sent} of {emitted} kB. The job takes {model.makespan_:.2g} s" in look_for
    _, _, look_for = opened("Without a combiner")
    without = clone(model).set_params(combiner=False).fit(*run.problem.arguments)
    volume = f"{totals(without)[1]} kB instead of {sent}"
    assert f"All {without.n_shuffled_} pairs are sent, {volume}" in look_for
    assert f"{without.makespan_:.3g} s instead of {model.makespan_:.2g}" in look_for

    def makespan(model, bandwidth):
        return clone(model).set_params(bandwidth=bandwidth).fit(*run.problem.arguments).makespan_

    assert makespan(model, 2_000.0) < makespan(without, 2_000.0)
    assert makespan(model, 100_000.0) >= makespan(without, 100_000.0)  # as the lesson says


def words_in_the_picture(scene, frame):
    """Return the pairs that are written in each column, from left to right."""
    texts = [mark for mark in marks(scene, Texts, "data") if mark.text[0].startswith("(")]
    return [
        [text for text, x in zip(mark.text, at(mark.x, frame), strict=True) if not np.isnan(x)]
        for mark in texts
    ]


def test_three_lines_are_shown_word_by_word():
    run, _, look_for = opened("Three lines, counted")
    model, scene = run.fitted, mapreduce_scene(run)
    assert f"emit {model.n_emitted_} pairs, such as (the, 1)" in look_for
    assert f"The combiners leave {model.n_shuffled_}" in look_for
    assert f"dog is {model.result_['dog']:g}" in look_for
    emitted, combined, received, results = words_in_the_picture(scene, -1)
    words = " ".join(run.problem.texts).split()
    assert emitted == [f"({word}, 1)" for word in words]
    assert sorted(received) == sorted(combined)
    assert len(combined) == model.n_shuffled_
    assert sorted(results) == [f"({word}, {n})" for word, n in sorted(model.result_.items())]
    (names,) = (mark for mark in marks(scene, Texts, "data") if mark.text[0].startswith("split"))
    assert [*names.text[:3]] == [
        f"split {m}: {line}" for m, line in enumerate(run.problem.texts, 1)
    ]


def test_words_appear_as_their_tasks_end():
    run, _, _ = opened("Three lines, counted")
    scene, phases = mapreduce_scene(run), [step.phase for step in run.trace.steps]
    n_boxes = [list(map(len, words_in_the_picture(scene, i))) for i in range(len(phases))]
    assert n_boxes[0] == [0, 0, 0, 0]
    first = phases.index("map")
    assert n_boxes[first][0] > 0 == n_boxes[first][1]
    assert n_boxes[phases.index("combine")][1] > 0
    assert n_boxes[phases.index("reduce")][3] > 0


def test_without_a_combiner_pairs_go_straight_to_their_reducers():
    run, _, _ = opened("Three lines, counted")
    model = clone(run.model).set_params(combiner=False)
    emitted, received, _ = words_in_the_picture(mapreduce_scene(Run.of(run.problem, model)), -1)
    assert sorted(received) == sorted(emitted)


def test_data_that_cannot_be_read_in_one_picture_are_dots():
    scene = mapreduce_scene(Run.of(SPEECHES, WordCountJob()))
    assert [panel.name for panel in scene.panels if not panel.side] == ["data", "schedule"]
    assert words_in_the_picture(scene, -1) == []


def test_stragglers():
    run, _, look_for = opened("A straggler")
    slow = run.fitted.makespan_
    usual = WordCountJob().fit(*run.problem.arguments).makespan_
    assert f"{slow:.4g} s instead of {usual:.2g}" in look_for
    run, _, look_for = opened("Speculative execution")
    assert f"{run.fitted.makespan_:.4g} s instead of {slow:.4g}" in look_for
    stopped = [(a.kind, a.task) for a in run.fitted.attempts_ if a.outcome == "stopped"]
    assert stopped == [("map", 0), ("reduce", 0)]


def test_skew():
    run, _, look_for = opened("Skewed keys")
    (tasks,) = run.fitted.history_
    n = [task.n_pairs for task in tasks.reduces]
    assert (n[0], n[5]) == (max(n), min(n))
    assert f"reducer 1 (a to e) gets {n[0]} pairs, reducer 6 (w to z) {n[5]}" in look_for

    def letters(task):
        return {key[0] for key, *_ in task.groups} & set(ascii_lowercase)

    assert letters(tasks.reduces[0]) <= set("abcde")
    assert letters(tasks.reduces[5]) <= set("wxyz")
    by_hash = clone(run.model).set_params(partitioner="hash").fit(*run.problem.arguments)
    assert by_hash.makespan_ < run.fitted.makespan_


def test_one_key_has_most_pairs():
    run, _, look_for = opened("One key has most pairs")

    def largest_share(combiner):
        model = clone(run.model).set_params(combiner=combiner).fit(run.problem.data)
        n_pairs = [task.n_pairs for task in model.history_[0].reduces]
        return max(n_pairs) / sum(n_pairs)

    assert largest_share(combiner=False) > 0.75
    assert largest_share(combiner=True) < 0.5
    assert "a skew of 3" in look_for


def test_a_worker_dies():
    run, _, look_for = opened("A worker dies")
    schedule = run.fitted.attempts_
    (dead,) = [a for a in schedule if a.kind == "fail"]
    lost = [a.task + 1 for a in schedule if a.kind == "map" and a.outcome == "lost"]
    later = [a for a in schedule if a.kind == "map" and a.start >= dead.end]
    assert (dead.worker, lost) == (2, [6])
    assert 3 in [a.task + 1 for a in later if a.outcome == "done"]
    assert f"Worker 3 dies at {dead.end:.4g} s, in map task 6. Map task 3" in look_for
    assert f"{run.fitted.makespan_:.4g} s, the same result" in look_for
    assert run.fitted.result_ == WordCountJob().fit(*run.problem.arguments).result_


def test_jobs_on_other_data():
    run, _, look_for = opened("k-means, one iteration a job")
    assert {task.n_combined for task in run.fitted.history_[0].maps} == {2, 3}
    assert {task.n_emitted for task in run.fitted.history_[0].maps} == {25}
    assert "Of 25 rows, a mapper sends 2 or 3 pairs" in look_for
    run, _, look_for = opened("Naive Bayes on the weather")
    assert f"yes|outlook=sunny is {run.fitted.result_['yes|outlook=sunny']}" in look_for
    assert f"count {run.fitted.result_['yes']} days of yes" in look_for
    run, _, look_for = opened("Frequent item sets in two rounds")
    candidates, frequent = (len(tasks.result) for tasks in run.fitted.history_)
    assert f"finds {candidates} candidates" in look_for
    assert f"{frequent} of them are frequent" in look_for


def test_the_tree_by_hand():
    run, _, _ = opened("A tree, a level a round")
    text = section(text_of("mapreduce"), "A tree, a level a round")
    tables = [b for b in mapreduce_scene(run).frames[-1].ledger if isinstance(b, LedgerTable)]
    (table,) = [block for block in tables if block.title == "The largest gain of each node"]
    assert [row[1:3] for row in table.rows] == [
        ("all", "outlook"),
        ("outlook=rainy", "windy"),
        ("outlook=sunny", "humidity"),
    ]
    for gain in {round(row[3], 3) for row in table.rows}:
        assert f"{gain:g}" in text
    for tasks in run.fitted.history_:
        assert f"**{sum(task.n_emitted for task in tasks.maps)}**" in text
    assert run.fitted.result_["outlook=sunny&humidity=high|no"] == 3


def test_by_hand():
    run, _, look_for = opened("Five baskets by hand")
    (tasks,) = run.fitted.history_
    first, second = tasks.maps
    assert f"its combiner makes {first.n_combined} pairs of {first.n_emitted}" in look_for
    assert f"Item 1 is in {run.fitted.result_['1']} baskets" in look_for
    text = section(text_of("mapreduce"), "By hand")
    rows = {
        m[1]: [c.strip() for c in m[2].split("|")]
        for m in re.finditer(r"^\| ([\w ]+) \|(.+)\|$", text, re.M)
    }
    assert rows["reduced"] == [str(run.fitted.result_[key]) for key in "12345"]
    for name, task in (("from map task 1", first), ("from map task 2", second)):
        totals = {key: total for key, total, _ in task.combined}
        assert rows[name] == [str(totals.get(key, "")) for key in "12345"]
    sum_ = f"{first.n_combined} + {second.n_combined} = **{run.fitted.n_shuffled_}**"
    assert f"So {sum_} pairs" in text
    assert f"instead of **{run.fitted.n_emitted_}**" in text
    sent = first.combined_bytes + second.combined_bytes
    assert f"{sent} bytes instead of {first.emitted_bytes + second.emitted_bytes}" in text
    assert "All 15" in text_of("mapreduce")
    assert WordCountJob(n_splits=5).fit(run.problem.data).n_shuffled_ == 15


@pytest.mark.parametrize(
    "job", [WordCountJob, MatrixVectorJob, NaiveBayesJob, KMeansJob, FrequentItemsetsJob]
)
def test_the_picture_ends_with_all_reducers_and_all_bytes(job):
    run = Run.of(SPEECHES, job(failure=70, slowdown=3.0, speculation=True))
    scene, (start, *_, end) = mapreduce_scene(run), states(run.trace.steps)
    assert start.mapped == start.reduced == {}
    assert sorted(end.reduced) == list(range(run.model.n_reducers))
    splits, _, pairs, results = (mark for mark in scene.marks if type(mark).__name__ == "Points")
    assert set(at(splits.x, -1)) <= {MAPPED}
    assert np.isnan(at(pairs.x, -1)).all()  # they are reduced
    assert set(at(results.x, -1)) == {REDUCED}
    places = np.concatenate([np.asarray(row) for row in pairs.x.rows])
    assert np.all(np.isnan(places) | (np.abs(places - PAIRS) < 0.2) | (np.abs(places - SENT) < 0.2))
    volumes = at(scene.marks[-1].y1, -1)
    assert volumes[2] == sum(a.n_bytes for a in run.fitted.attempts_)
    maps = [task for tasks in run.fitted.history_ for task in tasks.maps]
    assert volumes[1] == sum(task.sent_bytes.sum() for task in maps)


def test_the_ledger_puts_the_numbers_into_the_formula():
    run = Run.of(SPEECHES, WordCountJob(slowdown=2.0))
    frame = next(f for f in mapreduce_scene(run).frames if f.caption.startswith("Map task 1 "))
    task = run.fitted.history_[0].maps[0]
    seconds = (0.1 + (task.n_lines + 2 * task.n_emitted) / 1000) * 2
    formula = frame.ledger[-1].text
    work = f"{task.n_lines} + 2 × {task.n_emitted}"
    assert formula.startswith(f"(0.1 + ({work}) / 1000) × 2 = {seconds:g} s")
    assert frame.ledger[0].rows[0] == (1, "the", "1")


def rows_by_label(scene, frame, of):
    """Return the rows that are linked to discs, with the names of these."""
    discs = next(mark for mark in scene.marks if type(mark).__name__ == "Points" and mark.of == of)
    names = dict(zip(at(discs.numbers, -1), discs.labels, strict=True))
    rows = []
    for table in (block for block in frame.ledger if getattr(block, "by", "") == of):
        numbers = table.numbers or [row[list(table.head).index(of)] for row in table.rows]
        rows += [(row, names[n]) for row, n in zip(table.rows, numbers, strict=True)]
    return rows


def test_splits_pairs_and_keys_answer_to_their_discs_and_bars():
    run = Run.of(SPEECHES, WordCountJob(n_reducers=4))
    scene = mapreduce_scene(run)
    for (split, _, lines, _), name in rows_by_label(scene, scene.frames[0], "split"):
        assert name.startswith(f"split {split}: {lines} lines")
    combined = next(frame for frame in scene.frames if frame.phase == "combine")
    task = re.search(r"map task (\d+) ", combined.caption)[1]
    reducers = {row[0]: name for row, name in rows_by_label(scene, combined, "reducer")}
    assert set(reducers.values()) == {f"reducer {r}" for r in (1, 2, 3, 4)}
    for row, name in rows_by_label(scene, combined, "pairs"):
        assert name == f"pairs of map task {task} for {reducers[row[0]]}"
    emitted = scene.frames[scene.frames.index(combined) - 1]
    labelled = [(row[1], name) for row, name in rows_by_label(scene, emitted, "pairs")]
    labelled = [(key, name) for key, name in labelled if key in reducers]
    assert len(labelled) > 5
    assert all(name == f"pairs of map task {task} for {reducers[key]}" for key, name in labelled)
    for frame in scene.frames:
        if frame.phase == "shuffle":
            task = re.search(r"map task (\d+) ", frame.caption)[1]
            for (reducer, *_), name in rows_by_label(scene, frame, "pairs"):
                assert name == f"pairs of map task {task} for reducer {reducer}"
    reduced = run.fitted.history_[0].reduces
    keys = {key: f"reducer {r}" for r, task in enumerate(reduced, 1) for key, *_ in task.groups}
    labelled = rows_by_label(scene, scene.frames[-1], "reducer")
    assert {row[0] for row, _ in labelled} & set(keys)
    assert all(keys.get(row[0], name) == name for row, name in labelled)
    totals, _ = (mark for mark in scene.marks if mark.panel == "loads")
    heights = dict(zip(at(totals.numbers, -1), at(totals.y1, -1), strict=True))
    assert [heights[r] for r in (1, 2, 3, 4)] == [task.n_pairs for task in reduced]


def test_tables_without_rows_answer_to_nothing():
    scene = mapreduce_scene(Run.of(prepare_texts(["…", "the", "a"]), WordCountJob(n_splits=3)))
    blocks = [block for frame in decode(encode(scene))["frames"] for block in frame["ledger"]]
    assert [] in [block.get("numbers") for block in blocks]


def test_tasks_that_are_repeated_answer_to_their_splits():
    scene = mapreduce_scene(Run.of(SPEECHES, WordCountJob(failure=60)))
    failure = next(frame for frame in scene.frames if frame.phase == "fail")
    labelled = rows_by_label(scene, failure, "split")
    assert labelled
    assert all(name.startswith(f"split {row[0]}: ") for row, name in labelled)
    bars = next(mark for mark in scene.marks if mark.panel == "schedule" and mark.of == "split")
    (names,) = marks(scene, Texts, "schedule")
    is_task = at(bars.y1, -1) - at(bars.y0, -1) > 0.4
    numbers = np.asarray(at(bars.numbers, -1))[is_task]
    expected = [int(text) for text in names.text if not text.startswith("r")]
    assert numbers[numbers > 0].tolist() == expected


def test_figures():
    run = Run.of(SPEECHES, WordCountJob())
    data = speedup_data(run)
    assert data.with_combiner[2] == run.fitted.makespan_
    assert data.without[2] < data.without[0]  # a fourth worker gets no reducer
    assert data.moved_with == sum(a.n_bytes for a in run.fitted.attempts_)
    tasks = measured(run)
    assert [task.index for task in tasks] == list(range(6))
    table = result_table(run).data[0]
    assert table.cells["values"][0][0] == "the"
    with pytest.raises(ValueError, match="Lower min_support"):
        result_table(Run.of(prepare_lines(load("five_baskets")), FrequentItemsetsJob(1.0)))
