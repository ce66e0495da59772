"""A question about the next step of a run, with the answers of known wrong rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from dmlib.pictures.answers import Answer, accepts


class Misconception(StrEnum):
    """Base of the wrong rules of a technique: each value is the rule, as one sentence."""


@dataclass(frozen=True)
class Wrong:
    """The answer that a wrong rule gives.

    Attributes
    ----------
    rule : Misconception
        The rule.
    answer : object
        Its answer.
    refutation : str
        What refutes it, as one sentence, where the proof of the question does not.
    """

    rule: Misconception
    answer: Any
    refutation: str = ""


@dataclass(frozen=True)
class Question:
    """A question that a step of a run answers.

    Parameters
    ----------
    step : int
        The number of the step in the run, from 1: it is asked while the step before is shown.
    topic : str
        What kind of decision it is about: a round has questions of several.
    prompt : str
        The question, one sentence that ends in a question mark.
    answer : Answer
        What is right.
    proof : str
        The arithmetic that proves it, as one sentence.
    wrong : sequence of Wrong
        What known wrong rules answer.
    hint : str
        What helps, without giving the answer away.
    tie : str
        Why several answers are right, where they are.
    hides : sequence of str
        Kinds of marks that would give it away, and are not drawn while it is asked: in all panels
        or, as "panel.Kind", in one.
    about : sequence of int
        Numbers of the marks that it is about: they are outlined.
    of : str
        What these numbers count, as the marks say; "class" for all marks of the colour of a class
        or cluster, counted from 0.

    Attributes
    ----------
    errors : tuple of Wrong
        Those of ``wrong`` that are wrong here, each answer once: a wrong rule may give the right
        answer.

    Examples
    --------
    >>> from dmlib.pictures.answers import Value
    >>> class Rule(Misconception):
    ...     MEDIAN = "The centre moves to the median."
    ...     RANGE = "The centre moves to the middle of the range."
    >>> wrong = Wrong(Rule.MEDIAN, 2.0), Wrong(Rule.RANGE, 3.5)
    >>> question = Question(1, "mean", "Where?", Value(3.0), "(1 + 2 + 6) / 3 = 3.", wrong)
    >>> judge(question, 2.0).rule
    <Rule.MEDIAN: 'The centre moves to the median.'>
    """

    step: int
    topic: str
    prompt: str
    answer: Answer
    proof: str
    wrong: Sequence[Wrong] = ()
    hint: str = ""
    tie: str = ""
    hides: Sequence[str] = ()
    about: Sequence[int] = ()
    of: str = "row"

    @property
    def errors(self) -> tuple[Wrong, ...]:
        """The answers of wrong rules that are wrong here, each answer once."""
        errors: list[Wrong] = []
        for each in self.wrong:
            is_known = any(self.answer.same(each.answer, error.answer) for error in errors)
            if not is_known and not accepts(self.answer, each.answer):
                errors.append(each)
        return tuple(errors)

    def packed(self) -> dict[str, Any]:
        """Return it as plain data for the stage."""
        answer = self.answer
        return {
            "topic": self.topic,
            "prompt": self.prompt,
            "answer": answer.packed(),
            "solution": answer.text(answer.right[0]),
            "proof": self.proof,
            "hint": self.hint,
            "tie": self.tie,
            "hides": list(self.hides),
            "about": [int(number) for number in self.about],
            "of": self.of,
            "errors": [
                {"rule": str(each.rule), "answer": each.answer, "refutation": each.refutation}
                for each in self.errors
            ],
        }


@dataclass(frozen=True)
class Verdict:
    """The verdict on an answer.

    Attributes
    ----------
    is_right : bool
        Whether it is right.
    rule : Misconception or None
        The wrong rule that gives this answer, if one is known.
    """

    is_right: bool
    rule: Misconception | None = None


def judge(question: Question, response: Any) -> Verdict:
    """Return the verdict on an answer that somebody gives, which is not trusted.

    Raises
    ------
    ValueError
        If it is no answer of this kind.
    """
    answer = question.answer
    value = answer.read(response)
    if accepts(answer, value):
        return Verdict(True)
    same = (error.rule for error in question.errors if answer.same(value, error.answer))
    return Verdict(False, next(same, None))
