"""Questions about maps and LVQ: how far a code moves by one pixel, and in which direction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.clustering.codes import patches
from dmlib.clustering.vector_quantisation.online import OnlineStep
from dmlib.clustering.vector_quantisation.som import SelfOrganizingMap, places
from dmlib.pictures.answers import Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4, signed
from dmlib.problem import ImageProblem

MAX_ASKED = 30
LEAST = 0.01  # by which a number must move


class OnlineRule(Misconception):
    """Wrong rules of codes that move with every pixel."""

    ALONE = "Only the nearest unit moves."
    SAME = "The neighbours move by the same share of the way as the nearest unit."
    ATTRACTED = "The nearest code always moves towards the pixel."
    JUMP = "The nearest code moves onto the pixel."


def online_questions(run: Run[ImageProblem, Any]) -> Iterator[Question]:
    """Yield the questions that moves of codes answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.clustering.LVQ` or :class:`dmlib.clustering.SelfOrganizingMap`.

    Yields
    ------
    Question
        Before moves.

    Examples
    --------
    >>> from dmlib.clustering import LVQ
    >>> from dmlib.problem import prepare_image
    >>> run = Run.of(prepare_image([[0, 40], [200, 255]]), LVQ(1, max_iter=4, random_state=0))
    >>> {question.topic for question in online_questions(run)} <= {"attract", "repel"}
    True
    """
    rows = patches(run.problem.data, 1)
    n_asked = 0
    for number, step in enumerate(run.trace.steps):
        has_moved = step.phase in ("adapt", "attract", "repel") and step.before is not None
        if number == 0 or not has_moved or n_asked == MAX_ASKED:
            continue
        if isinstance(run.model, SelfOrganizingMap):
            question = _neighbour(run.model, number, step, rows)
        else:
            question = _code(number, step, rows)
        if question is not None:
            n_asked += 1
            yield question


def _neighbour(
    model: SelfOrganizingMap, number: int, step: OnlineStep, rows: Floats
) -> Question | None:
    assert step.before is not None
    grid = places(model.n_rows, model.n_columns)
    code, row = step.code or 0, step.row or 0
    beside = np.flatnonzero(((grid - grid[code]) ** 2).sum(axis=1) == 1)
    if not len(beside):
        return None
    unit = int(beside[0])
    at = int(np.abs(rows[row] - step.before[unit]).argmax())
    old, x, new = (float(each[at]) for each in (step.before[unit], rows[row], step.codebook[unit]))
    if abs(new - old) < LEAST:
        return None
    share = float(np.exp(-1 / (2 * step.width**2)))
    return Question(
        number,
        "neighbour",
        f"A neighbour (d = 1) of the nearest unit has the value {num4(old)}, and the pixel "
        f"{num4(x)}. With α = {num4(step.rate)} and a neighbourhood function of {num4(share)} for "
        "d = 1, which value does the neighbour get?",
        Value(new, 0.005),
        f"{num4(old)} + {num4(step.rate)} · {num4(share)} · ({num4(x)} − {signed(old, 4)}) = "
        f"{num4(new)}.",
        (Wrong(OnlineRule.ALONE, old), Wrong(OnlineRule.SAME, old + step.rate * (x - old))),
        "Rate times neighbourhood function is the share of the way to the pixel.",
    )


def _code(number: int, step: OnlineStep, rows: Floats) -> Question | None:
    assert step.before is not None
    code, row = step.code or 0, step.row or 0
    at = int(np.abs(rows[row] - step.before[code]).argmax())
    old, x, new = (float(each[at]) for each in (step.before[code], rows[row], step.codebook[code]))
    if abs(new - old) < LEAST:
        return None
    sign, which = ("+", "its own") if step.phase == "attract" else ("−", "another")
    return Question(
        number,
        step.phase,
        f"Code {code + 1} has the value {num4(old)} and is nearest to a pixel of {which} class "
        f"with the value {num4(x)}. With α = {num4(step.rate)}, which value does it get?",
        Value(new, 0.005),
        f"{num4(old)} {sign} {num4(step.rate)} · ({num4(x)} − {signed(old, 4)}) = {num4(new)}.",
        (Wrong(OnlineRule.ATTRACTED, old + step.rate * (x - old)), Wrong(OnlineRule.JUMP, x)),
        "A code of another class gives way.",
        about=[code + 1],
        of="code",
    )
