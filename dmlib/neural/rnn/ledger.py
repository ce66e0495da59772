"""The arithmetic of an epoch, and of one unit in one step of a sequence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.rnn.long_short_term import GATES
from dmlib.neural.rnn.look import Look
from dmlib.neural.rnn.network import RecurrentStep
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, few, numbered_table
from dmlib.pictures.words import num, num4, short, signed

MOST_TERMS = 6


def epoch_blocks(step: RecurrentStep, before: RecurrentStep, look: Look) -> Blocks:
    """Return the losses of an epoch, and what became of its gradient."""
    measure = "perplexity" if look.task.loss == "log_loss" else "RMSE"
    rows = [
        ("training loss", float(before.loss), float(step.loss)),
        (f"test {measure}", float(before.test_error), float(step.test_error)),
        (f"naive {measure}", None, float(step.naive_error)),
    ]
    blocks: Blocks = [LedgerTable(("", "before", "now"), rows, f"Epoch {step.n_iter}")]
    if step.updates and step.phase == "epoch":
        clip = look.model.clip
        cut = "" if clip is None else f"; each longer than {num(clip)} is shortened to it"
        blocks.append(Formula(f"{step.updates} updates, mean length of the gradient {num(step.norm)}{cut}"))
    return blocks


def inside_blocks(step: RecurrentStep, look: Look, symbols: Sequence[str]) -> Blocks:
    """Return what comes in, what each unit makes of it, and what is said, in the step that is looked into."""
    said, signals = look.signals(step)
    t, X, weights = look.t, look.inputs, step.weights
    now = {name: values[0, t] for name, values in signals.items() if values.ndim == 3 and values.shape[1] == X.shape[1]}
    before: dict[str, Floats] = {
        name: _before(signals, name, t) for name in ("h", "c") if name in now and "first" in signals
    }
    coming = symbols[int(X[0, t].argmax())] if symbols else ", ".join(num4(x) for x in X[0, t])
    blocks: Blocks = [Formula(f"Step {t + 1}: the input is {coming}")]
    if "c" in now:
        blocks += _gates(now, before)
    elif "seen" in now:
        blocks += _delayed(now, weights)
    else:
        blocks += _fed_back(now, before, X[0, t], weights)
    return [*blocks, *_output(now["h"], weights, said[t], look, symbols)]


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
        numbered_table(head, rows, "Gates and cell state", by="unit", most=12),
        Formula(f"unit 1: c = f c + i g = {num(f)} · {signed(old)} + {num(i)} · {signed(g)} = {num(c)}"),
        Formula(f"unit 1: h = o tanh(c) = {num(o)} · {signed(np.tanh(c))} = {num(h)}"),
    ]


def _fed_back(
    now: Mapping[str, Floats], before: Mapping[str, Floats], x: Floats, weights: Mapping[str, Floats]
) -> Blocks:
    come, fed, h = x @ weights["W"], before["h"] @ weights["U"], now["h"]
    sums = come + fed + weights["b"]
    rows = [
        (j + 1, short(come[j]), short(fed[j]), short(weights["b"][j]), short(sums[j]), short(h[j]))
        for j in range(len(h))
    ]
    total = f"{num(come[0])} + {signed(fed[0])} + {signed(weights['b'][0])}"
    return [
        numbered_table(("unit", "x W", "h U", "b", "sum", "h"), rows, "Units", by="unit", most=12),
        Formula(f"unit 1: h = tanh(x W + h U + b) = tanh({total}) = {num(h[0])}"),
    ]


def _delayed(now: Mapping[str, Floats], weights: Mapping[str, Floats]) -> Blocks:
    parts = now["seen"] * weights["W"][:, 0]
    sums = now["seen"] @ weights["W"] + weights["b"]
    rows = [(j + 1, short(sums[j]), short(now["h"][j])) for j in range(len(now["h"]))]
    terms = few([signed(part, 4) for part in parts[parts != 0]], MOST_TERMS) or "0"
    return [
        numbered_table(("unit", "sum", "h"), rows, f"Units, with {len(parts)} delayed inputs", by="unit", most=12),
        Formula(f"unit 1: h = tanh({terms} + {signed(weights['b'][0])}) = {num(now['h'][0])}"),
    ]


def _output(h: Floats, weights: Mapping[str, Floats], said: Floats, look: Look, symbols: Sequence[str]) -> Blocks:
    target = look.targets[0, look.t]
    due = bool(look.mask[look.t])
    if symbols:
        order = np.argsort(-said, kind="stable")[:5].tolist()
        rows = [(symbols[j], short(said[j]), "←" if due and target[j] else "") for j in order]
        head, title, numbers = ("next", "probability", ""), "Output: the most probable symbols", [j + 1 for j in order]
        blocks: Blocks = [LedgerTable(head, rows, title, by="symbol", numbers=numbers)]
        code = int(target.argmax())
        return (
            [*blocks, Formula(f"loss = −log {num(said[code])} = {num(-float(np.log(said[code])))}")] if due else blocks
        )
    terms = few([f"{num4(a)} · {signed(b, 4)}" for a, b in zip(h, weights["V"][:, 0], strict=True)], 3)
    line = Formula(f"y = h V + a = {terms} + {signed(weights['a'][0])} = {num(said[0])}")
    if not due:
        return [line]
    error = float(said[0] - target[0])
    unit = " (standardised)" if look.task.forecast else ""
    return [line, Formula(f"target {num(target[0])}{unit}, loss = ½ · {signed(error)}² = {num(error**2 / 2)}")]
