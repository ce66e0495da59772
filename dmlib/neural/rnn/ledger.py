"""Captions and ledgers of a recurrent network: an epoch, and one step of a sequence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.rnn.long_short_term import GATES
from dmlib.neural.rnn.network import RecurrentStep
from dmlib.neural.rnn.sequence_view import SequenceView
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, numbered_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, num4, short, signed

MAX_TERMS = 6


def measure_of(view: SequenceView) -> str:
    """Return the name of the test error."""
    return "perplexity" if view.task.loss == "log_loss" else "RMSE"


class Narrator:
    """Captions and ledgers of a recurrent network.

    Parameters
    ----------
    view : SequenceView
        The sequence that is drawn, and its step whose arithmetic is shown.
    symbols : sequence of str
        The symbols of a text; none where the data are numbers.
    """

    def __init__(self, view: SequenceView, symbols: Sequence[str]) -> None:
        self.view, self.symbols = view, symbols

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: RecurrentStep = moment.step
        epoch = epoch_blocks(step, moment.before, self.view)
        return self._caption(step), [*epoch, *sequence_blocks(step, self.view, self.symbols)]

    def _caption(self, step: RecurrentStep) -> str:
        if step.phase == "diverged":
            return step.reason
        if step.phase == "start":
            return f"Start: random weights, {self._errors(step)}."
        if step.phase == "epoch":
            return f"Epoch {step.n_iter}: training loss {num4(step.loss)}, {self._errors(step)}."
        reason = f" {step.reason}" if "grow" in step.reason else ""
        return f"Done after {count(step.n_iter, 'epoch', 'epochs')}: {self._errors(step)}.{reason}"

    def _errors(self, step: RecurrentStep) -> str:
        """Return the test error beside the naive one."""
        relation = "below" if step.test_error < step.naive_error else "not below"
        error, naive = num4(step.test_error), num4(step.naive_error)
        return f"test {measure_of(self.view)} {error}, {relation} the naive {naive}"


def epoch_blocks(step: RecurrentStep, before: RecurrentStep, view: SequenceView) -> Blocks:
    """Return the losses of an epoch, and the length of its gradients."""
    measure = measure_of(view)
    rows = [
        ("training loss", float(before.loss), float(step.loss)),
        (f"test {measure}", float(before.test_error), float(step.test_error)),
        (f"naive {measure}", None, float(step.naive_error)),
    ]
    blocks: Blocks = [LedgerTable(("", "before", "now"), rows, f"Epoch {step.n_iter}")]
    if step.updates and step.phase == "epoch":
        text = f"{step.updates} updates, mean length of the gradient {num(step.norm)}"
        if view.model.clip is not None:
            text += f"; each longer than {num(view.model.clip)} is shortened to it"
        blocks.append(Formula(text))
    return blocks


def sequence_blocks(step: RecurrentStep, view: SequenceView, symbols: Sequence[str]) -> Blocks:
    """Return the input of the step, its units, and its output."""
    output, signals = view.signals(step)
    t, X, weights = view.t, view.inputs, step.weights
    units = {
        name: values[0, t]
        for name, values in signals.items()
        if values.ndim == 3 and values.shape[1] == X.shape[1]
    }
    x = symbols[int(X[0, t].argmax())] if symbols else ", ".join(num4(x) for x in X[0, t])
    blocks: Blocks = [Formula(f"Step {t + 1}: the input is {x}")]
    if "c" in units:
        blocks += _gate_blocks(units, _before(signals, "c", t))
    elif "delayed" in units:
        blocks += _delay_blocks(units, weights)
    else:
        blocks += _feedback_blocks(units["h"], _before(signals, "h", t), X[0, t], weights)
    return [*blocks, *_output_blocks(units["h"], weights, output[t], view, symbols)]


def _before(signals: Mapping[str, Floats], name: str, t: int) -> Floats:
    """Return a signal of the step before."""
    first = signals["first" if name == "h" else "first c"][0]
    before: Floats = signals[name][0, t - 1] if t > 0 else first
    return before


def _unit_table(title: str, columns: Mapping[str, Floats]) -> LedgerTable:
    """Return a line for each unit, with its number in each column."""
    lines = zip(*columns.values(), strict=True)
    rows = [(j, *map(short, numbers)) for j, numbers in enumerate(lines, start=1)]
    return numbered_table(("unit", *columns), rows, title, by="unit", max_rows=12)


def _gate_blocks(units: Mapping[str, Floats], memory: Floats) -> Blocks:
    gates = {gate: units[gate] for gate in GATES}
    columns = gates | {"c before": memory, "c": units["c"], "h": units["h"]}
    i, f, o, g, c_before, c, h = (float(column[0]) for column in columns.values())
    sum_ = f"{num(f)} · {signed(c_before)} + {num(i)} · {signed(g)} = {num(c)}"
    return [
        _unit_table("Gates and cell state", columns),
        Formula(f"unit 1: c = f c + i g = {sum_}"),
        Formula(f"unit 1: h = o tanh(c) = {num(o)} · {signed(np.tanh(c))} = {num(h)}"),
    ]


def _feedback_blocks(
    h: Floats, h_before: Floats, x: Floats, weights: Mapping[str, Floats]
) -> Blocks:
    xW, hU, b = x @ weights["W"], h_before @ weights["U"], weights["b"]
    columns = {"x W": xW, "h U": hU, "b": b, "sum": xW + hU + b, "h": h}
    sum_ = f"{num(xW[0])} + {signed(hU[0])} + {signed(b[0])}"
    return [
        _unit_table("Units", columns),
        Formula(f"unit 1: h = tanh(x W + h U + b) = tanh({sum_}) = {num(h[0])}"),
    ]


def _delay_blocks(units: Mapping[str, Floats], weights: Mapping[str, Floats]) -> Blocks:
    x, h, W, b = units["delayed"], units["h"], weights["W"], weights["b"]
    parts = x * W[:, 0]
    terms = abridged([signed(part, 4) for part in parts[parts != 0]], MAX_TERMS) or "0"
    title = f"Units, with {len(parts)} delayed inputs"
    return [
        _unit_table(title, {"sum": x @ W + b, "h": h}),
        Formula(f"unit 1: h = tanh({terms} + {signed(b[0])}) = {num(h[0])}"),
    ]


def _output_blocks(
    h: Floats,
    weights: Mapping[str, Floats],
    output: Floats,
    view: SequenceView,
    symbols: Sequence[str],
) -> Blocks:
    target = view.targets[0, view.t]
    has_target = bool(view.mask[view.t])
    if symbols:
        order = np.argsort(-output, kind="stable")[:5].tolist()
        code = int(target.argmax()) if has_target else None
        rows = [(symbols[j], short(output[j]), "←" if j == code else "") for j in order]
        head, title = ("next", "probability", ""), "Output: the most probable symbols"
        numbers = [j + 1 for j in order]
        blocks: Blocks = [LedgerTable(head, rows, title, by="symbol", numbers=numbers)]
        if code is not None:
            loss = -float(np.log(output[code]))
            blocks.append(Formula(f"loss = −log {num(output[code])} = {num(loss)}"))
        return blocks
    products = zip(h, weights["V"][:, 0], strict=True)
    terms = abridged([f"{num4(a)} · {signed(b, 4)}" for a, b in products], 3)
    line = Formula(f"y = h V + a = {terms} + {signed(weights['a'][0])} = {num(output[0])}")
    if not has_target:
        return [line]
    error = float(output[0] - target[0])
    unit = " (standardised)" if view.task.is_series else ""
    loss_text = f"½ · {signed(error)}² = {num(error**2 / 2)}"
    return [line, Formula(f"target {num(target[0])}{unit}, loss = {loss_text}")]
