"""Players of rounds of practice: one who guesses, and one who follows a single wrong rule."""

from __future__ import annotations

import numpy as np

from dmlib.pictures.answers import Angle, Option, Order, Pick, Place, Value, accepts
from dmlib.pictures.question import judge


def marks_of(scene, of):
    """Return the numbers that can be picked: those of the marks that are seen."""
    found = set()
    for mark in scene.marks:
        if mark.of != of or mark.numbers is None or not mark.of:
            continue
        places = getattr(mark, "x0", None)
        places = getattr(mark, "x", places) if places is None else places
        numbers = np.atleast_1d(np.asarray(mark.numbers)).ravel()
        if places is not None:
            numbers = np.broadcast_to(numbers, np.shape(places))[np.isfinite(places)]
        found |= {int(number) for number in numbers}
    return found


def _pick(answer, rng, candidates):
    among = list(answer.among) or sorted(candidates)
    size = min(len(among), int(rng.integers(0, 7))) if answer.several else 1
    return [int(i) for i in rng.choice(among, size, replace=False)]


def _place(answer, rng, _):
    x, y = answer.panel.x, answer.panel.y
    return rng.uniform(x.low, x.high), rng.uniform(y.low, y.high)


def _value(answer, rng, _):
    size = max(abs(answer.value), 1.0)
    if answer.tolerance == 0 and float(answer.value).is_integer():
        return float(rng.integers(0, round(2 * size) + 3))
    return float(rng.uniform(-size, 2 * size))


GUESSES = {
    Option: lambda answer, rng, _: int(rng.integers(len(answer.options))),
    Pick: _pick,
    Place: _place,
    Angle: lambda answer, rng, _: float(rng.uniform(0, 180)),
    Order: lambda answer, rng, _: [int(i) for i in rng.permutation(len(answer.items))],
    Value: _value,
}


def guess(question, rng, candidates):
    """Return an answer by chance, as somebody would give it who knows only what can be given."""
    return GUESSES[type(question.answer)](question.answer, rng, candidates)


def share_by_chance(questions, scenes, seed=0, n_rounds=40):
    """Return the share of answers by chance that are right."""
    rng = np.random.default_rng(seed)
    right = [
        accepts(question.answer, guess(question, rng, candidates))
        for _ in range(n_rounds)
        for question, candidates in zip(questions, scenes, strict=True)
    ]
    return float(np.mean(right)) if right else 0.0


def verdicts_of(rule, questions):
    """Return the verdicts on the answers of a player who follows a wrong rule where it differs."""
    return [
        judge(question, error.answer)
        for question in questions
        for error in question.errors
        if error.rule is rule
    ]
