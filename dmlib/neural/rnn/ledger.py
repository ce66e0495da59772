"""A recurrent network in words and numbers: an epoch, and one unit in one step of a sequence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.rnn.long_short_term import GATES
from dmlib.neural.rnn.look import Look
from dmlib.neural.rnn.network import RecurrentStep
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, numbered_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, num4, short, signed

MAX_TERMS = 6


def measure_of(look: Look) -> str:
    """Return the name of the test error."""
    return "perplexity" if look.task.loss == "log_loss" else "RMSE"


class Narrator:
    """Captions and ledgers of a recurrent network.

    Parameters
    ----------
    look : Look
        The sequence that is shown, and the step that is looked into.
    symbols : sequence of str
        The symbols of a text; none where the data are numbers.
    """

    def __init__(self, look: Look, symbols: Sequence[str]) -> None:
        self.look, self.symbols = look, symbols

    def tell(self, now: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: RecurrentStep = now.step
        epoch = epoch_blocks(step, now.before, self.look)
        return self._caption(step), [*epoch, *inside_blocks(step, self.look, self.symbols)]

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
        than = "below" if step.test_error < step.naive_error else "not below"
        error, naive = num4(step.test_error), num4(step.naive_error)
        return f"test {measure_of(self.look)} {error}, {than} the naive {naive}"


def epoch_blocks(step: RecurrentStep, before: RecurrentStep, look: Look) -> Blocks:
    """Return the losses of an epoch, and what became of its gradient."""
    measure = measure_of(look)
    rows = [
        ("training loss", float(before.loss), float(step.loss)),
        (f"test {measure}", float(before.test_error), float(step.test_error)),
        (f"naive {measure}", None, float(step.naive_error)),
    ]
    blocks: Blocks = [LedgerTable(("", "before", "now"), rows, f"Epoch {step.n_iter}")]
    if step.updates and step.phase == "epoch":
        clip = look.model.clip
        cut = "" if clip is None else f"; each longer than {num(clip)} is shortened to it"
        blocks.append(
            Formula(f"{step.updates} updates, mean length of the gradient {num(step.norm)}{cut}")
        )
    return blocks


def inside_blocks(step: RecurrentStep, look: Look, symbols: Sequence[str]) -> Blocks:
    """Return what comes in, what each unit makes of it, and the output, in the step that is looked into."""
    output, signals = look.signals(step)
    t, X, weights = look.t, look.inputs, step.weights
    now = {
        name: values[0, t]
        for name, values in signals.items()
        if values.ndim == 3 and values.shape[1] == X.shape[1]
    }
    before: dict[str, Floats] = {
        name: _before(signals, name, t) for name in ("h", "c") if name in now and "first" in signals
    }
    symbol = symbols[int(X[0, t].argmax())] if symbols else ", ".join(num4(x) for x in X[0, t])
    blocks: Blocks = [Formula(f"Step {t + 1}: the input is {symbol}")]
    if "c" in now:
        blocks += _gates(now, before)
    elif "seen" in now:
        blocks += _delayed(now, weights)
    else:
        blocks += _fed_back(now, before, X[0, t], weights)
    return [*blocks, *_output(now["h"], weights, output[t], look, symbols)]


def _before(signals: Mapping[str, Floats], name: str, t: int) -> Floats:
    first: Floats = signals["first" if name == "h" else "first c"][0]
    return first if t == 0 else signals[name][0, t - 1]


def _gates(now: Mapping[str, Floats], before: Mapping[str, Floats]) -> Blocks:
    head = ("unit", *GATES, "c before", "c", "h")
    columns = [now[gate] for gate in GATES] + [before["c"], now["c"], now["h"]]
    rows = [(j + 1, *(short(column[j]) for column in columns)) for j in range(len(now["h"]))]
    i, f, o, g = (float(now[gate][0]) for gate in GATES)
    c, h, old = float(now["c"][0]), float(now["h"][0]), float(before["c"][0])
    return [
        numbered_table(head, rows, "Gates and cell state", by="unit", max_rows=12),
        Formula(
            f"unit 1: c = f c + i g = {num(f)} · {signed(old)} + {num(i)} · {signed(g)} = {num(c)}"
        ),
        Formula(f"unit 1: h = o tanh(c) = {num(o)} · {signed(np.tanh(c))} = {num(h)}"),
    ]


def _fed_back(
    now: Mapping[str, Floats],
    before: Mapping[str, Floats],
    x: Floats,
    weights: Mapping[str, Floats],
) -> Blocks:
    come, fed, h = x @ weights["W"], before["h"] @ weights["U"], now["h"]
    sums = come + fed + weights["b"]
    rows = [
        (j + 1, short(come[j]), short(fed[j]), short(weights["b"][j]), short(sums[j]), short(h[j]))
        for j in range(len(h))
    ]
    total = f"{num(come[0])} + {signed(fed[0])} + {signed(weights['b'][0])}"
    return [
        numbered_table(
            ("unit", "x W", "h U", "b", "sum", "h"), rows, "Units", by="unit", max_rows=12
        ),
        Formula(f"unit 1: h = tanh(x W + h U + b) = tanh({total}) = {num(h[0])}"),
    ]


def _delayed(now: Mapping[str, Floats], weights: Mapping[str, Floats]) -> Blocks:
    parts = now["seen"] * weights["W"][:, 0]
    sums = now["seen"] @ weights["W"] + weights["b"]
    rows = [(j + 1, short(sums[j]), short(now["h"][j])) for j in range(len(now["h"]))]
    terms = abridged([signed(part, 4) for part in parts[parts != 0]], MAX_TERMS) or "0"
    return [
        numbered_table(
            ("unit", "sum", "h"),
            rows,
            f"Units, with {len(parts)} delayed inputs",
            by="unit",
            max_rows=12,
        ),
        Formula(f"unit 1: h = tanh({terms} + {signed(weights['b'][0])}) = {num(now['h'][0])}"),
    ]


def _output(
    h: Floats, weights: Mapping[str, Floats], output: Floats, look: Look, symbols: Sequence[str]
) -> Blocks:
    target = look.targets[0, look.t]
    has_target = bool(look.mask[look.t])
    if symbols:
        order = np.argsort(-output, kind="stable")[:5].tolist()
        rows = [
            (symbols[j], short(output[j]), "←" if has_target and target[j] else "") for j in order
        ]
        head, title, numbers = (
            ("next", "probability", ""),
            "Output: the most probable symbols",
            [j + 1 for j in order],
        )
        blocks: Blocks = [LedgerTable(head, rows, title, by="symbol", numbers=numbers)]
        code = int(target.argmax())
        if has_target:
            loss = -float(np.log(output[code]))
            blocks.append(Formula(f"loss = −log {num(output[code])} = {num(loss)}"))
        return blocks
    terms = abridged(
        [f"{num4(a)} · {signed(b, 4)}" for a, b in zip(h, weights["V"][:, 0], strict=True)], 3
    )
    line = Formula(f"y = h V + a = {terms} + {signed(weights['a'][0])} = {num(output[0])}")
    if not has_target:
        return [line]
    error = float(output[0] - target[0])
    unit = " (standardised)" if look.task.forecast else ""
    return [
        line,
        Formula(
            f"target {num(target[0])}{unit}, loss = ½ · {signed(error)}² = {num(error**2 / 2)}"
        ),
    ]
