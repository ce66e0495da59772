"""A generation in words and numbers: its sets, and how the best child came about."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from dmlib.feature_selection.genetic_search import crossed
from dmlib.feature_selection.scores import Score, Subset, goodness
from dmlib.feature_selection.search import Child, SearchStep
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, short_table
from dmlib.pictures.words import changes, num4, short

if TYPE_CHECKING:
    from dmlib.feature_selection.search_ledger import SearchNarrator

MAX_SETS = 24


def mean_score(step: SearchStep) -> float:
    """Return the mean of the scores that the sets of a generation have; NaN without any.

    Examples
    --------
    >>> mean_score(SearchStep("start", 0, (), 1.0, ((), (0,)), (1.0, 4.0)))
    2.5
    """
    values = np.array(step.values)
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else np.nan


def generation_caption(narrator: SearchNarrator, step: SearchStep, before: SearchStep) -> str:
    """Return the best set of a generation, and the mean of all."""
    name, best = narrator.name, narrator.set_of(step.subset)
    if step.phase == "start":
        return f"{len(step.values)} sets are drawn; {best} is the best, {name} {_text(step.value)}."
    mean = f"The mean of {len(step.values)} sets is {_text(mean_score(step))}."
    if step.subset == before.subset:
        value = _text(step.value)
        return f"Generation {step.iteration}: {best} stays the best, {name} {value}. {mean}"
    change = changes(name, short(before.value), short(step.value)).replace("nan", "undefined")
    return f"Generation {step.iteration}: {best} is the best, and {change}. {mean}"


def _text(value: float) -> str:
    return "undefined" if np.isnan(value) else num4(value)


def generation_blocks(narrator: SearchNarrator, step: SearchStep) -> Blocks:
    """Write out how the best child came about, and the sets of the population."""
    blocks: Blocks = []
    if step.phase == "generation":
        child = best_child(narrator.score, step)
        blocks = [Formula(line) for line in _making(narrator, child)]
    return [*blocks, _population(narrator, step)]


def best_child(score: Score, step: SearchStep) -> Child:
    """Return the child of a generation with the best score, of equal ones the first."""
    return max(step.children, key=lambda child: goodness(score, score(child.subset)))


def _making(narrator: SearchNarrator, child: Child) -> list[str]:
    """Return the lines about a child: its parents, the cut, and what changed by chance."""
    first, second = (narrator.set_of(each) for each in child.parents)
    start = crossed(*child.parents, child.cut)
    p = narrator.score.n_features
    parts = [f"{_columns(1, child.cut)} of {first}"]
    if child.cut < p:
        parts.append(f"{_columns(child.cut + 1, p)} of {second}")
    lines = [f"best child: {', '.join(parts)}: {narrator.set_of(start)}"]
    changed = {*start}
    for verb, columns in (("mutated", child.mutated), ("to the size asked for", child.repaired)):
        if columns:
            signs = [f"{'−' if j in changed else '+'} {narrator.features[j]}" for j in columns]
            changed ^= {*columns}
            lines.append(f"{verb}: {' '.join(signs)}")
    value = narrator.score(child.subset)
    lines.append(f"{narrator.set_of(child.subset)}: {narrator.name} {num4(value)}")
    return lines


def _columns(first: int, last: int) -> str:
    """Return columns by their numbers, for a sentence."""
    return f"column {first}" if first == last else f"columns {first} to {last}"


def _population(narrator: SearchNarrator, step: SearchStep) -> LedgerTable:
    """Return the sets of the population, the best first, with how often each is in it."""
    copies: Counter[Subset] = Counter(step.candidates)
    ranked = sorted(copies, key=lambda each: -goodness(narrator.score, narrator.score(each)))
    rows = [
        [narrator.set_of(each), copies[each], narrator.value(narrator.score(each))]
        for each in ranked
    ]
    return short_table(
        ["set", "copies", narrator.short_name],
        rows,
        f"Population of {len(step.candidates)}, the best first",
        [ranked.index(step.subset)],
        max_rows=MAX_SETS,
        by="set",
        numbers=[narrator.number.get(each) for each in ranked],
    )
