"""Questions about recurrent networks: targets, units, the way back in time, clipping, forecasts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.rnn.network import RecurrentNetwork, RecurrentStep
from dmlib.neural.rnn.scene import OPTIONS
from dmlib.neural.rnn.sequence_view import SequenceView
from dmlib.pictures.answers import Pick, Value
from dmlib.pictures.options import chosen
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4, signed
from dmlib.problem.sequences import SequencesProblem

MAX_EPOCHS = 8  # that are asked about
STRIDE = 7  # steps of the sequence between two questions
CLEAR = 0.05  # by which the wrong forecast must differ, in standard deviations


class Rule(Misconception):
    """Wrong rules of recurrent networks."""

    SAME = "The target of a step is the value that the network reads in it."
    LINEAR = "A hidden unit passes its sum on as it is."
    NO_FEEDBACK = "A hidden unit depends on the present input alone."
    WEIGHT = "Back through a time step, the error is multiplied by the weight alone."
    UNCLIPPED = "Clipping leaves the length of the update as it is."
    TRUE = "In a forecast, the true values are the inputs."


def questions(run: Run[SequencesProblem, RecurrentNetwork]) -> Iterator[Question]:
    """Yield the questions that the epochs of a recurrent network answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.ElmanNetwork`, :class:`dmlib.neural.LSTM` or
        :class:`dmlib.neural.NARX`.

    Yields
    ------
    Question
        Before each of the first epochs, with the weights before it; and about its update.

    Examples
    --------
    >>> from dmlib.neural import ElmanNetwork
    >>> from dmlib.problem import prepare_series
    >>> problem = prepare_series([[0.0, 1.0, 0.0, -1.0] * 8], ["wave"])
    >>> model = ElmanNetwork(2, horizon=4, max_iter=1, random_state=0)
    >>> [question.topic for question in questions(Run.of(problem, model))]
    ['unit', 'way back', 'target', 'forecast']
    """
    steps = run.trace.steps
    if len(steps) < 2:
        return
    view = SequenceView.of(run.model, run.problem.arguments, chosen(run, OPTIONS))
    times = np.flatnonzero(view.mask)
    times = times[times > 0]
    if len(times) > 1:
        times = times[times != view.t]  # the ledger has the numbers of that step
    if not len(times):
        return
    for number in range(1, min(len(steps), MAX_EPOCHS + 1)):
        if steps[number].phase != "epoch":
            continue
        t = int(times[(STRIDE * number) % len(times)])
        moment = At.of(view, number, steps[number - 1], t)
        if moment.is_elman:
            yield from _unit(moment)
            yield from _way_back(moment)
        elif "c" in moment.units:
            yield from _memory(moment)
        if view.task.is_series:
            yield _target(moment)
            yield from _forecast(moment)
        yield from _clip(moment, steps[number])


@dataclass(frozen=True)
class At:
    """One time step of the sequence, with the weights before an epoch.

    Attributes
    ----------
    view : SequenceView
        The sequence.
    number : int
        The number of the epoch among the steps of the run.
    step : RecurrentStep
        The step with these weights.
    t : int
        The time step, from 0.
    unit : int
        The hidden unit that is asked about.
    units, before : dict of str to ndarray of shape (n_hidden,)
        The signals of all units in this time step, and in the one before.
    """

    view: SequenceView
    number: int
    step: RecurrentStep
    t: int
    unit: int
    units: dict[str, Floats]
    before: dict[str, Floats]

    @classmethod
    def of(cls, view: SequenceView, number: int, step: RecurrentStep, t: int) -> At:
        """Return a time step with its signals."""
        _, signals = view.signals(step)
        n = view.inputs.shape[1]
        rows = {k: v[0] for k, v in signals.items() if v.ndim == 3 and v.shape[1] == n}
        units, before = ({k: v[i] for k, v in rows.items()} for i in (t, t - 1))
        return cls(view, number, step, t, number % view.model.n_hidden, units, before)

    @property
    def is_elman(self) -> bool:
        """Whether hidden units are fed back without gates."""
        return "U" in self.step.weights and "c" not in self.units


def _unit(at: At) -> Iterator[Question]:
    weights, j = at.step.weights, at.unit
    own = float(at.view.inputs[0, at.t] @ weights["W"][:, j])
    fed_back = float(at.before["h"] @ weights["U"][:, j])
    b, h = float(weights["b"][j]), float(at.units["h"][j])
    z = own + fed_back + b
    yield Question(
        at.number,
        "unit",
        f"In time step {at.t + 1}, unit {j + 1} gets x W = {num4(own)} from the input and h U = "
        f"{num4(fed_back)} from the step before; b = {num4(b)}: what is its h?",
        Value(h, 0.01),
        f"h = tanh({num4(own)} + {signed(fed_back, 4)} + {signed(b, 4)}) = tanh({num4(z)}) = "
        f"{num4(h)}.",
        (Wrong(Rule.NO_FEEDBACK, float(np.tanh(own + b))), Wrong(Rule.LINEAR, z)),
        "Add up all that the unit gets, then apply tanh.",
    )


def _way_back(at: At) -> Iterator[Question]:
    j = at.unit
    u, h = float(at.step.weights["U"][j, j]), float(at.units["h"][j])
    factor = u * (1 - h * h)
    yield Question(
        at.number,
        "way back",
        f"Unit {j + 1} has h = {num4(h)} in time step {at.t + 1}, and feeds itself back with the "
        f"weight {num4(u)}: by which factor is an error at its h multiplied on the way to its h one"
        " step before?",
        Value(factor, 0.01 * max(abs(u), 0.1)),
        f"u (1 − h²) = {num4(u)} · (1 − {signed(h, 4)}²) = {num4(factor)}.",
        (Wrong(Rule.WEIGHT, u, "The derivative of tanh, 1 − h², is a factor too."),),
        "Chain rule: through tanh, then through the weight.",
    )


def _memory(at: At) -> Iterator[Question]:
    i, f, g, c = (float(at.units[name][at.unit]) for name in ("i", "f", "g", "c"))
    before = float(at.before["c"][at.unit])
    yield Question(
        at.number,
        "memory",
        f"In time step {at.t + 1}, unit {at.unit + 1} has the gates f = {num4(f)} and i = {num4(i)}"
        f", the candidate g = {num4(g)} and the memory {num4(before)} before: what will its memory "
        "c be?",
        Value(c, 0.01),
        f"c = f c + i g = {num4(f)} · {signed(before, 4)} + {num4(i)} · {signed(g, 4)} = "
        f"{num4(c)}.",
        hint="One gate weighs what is kept, the other what is written.",
    )


def _target(at: At) -> Question:
    names = at.t + 1, at.t + 2
    return Question(
        at.number,
        "target",
        f"In time step {names[0]} the network reads value {names[0]}: which value is the target of"
        " its output?",
        Pick("row", [[names[1]]]),
        f"The output is to be the next value, {names[1]}.",
        (Wrong(Rule.SAME, [names[0]], "It knows that value already."),),
        "The network learns to forecast.",
        about=[names[0]],
    )


def _forecast(at: At) -> Iterator[Question]:
    task, model = at.view.task, at.view.model
    (truth,) = task.held_out
    if len(truth) < 2:
        return
    first = float(model.forecast(at.step.weights, task)[0])
    scaled, wrong = ((value - task.shift) / task.unit for value in (first, float(truth[0])))
    if not np.isfinite(first) or abs(scaled - wrong) < CLEAR:
        return
    yield Question(
        at.number,
        "forecast",
        f"The forecast of the first held-out value is {num4(first)}, the true one "
        f"{num4(truth[0])}; the series is scaled by the mean {num4(task.shift)} and the standard "
        f"deviation {num4(task.unit)}: which input does the network get for its next forecast?",
        Value(float(scaled), 0.02),
        f"Its own forecast, scaled: ({num4(first)} − {signed(task.shift, 4)}) / {num4(task.unit)} ="
        f" {num4(scaled)}.",
        (Wrong(Rule.TRUE, float(wrong), "When one forecasts, the true value is not known."),),
        "What is known at that time?",
        about=[at.view.inputs.shape[1] + 2],
    )


def _clip(at: At, step: RecurrentStep) -> Iterator[Question]:
    model = at.view.model
    if model.clip is None or model.optimizer != "sgd" or step.updates != 1 or not step.norm:
        return
    length = model.learning_rate * min(step.norm, model.clip)
    yield Question(
        at.number,
        "clipping",
        f"The only gradient of the next epoch has the length {num4(step.norm)}, the limit of "
        f"clipping is {num4(model.clip)} and η = {num4(model.learning_rate)}: how long is the step "
        "of all weights together?",
        Value(length, 0.01 * length),
        f"η times the smaller of both lengths: {num4(model.learning_rate)} · "
        f"{num4(min(step.norm, model.clip))} = {num4(length)}.",
        (Wrong(Rule.UNCLIPPED, model.learning_rate * step.norm),),
        "A gradient that is longer than the limit is shortened to it.",
    )
