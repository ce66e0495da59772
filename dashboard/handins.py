"""Rounds that are handed in: read from a file, and graded anew from the data and the answers.

What the file says of its score is not read, so that an edited score is worthless.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

import pandas as pd

from dashboard.catalogue import CATALOGUE
from dashboard.form import SEED, Form
from dashboard.opening import FROM_FILES
from dashboard.practice import NAMED
from dashboard.rounds import MAX_NAME, TRIES, questions_of, seed_of, view_of
from dashboard.settings import Settings
from dashboard.technique import technique_of
from dashboard.view import View
from dmlib.pictures.question import Question, Verdict, judge
from dmlib.spreadsheet import to_csv

FORMAT, VERSION = "dmlib round", 1
MAX_BYTES = 100_000  # of a file
MAX_FILES = 500
MAX_ANSWERS = 100
MAX_LINK = 20_000  # letters
LONGEST = 1e7  # seconds


class HandInError(ValueError):
    """A file that cannot be graded; the sentence says why and what to do."""


@dataclass(frozen=True)
class HandIn:
    """A round as a student has saved it.

    Attributes
    ----------
    name : str
        What the student has typed.
    slug : str
        The page.
    link : str
        What the link of the round says: data, parameters, seed.
    answers : tuple
        For each question the answer, as it was given; None where it was skipped.
    seconds : float
        The time that the round took, as the file says.
    """

    name: str
    slug: str
    link: str
    answers: tuple[Any, ...]
    seconds: float


@dataclass(frozen=True)
class Marked:
    """A round that was graded.

    Attributes
    ----------
    hand_in : HandIn
        The round.
    questions : tuple of Question
        Its questions.
    verdicts : tuple of Verdict
        On each answer.
    is_named : bool
        Whether the data are those that come from the name of the student.
    """

    hand_in: HandIn
    questions: tuple[Question, ...]
    verdicts: tuple[Verdict, ...]
    is_named: bool

    @property
    def n_right(self) -> int:
        """The number of right answers."""
        return sum(verdict.is_right for verdict in self.verdicts)

    @property
    def rules(self) -> list[str]:
        """The wrong rules that were followed, each as often as it was."""
        return [str(verdict.rule) for verdict in self.verdicts if verdict.rule is not None]


def read_hand_in(content: bytes) -> HandIn:
    """Read a file that somebody hands in.

    Raises
    ------
    HandInError
        If it is none, or of a version that is not known.

    Examples
    --------
    >>> read_hand_in(b"hello")
    Traceback (most recent call last):
    ...
    dashboard.handins.HandInError: This is no round that was saved here: it is no JSON.
    """
    if len(content) > MAX_BYTES:
        raise HandInError(
            f"This file has {len(content):,} bytes; a saved round has a few thousand."
        )
    try:
        parts = json.loads(content)
    except (ValueError, RecursionError):
        raise HandInError("This is no round that was saved here: it is no JSON.") from None
    if not isinstance(parts, dict) or parts.get("format") != FORMAT:
        raise HandInError(
            "This is no round that was saved here. Save one at its end, and send that."
        )
    if parts.get("version") != VERSION:
        raise HandInError("It was saved by another version. Play the round again, and save it.")
    name, slug, link = (_text(parts, key) for key in ("name", "page", "link"))
    answers = parts.get("answers")
    if slug not in CATALOGUE:
        raise HandInError(f"There is no page “{slug[:40]}” any more.")
    if not isinstance(answers, list) or len(answers) > MAX_ANSWERS:
        raise HandInError("Its answers are damaged.")
    seconds = parts.get("seconds")
    is_time = isinstance(seconds, int | float) and 0 <= seconds < LONGEST
    return HandIn(
        " ".join(name[:MAX_NAME].split()) or "without a name",
        slug,
        link[:MAX_LINK].removeprefix("?"),
        tuple(answers),
        float(seconds or 0) if is_time else 0.0,
    )


def _text(parts: Mapping[str, Any], key: str) -> str:
    text = parts.get(key)
    if not isinstance(text, str):
        raise HandInError(f"Its field “{key}” is damaged.")
    return text


def mark(hand_in: HandIn) -> Marked:
    """Grade a round from its data and its answers.

    Raises
    ------
    HandInError
        If its data cannot be had again, or its answers are not those of its questions.
    """
    technique = technique_of(hand_in.slug)
    settings = Settings.from_query(parse_qs(hand_in.link), technique.opening_link)
    source = settings.text("source")
    if source in FROM_FILES:
        raise HandInError("It is about a file of the student's own, which it does not contain.")
    page_view = view_of(technique, settings)
    if page_view is None or page_view.run is None or technique.practice is None:
        raise HandInError("The page has no questions about these data any more.")
    questions = _questions_of_round(page_view)
    if len(questions) != len(hand_in.answers):
        raise HandInError(
            f"It has {len(hand_in.answers)} answers to {len(questions)} questions: "
            "it was edited, or the questions have changed since."
        )
    verdicts = tuple(
        _verdict(question, response)
        for question, response in zip(questions, hand_in.answers, strict=True)
    )
    return Marked(hand_in, questions, verdicts, _is_named(hand_in.name, settings))


def _questions_of_round(page_view: View) -> tuple[Question, ...]:
    if page_view.asking.mode in ("", NAMED):
        raise HandInError("Its link is not that of a round.")
    return tuple(each.question for each in page_view.asking.of(questions_of(page_view)))


def _verdict(question: Question, response: Any) -> Verdict:
    """Return the verdict on an answer; what cannot be one is wrong."""
    try:
        return judge(question, response)
    except (ValueError, TypeError, OverflowError):
        return Verdict(False)


def _is_named(name: str, settings: Settings) -> bool:
    """Return whether the seed is one to which the student's name may lead."""
    seed = Form(settings).seed
    return (seed - seed_of(name)) % (SEED.high + 1) < TRIES


@dataclass(frozen=True)
class Class:
    """All that was handed in.

    Attributes
    ----------
    marked : tuple of Marked
        What was graded.
    refused : tuple of (str, str)
        The names of other files, each with the reason.
    """

    marked: tuple[Marked, ...]
    refused: tuple[tuple[str, str], ...]

    def table(self) -> pd.DataFrame:
        """Return a row for each round: name, page, score, data, seconds, wrong rules."""
        return pd.DataFrame(
            [
                {
                    "name": each.hand_in.name,
                    "page": CATALOGUE[each.hand_in.slug].title,
                    "right": each.n_right,
                    "questions": len(each.questions),
                    "percent": round(100 * each.n_right / max(1, len(each.questions)), 1),
                    "data": "from the name" if each.is_named else "others",
                    "seconds": round(each.hand_in.seconds),
                    "misconceptions": " ".join(dict.fromkeys(each.rules)),
                }
                for each in self.marked
            ],
            columns=[
                *("name", "page", "right", "questions", "percent", "data", "seconds"),
                "misconceptions",
            ],
        )

    def misconceptions(self) -> pd.DataFrame:
        """Return the wrong rules with the number of students who followed them, most first."""
        counts = Counter(rule for each in self.marked for rule in set(each.rules))
        return pd.DataFrame(counts.most_common(), columns=["misconception", "students"])

    def topics(self) -> pd.DataFrame:
        """Return the share of right answers by page and topic, the lowest first."""
        rows = [
            (CATALOGUE[each.hand_in.slug].title, question.topic, verdict.is_right)
            for each in self.marked
            for question, verdict in zip(each.questions, each.verdicts, strict=True)
        ]
        frame = pd.DataFrame(rows, columns=["page", "topic", "right"])
        groups = frame.groupby(["page", "topic"], as_index=False)
        table = groups.agg(answers=("right", "size"), right=("right", "mean"))
        table["right"] = (100 * table["right"].astype(float)).round(1)
        return table.sort_values(["right", "page"], ignore_index=True)

    def moodle(self) -> str:
        """Return the grades as a CSV file that Moodle imports."""
        table = self.table()
        return to_csv(
            pd.DataFrame(
                {
                    "Full name": table["name"],
                    "Grade": table["percent"],
                    "Feedback comments": table["misconceptions"],
                }
            )
        )

    def canvas(self, assignment: str) -> str:
        """Return the grades as a CSV file that Canvas imports, under the name of an assignment."""
        table = self.table()
        return to_csv(
            pd.DataFrame(
                {"Student": table["name"], "ID": "", "Section": "", assignment: table["percent"]}
            )
        )


def mark_all(files: Iterable[tuple[str, bytes]]) -> Class:
    """Grade files that were handed in; those that cannot be graded are listed with the reason.

    Parameters
    ----------
    files : iterable of (str, bytes)
        Names and contents.
    """
    marked, refused = list[Marked](), list[tuple[str, str]]()
    known = set[bytes]()
    for number, (name, content) in enumerate(files):
        try:
            if number >= MAX_FILES:
                raise HandInError(f"At most {MAX_FILES} files are graded at once.")
            if content in known:
                raise HandInError("The same file was given before.")
            known.add(content)
            marked.append(mark(read_hand_in(content)))
        except HandInError as error:
            refused.append((name, str(error)))
        except ValueError as error:
            refused.append((name, f"Its link cannot be opened: {error}"))
    return Class(
        tuple(sorted(marked, key=lambda each: each.hand_in.name.casefold())), tuple(refused)
    )
