"""Rounds that are handed in are graded anew; what cannot be graded gets a sentence."""

import json
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlencode

import pytest

from dashboard.handins import MAX_FILES, HandInError, mark, mark_all, read_hand_in
from dashboard.rounds import (
    chosen_seed,
    practice_settings,
    questions_of,
    seed_of,
    view_of,
    with_round,
)
from dashboard.settings import Settings
from tests.visit import technique

ROOT = Path(__file__).parents[2]


def round_by(name="Ada Lovelace", slug="kmeans", right=(), **changed):
    """Return the file of a student who answers some questions right and skips the others."""
    page = technique(slug)
    settings = with_round(page, Settings(), f"name:{name}")
    view = view_of(page, settings)
    questions = [each.question for each in view.asking.of(questions_of(view))]
    answers = [
        question.answer.right[0] if number in right else None
        for number, question in enumerate(questions)
    ]
    parts = {
        "format": "dmlib round",
        "version": 1,
        "name": name,
        "page": slug,
        "link": "?" + urlencode(settings.query(), doseq=True),
        "answers": answers,
        "seconds": 61.5,
    }
    return json.dumps(parts | changed).encode()


def test_a_round_is_graded_from_its_data_and_answers():
    marked = mark(read_hand_in(round_by(right=(0, 2), score=100)))
    assert [verdict.is_right for verdict in marked.verdicts] == [
        number in (0, 2) for number in range(7)
    ]
    assert marked.n_right == 2
    assert marked.is_named


def test_data_of_another_name_are_seen():
    marked = mark(read_hand_in(round_by(right=range(7)).replace(b"Ada Lovelace", b"Alan Turing")))
    assert marked.n_right == 7
    assert not marked.is_named


def test_each_name_has_data_of_its_own_in_whatever_case():
    seeds = [chosen_seed("kmeans", seed_of(name)) for name in ("Ada", "ada ", "Alan", "Grace")]
    assert seeds[0] == seeds[1]
    assert len(set(seeds)) == 3


def test_wrong_rules_are_counted_by_student():
    page = technique("kmeans")
    settings = practice_settings(page, chosen_seed("kmeans", seed_of("Ada")))
    view = view_of(page, settings.with_text("practice", "1"))
    questions = [each.question for each in view.asking.of(questions_of(view))]
    answers = [q.errors[0].answer if q.errors else None for q in questions]
    link = urlencode(settings.with_text("practice", "1").query(), doseq=True)
    files = [(name, round_by(name=name, link=link, answers=answers)) for name in ("Ada", "Alan")]
    results = mark_all(files)
    assert results.misconceptions()["students"].max() == 2
    assert results.topics()["right"].tolist() == [0.0] * len({q.topic for q in questions})


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"\x00\xff", "no JSON"),
        (b"[" * 5000, "no JSON"),
        (b"{}", "no round"),
        (b"x" * 200_000, "bytes"),
        (round_by(version=9), "another version"),
        (round_by(page="no_page"), "no page"),
        (round_by(page="../kmeans"), "no page"),
        (round_by(answers=[1]), "1 answers to 7 questions"),
        (round_by(answers={"a": 1}), "damaged"),
        (round_by(name=5), "“name” is damaged"),
        (round_by(link="?source=upload&practice=1"), "file of the student's own"),
        (round_by(link="?seed=3"), "not that of a round"),
    ],
)
def test_what_cannot_be_graded_says_why(content, sentence):
    with pytest.raises(HandInError, match=sentence):
        mark(read_hand_in(content))


def test_answers_of_any_form_are_no_error():
    odd = [None, "=1+1", {"x": []}, [1, "a"], 1e400, -5, True]
    assert mark(read_hand_in(round_by(answers=odd))).n_right <= 1


def test_a_class_is_graded_whole_whatever_is_among_the_files():
    good = round_by(right=(1,))
    files = [("a.json", good), ("b.json", b"no"), ("copy.json", good)]
    results = mark_all(files + [(f"{i}.json", b"no") for i in range(MAX_FILES)])
    assert len(results.marked) == 1
    assert dict(results.refused)["copy.json"] == "The same file was given before."
    assert "At most" in results.refused[-1][1]


def test_names_do_not_run_as_formulas_in_the_gradebook():
    results = mark_all([("a", round_by(name="=HYPERLINK(1)<script>"))])
    assert "'=HYPERLINK(1)<script>" in results.moodle()
    assert "Student,ID,Section,k-means" in results.canvas("k-means")


def test_the_command_line_grades_too(tmp_path):
    (tmp_path / "ada.json").write_bytes(round_by(right=(0,)))
    (tmp_path / "bad.json").write_bytes(b"no")
    command = [sys.executable, "-m", "dmlib.practice", "check", *map(str, tmp_path.iterdir())]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "Ada Lovelace,k-means,1,7,14.3,from the name," in done.stdout
    assert "no JSON" in done.stderr
