"""Questions on a page: which ones its run answers, and data on which wrong rules show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from dmlib.params import Integer
from dmlib.pictures.question import Misconception, Question
from dmlib.pictures.run import AnyRun
from dmlib.pictures.scene import Scene

PREDICT, PRACTICE, QUESTIONS = "predict", "practice", "questions"
"""Names in a link: questions before the steps that answer them; a round of practice, and its
length."""
ROUND, OWN, ALGORITHM, NAMED = "1", "own", "all", "name"
"""A round on chosen data, one on the data of the page, all decisions of a run, and a round that
begins when the student has typed a name."""
MODES = ("", ROUND, OWN, ALGORITHM, NAMED)
MIN_QUESTIONS, N_QUESTIONS, MAX_QUESTIONS = 5, 7, 10
"""Questions of a round: the fewest, the usual number, and the most."""
SIZE = Integer(MIN_QUESTIONS, MAX_QUESTIONS)
MAX_DECISIONS = 40  # that are asked where all are

Questions = Callable[[AnyRun], Iterator[Question]]


@dataclass(frozen=True)
class Practice:
    """The questions of a page.

    Attributes
    ----------
    questions : callable
        Run -> the questions that its steps answer, in order.
    rules : collection of Misconception
        The wrong rules that are known: a class of them, or those of several.
    """

    questions: Questions
    rules: Collection[Misconception]


@dataclass(frozen=True)
class PlacedQuestion:
    """A question with its place in the picture.

    Attributes
    ----------
    frame : int
        The frame that shows the answer; it is asked in the one before.
    question : Question
        The question.
    """

    frame: int
    question: Question

    def packed(self) -> dict[str, Any]:
        """Return it as plain data for the stage."""
        return {"frame": self.frame, **self.question.packed()}


def placed_questions(questions: Questions, run: AnyRun, scene: Scene) -> list[PlacedQuestion]:
    """Return the questions of a run that its picture answers from one frame to the next.

    A picture that makes steps of its own, of one row for instance, is asked about these.
    """
    last = {id(step): i for i, step in enumerate(scene.steps)}
    first = {id(step): i for i, step in reversed(list(enumerate(scene.steps)))}
    steps = run.trace.steps if any(id(step) in last for step in run.trace.steps) else scene.steps
    places = (
        (last.get(id(steps[question.step - 1])), first.get(id(steps[question.step])), question)
        for question in questions(run)
        if question.step < len(steps)
    )
    return [
        PlacedQuestion(after, question)
        for before, after, question in places
        if before is not None and after == before + 1
    ]


def round_of(questions: Sequence[PlacedQuestion], size: int = N_QUESTIONS) -> list[PlacedQuestion]:
    """Return the questions of a round: as many wrong rules and topics as there is room for.

    Of those that show as much, the one of the topic that was asked least, and then the first. They
    stay in their order.
    """
    chosen, rules, topics = set[int](), set[str](), Counter[str]()

    def worth(place: int) -> tuple[int, int, int]:
        question = questions[place].question
        new = {error.rule for error in question.errors} - rules
        return len(new), -topics[question.topic], -place

    while len(chosen) < min(size, len(questions)):
        best = max(set(range(len(questions))) - chosen, key=worth)
        chosen.add(best)
        rules |= rules_shown([questions[best]])
        topics[questions[best].question.topic] += 1
    return [questions[place] for place in sorted(chosen)]


def rules_shown(questions: Iterable[PlacedQuestion]) -> set[str]:
    """Return the wrong rules that give a wrong answer to one of the questions."""
    return {error.rule for each in questions for error in each.question.errors}


@dataclass(frozen=True)
class Asking:
    """The questions that a page asks.

    Attributes
    ----------
    mode : {"", "1", "own", "all", "name"}
        Which round is practised, if any.
    predicts : bool
        Whether each step that has questions waits for an answer.
    size : int
        The number of questions of a round.
    """

    mode: str = ""
    predicts: bool = False
    size: int = N_QUESTIONS

    def of(self, questions: Sequence[PlacedQuestion]) -> list[PlacedQuestion]:
        """Return those of the questions of a run that are asked."""
        if self.mode == NAMED:
            return []
        if self.mode == ALGORITHM:
            return list(questions[:MAX_DECISIONS])
        return round_of(questions, self.size) if self.mode else list(questions)

    def packed(self, practice: Practice, run: AnyRun, scene: Scene) -> dict[str, Any] | None:
        """Return the questions that the stage asks, as plain data; None where it asks none."""
        if not self.mode and not self.predicts:
            return None
        questions = self.of(placed_questions(practice.questions, run, scene))
        return {"mode": self.mode or PREDICT, "questions": [each.packed() for each in questions]}
