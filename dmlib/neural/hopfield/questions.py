"""Questions about a Hopfield network: weights, weighted sums, flips, energies, and the end."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.hopfield.algorithm import Hopfield, HopfieldStep, bipolar
from dmlib.neural.hopfield.recall import TIE
from dmlib.pictures.answers import Option, Pick, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4, signed
from dmlib.problem import PatternsProblem

MAX_STEPS = 24  # that are asked about
MAX_PATTERNS = 4  # of a sum that is worked out
MAX_UNITS = 36  # among which one is picked
OUTCOMES = {
    "stored": "a stored pattern",
    "inverse": "the inverse of a stored pattern",
    "spurious": "a spurious stable state",
    "cycle": "a cycle of two states",
}


class Rule(Misconception):
    """Wrong rules of Hopfield networks."""

    BOTH_ON = "Only units that are both on strengthen their weight."
    ITSELF = "A unit counts itself in its weighted sum."
    DIFFERS = "The units that flip are those that differ from the pattern of the cue."
    ONCE = "A flip lowers the energy by its weighted sum, once."
    RECALLED = "Recall ends in a stored pattern."
    NO_THRESHOLD = "A unit takes the sign of its weighted sum, whatever its threshold."
    ADDED = "The threshold is added to the weighted sum."


def questions(run: Run[PatternsProblem, Hopfield]) -> Iterator[Question]:
    """Yield the questions that the steps of a Hopfield network answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.Hopfield`.

    Yields
    ------
    Question
        Before further patterns are stored, before flips and updates, and before the end.

    Examples
    --------
    >>> from dmlib.neural import Hopfield
    >>> from dmlib.problem import prepare_patterns
    >>> problem = prepare_patterns([[[1, 1, 0], [0, 0, 1]], [[1, 0, 1], [0, 1, 0]]])
    >>> model = Hopfield(update="index", noise=0.2, random_state=0)
    >>> sorted({question.topic for question in questions(Run.of(problem, model))})
    ['end', 'energy', 'flip', 'sum', 'weight']
    """
    steps = run.trace.steps
    patterns = bipolar(run.problem.data)
    is_hebb = run.model.rule == "hebb" and isinstance(run.model.init, str)
    for number in range(1, len(steps)):
        step, before = steps[number], steps[number - 1]
        if step.phase == "done":
            yield from _end(number, step)
        elif number > MAX_STEPS:
            continue
        elif step.phase == "store" and is_hebb:
            yield from _weight(run.problem, patterns, number, step)
        elif step.phase == "flip":
            yield from _next_flip(run.model, patterns, number, step, before)
            if is_hebb:
                yield from _sum(run, patterns, number, step, before)
            yield from _energy(number, step, before)
        elif step.phase == "update":
            yield from _update(patterns, number, step, before)


def _sum_name(step: HopfieldStep, unit: int | None = None) -> str:
    """Return the name of h, whose sign a unit takes; of all units, without one."""
    if not step.thresholds.any():
        return "weighted sum"
    if unit is None and np.ptp(step.thresholds):
        return "weighted sum less its θ"
    theta = step.thresholds[unit or 0]
    return f"weighted sum less θ ({num4(theta)})"


def _weight(
    problem: PatternsProblem, patterns: Floats, number: int, step: HopfieldStep
) -> Iterator[Question]:
    stored = patterns[: (step.pattern or 0) + 1]
    n = stored.shape[1]
    if not 2 <= len(stored) <= MAX_PATTERNS or n > 400:
        return
    is_on = (stored > 0).astype(float)
    gaps = np.abs(step.weights - is_on.T @ is_on / n)
    np.fill_diagonal(gaps, -1.0)
    i, j = sorted(int(k) for k in np.unravel_index(int(gaps.argmax()), gaps.shape))
    pairs = [
        f"{'on' if x[i] > 0 else 'off'} and {'on' if x[j] > 0 else 'off'} in pattern {name}"
        for x, name in zip(stored, problem.names, strict=False)
    ]
    products = " ".join(f"{'+' if x[i] * x[j] > 0 else '−'} 1" for x in stored)
    weight = float(step.weights[i, j])
    yield Question(
        number,
        "weight",
        f"Units {i + 1} and {j + 1} of {n} are {', '.join(pairs)}: what is their weight after "
        f"{len(stored)} patterns, by Hebb's rule?",
        Value(weight, 0.03 / n),
        f"Each pattern adds 1/n where the units agree, on or off, else −1/n: ({products}) / {n} = "
        f"{num4(weight)}.",
        (Wrong(Rule.BOTH_ON, float(is_on[:, i] @ is_on[:, j]) / n),),
        "On is 1 and off is −1: add the products, and divide by the number of units.",
        about=[i + 1, j + 1],
        of="unit",
    )


def _sum(
    run: Run[PatternsProblem, Hopfield],
    patterns: Floats,
    number: int,
    step: HopfieldStep,
    before: HopfieldStep,
) -> Iterator[Question]:
    p, n = patterns.shape
    if p > MAX_PATTERNS or step.change is None or step.change.unit is None:
        return
    unit, h = step.change.unit, float(step.change.net)
    overlaps, x, s = patterns @ before.state / n, patterns[:, unit], float(before.state[unit])
    listing = ", ".join(
        f"{num4(m)} with pattern {name} (unit {unit + 1}: {value:+.0f})".replace("-", "−")
        for m, name, value in zip(overlaps, run.problem.names, x, strict=True)
    )
    terms = " + ".join(
        f"{signed(m, 4)} · {signed(value)}" for m, value in zip(overlaps, x, strict=True)
    )
    theta = float(step.thresholds[unit])
    own_terms = f"{p}/{n} · {signed(s)}" + (f" − {signed(theta, 4)}" if theta else "")
    yield Question(
        number,
        "sum",
        f"The state overlaps by {listing}, and unit {unit + 1} is {'on' if s > 0 else 'off'}: what"
        f" is h, its {_sum_name(step, unit)}?",
        Value(h, 0.03 / n),
        f"h = {terms} − {own_terms} = {num4(h)}, without the unit's own term.",
        (
            Wrong(Rule.NO_THRESHOLD, h + theta),
            Wrong(Rule.ADDED, h + 2 * theta),
            Wrong(Rule.ITSELF, h + p / n * s, "A unit has no weight to itself."),
        ),
        "h is the sum of overlap times the unit's value, less p/n times its own state"
        + (" and less θ." if theta else "."),
        about=[unit + 1],
        of="unit",
    )


def _first_turn(before: HopfieldStep) -> int:
    """Return the unit whose turn comes first after a step, in the order of their numbers."""
    if before.phase != "flip" or before.change is None:
        return 0
    return int(before.change.unit or 0) + 1


def _next_flip(
    model: Hopfield, patterns: Floats, number: int, step: HopfieldStep, before: HopfieldStep
) -> Iterator[Question]:
    if model.update not in ("index", "steepest") or len(step.state) > MAX_UNITS:
        return
    assert step.change is not None
    unit = int(step.change.unit or 0)
    is_index = model.update == "index"
    differs = np.flatnonzero(before.state != patterns[before.target])
    right = [unit]
    if is_index:
        differs = differs[differs >= _first_turn(before)]
    else:
        gains = before.state * (step.weights @ before.state - step.thresholds)
        right = np.flatnonzero(gains <= gains.min() + TIE).tolist()
    order = "in the order of their numbers" if is_index else "where the energy falls most"
    h = float(step.weights[unit] @ before.state - step.thresholds[unit])
    state = "on" if before.state[unit] > 0 else "off"
    others = "those before it have the sign of theirs" if is_index else "its sum is the largest"
    yield Question(
        number,
        "flip",
        f"Units flip {order}: which one flips next?",
        Pick("unit", [[place + 1] for place in right]),
        f"Unit {unit + 1} is {state}, and its {_sum_name(step, unit)} is {num4(h)}, of the other"
        f" sign; {others}.",
        [
            *([Wrong(Rule.NO_THRESHOLD, [_flips_without(step, before) + 1])] * is_index),
            *(Wrong(Rule.DIFFERS, [place + 1]) for place in differs[:1].tolist()),
        ],
        f"A unit takes the sign of its {_sum_name(step)}, whatever the pattern has there.",
        "Several units lower the energy by as much." if len(right) > 1 else "",
    )


def _flips_without(step: HopfieldStep, before: HopfieldStep) -> int:
    """Return the unit that would flip next, in the order of their numbers, without thresholds."""
    turn = _first_turn(before)
    turns = np.roll(np.arange(len(before.state)), -turn)
    opposite = before.state * (step.weights @ before.state) < -TIE
    return int(turns[int(opposite[turns].argmax())])


def _energy(number: int, step: HopfieldStep, before: HopfieldStep) -> Iterator[Question]:
    assert step.change is not None
    h, unit = float(step.change.net), int(step.change.unit or 0)
    size, energy = abs(h), round(step.energy, 12) + 0.0  # a sum of ninths may leave 1e-17
    yield Question(
        number,
        "energy",
        f"The energy is {num4(before.energy)}, and unit {unit + 1}, whose {_sum_name(step, unit)}"
        f" is {num4(h)}, flips: what will the energy be?",
        Value(energy, 0.02 * size),
        f"E falls by 2 |h|: {num4(before.energy)} − 2 · {num4(size)} = {num4(energy)}.",
        (Wrong(Rule.ONCE, before.energy - size),),
        "s·h goes from −|h| to +|h|.",
        about=[unit + 1],
        of="unit",
    )


def _update(
    patterns: Floats, number: int, step: HopfieldStep, before: HopfieldStep
) -> Iterator[Question]:
    if len(step.state) > MAX_UNITS:
        return
    changed = (np.flatnonzero(step.state != before.state) + 1).tolist()
    differs = (np.flatnonzero(before.state != patterns[before.target]) + 1).tolist()
    yield Question(
        number,
        "update",
        "All units are updated at once: which ones change?",
        Pick("unit", [changed], several=True),
        f"{len(changed)} units have a {_sum_name(step)} of the other sign."
        if changed
        else f"Each unit has the sign of its {_sum_name(step)} already.",
        (Wrong(Rule.DIFFERS, differs),),
        f"Each unit takes the sign of its {_sum_name(step)}.",
    )


def _end(number: int, step: HopfieldStep) -> Iterator[Question]:
    if step.outcome not in OUTCOMES:
        return
    names = list(OUTCOMES)
    proofs = {
        "stored": "The state equals a stored pattern in every cell.",
        "inverse": "Each cell is the opposite of a stored pattern"
        + ("." if step.thresholds.any() else ": it has the same energy."),
        "spurious": f"No unit would flip, but {step.n_wrong} cells differ from the pattern: it is "
        "no stored pattern, nor the inverse of one.",
        "cycle": "The state is that of two updates before: the units switch back for ever.",
    }
    yield Question(
        number,
        "end",
        "In what does the recall end?",
        Option(list(OUTCOMES.values()), [names.index(step.outcome)]),
        proofs[step.outcome],
        (Wrong(Rule.RECALLED, 0),),
        "Compare the state with each pattern, cell by cell.",
    )
