"""The arithmetic of a search: scores of candidates, and the formula of the set's score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dmlib.feature_selection.genetic_ledger import generation_blocks, generation_caption
from dmlib.feature_selection.scores import LARGE_IS_GOOD, LeastSquaresScore, Score, Subset, goodness
from dmlib.feature_selection.search import SearchStep
from dmlib.feature_selection.subset_search import SCORES
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, abridged, short_table
from dmlib.pictures.words import changes, count, num, num4, short, signed

MAX_CANDIDATES, MAX_SIZES = 24, 21
MAX_NAMES, MAX_TERMS = 6, 8
SHORT = {"adjusted_r2": "adj. R²", "cv": "MSE", "accuracy": "accuracy"}  # names for narrow places


class SearchNarrator:
    """Captions and ledgers of a search.

    Parameters
    ----------
    score : Score
        The score of sets.
    features : sequence of str
        The columns.
    number : mapping of tuple of int to int
        The numbers of the sets that are drawn.
    """

    def __init__(self, score: Score, features: Sequence[str], number: Mapping[Subset, int]) -> None:
        self.score, self.features, self.number = score, features, number
        self.name = SCORES[score.name].replace("Cross", "cross").replace("Adj", "adj")
        self.short_name = SHORT.get(score.name, self.name)

    def caption_and_ledger(self, step: SearchStep, before: SearchStep) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a step."""
        sets = self._candidates(step, before)
        if step.has_population:
            sets = generation_blocks(self, step)
        ledger: Blocks = [*sets, *self.formula(step)]
        if step.phase == "cut":
            ledger = [self._bound(step), *ledger]
        if step.incumbent is not None:
            ledger = [*ledger, *self._annealing(step, before)]
        if step.best:
            ledger.append(self._sizes(step))
        ledger.append(
            Formula(f"sets scored so far: {step.n_evaluated} of {2**self.score.n_features:,}")
        )
        if step.reason:
            ledger.append(Formula(step.reason))
        return self._caption(step, before), ledger

    def set_of(self, subset: Subset) -> str:
        """Return the names of a set."""
        if len(subset) == self.score.n_features > MAX_NAMES:
            return f"all {len(subset)} columns"
        if not subset:
            return "the empty set"
        names = ", ".join(self.features[j] for j in subset[:MAX_NAMES])
        n_hidden = len(subset) - MAX_NAMES
        hidden = f" and {n_hidden} more" if n_hidden > 0 else ""
        return f"{{{names}{hidden}}}"

    def value(self, value: float) -> Cell:
        """Return a score as a cell: nothing where it has none."""
        return None if np.isnan(value) else float(value)

    def _caption(self, step: SearchStep, before: SearchStep) -> str:
        has = "has no score" if np.isnan(step.value) else f"has {self.name} {num4(step.value)}"
        if step.has_population and step.phase != "done":
            return generation_caption(self, step, before)
        if step.phase == "start":
            return f"The search starts from {self.set_of(step.subset)}, which {has}."
        if step.moved:
            return self._move(step, before)
        if step.phase == "branch":
            cheapest = min(step.candidates, key=self._sse) if step.candidates else step.subset
            return (
                f"Of {self.set_of(step.subset)} less one column, {self.set_of(cheapest)} fits best."
            )
        if step.phase == "cut":
            return (
                f"The sets below {self.set_of(step.subset)} are left out: they cannot fit better"
                " than those known."
            )
        return f"Done: {self.set_of(step.subset)} {has}."

    def _move(self, step: SearchStep, before: SearchStep) -> str:
        """Return the caption of a step that changes columns, or that rejects it."""
        added = [j for j in step.moved if j not in before.subset]
        removed = [j for j in step.moved if j in before.subset]
        parts = [
            f"{' and '.join(self.features[j] for j in columns)} {verb}{'s' * (len(columns) == 1)}"
            for columns, verb in ((added, "join"), (removed, "leave"))
            if columns
        ]
        what, value = ", ".join(parts), step.values[0] if step.phase == "reject" else step.value
        change = changes(self.name, short(before.value), short(value)).replace("nan", "undefined")
        if step.phase == "reject":
            return f"Rejected: {what}, and {change}; the probability was {num4(step.chance)}."
        if step.phase == "accept":
            is_worse = step.chance < 1
            how = f"accepted with probability {num4(step.chance)}" if is_worse else "accepted"
            return (
                f"{what}: {change}, which is {'worse, but' if is_worse else 'no worse, and'} {how}."
            )
        return f"{what}: {change}, the best of {count(len(step.values), 'set', 'sets')}."

    def _annealing(self, step: SearchStep, before: SearchStep) -> Blocks:
        """Return the temperature, the probability of the proposal, and the best set so far."""
        assert step.incumbent is not None
        lines = []
        if step.phase == "start":
            how = ", the standard deviation of these scores" if step.candidates else ""
            lines.append(f"temperature T = {num4(step.temperature)}{how}")
        if step.phase in ("accept", "reject"):
            lines += self._metropolis(step, before)
        best = self.score(step.incumbent)
        lines.append(f"best so far: {self.set_of(step.incumbent)} with {self.name} {num4(best)}")
        return [Formula(line) for line in lines]

    def _metropolis(self, step: SearchStep, before: SearchStep) -> list[str]:
        """Write out the rule by which a proposal is accepted."""
        heat, new, old = step.temperature, step.values[0], before.value
        lines = []
        if step.iteration > 1 and before.temperature > 0:
            factor = num4(heat / before.temperature)
            lines.append(f"T = {factor} · {num4(before.temperature)} = {num4(heat)}")
        if step.chance == 1:
            return [*lines, f"{self.name} gets no worse, so p = 1: accepted"]
        if np.isnan(new):
            return [*lines, "the proposal has no score, so p = 0: rejected"]
        first, second = (old, new) if self.score.name in LARGE_IS_GOOD else (new, old)
        loss, chance = first - second, num4(step.chance)
        verdict = "<" if step.draw < step.chance else "≥"
        return [
            *lines,
            f"worse by d = {num(first)} − {signed(second)} = {num4(loss)}",
            f"p = exp(−d/T) = exp(−{num4(loss)}/{num4(heat)}) = {chance}",
            f"drawn {num4(step.draw)} {verdict} {chance}: {step.phase}ed",
        ]

    def _sse(self, subset: Subset) -> float:
        return self.score.sse(subset) if isinstance(self.score, LeastSquaresScore) else np.nan

    def _candidates(self, step: SearchStep, before: SearchStep) -> Blocks:
        """Return the sets that were compared, the best first."""
        if not step.candidates:
            return []
        pairs = list(zip(step.candidates, step.values, strict=True))
        if step.phase == "branch":
            pairs.sort(key=lambda pair: self._sse(pair[0]))
        else:
            pairs.sort(key=lambda pair: -goodness(self.score, pair[1]))
        head = ["set", self.short_name]
        base = before.subset if step.moved else step.subset
        is_whole = step.phase == "done" and bool(step.best)
        rows = [
            [self.set_of(subset) if is_whole else self._change(base, subset), self.value(value)]
            for subset, value in pairs
        ]
        if isinstance(self.score, LeastSquaresScore) and self.score.name != "cv":
            head.insert(1, "SSE")
            for row, (subset, _) in zip(rows, pairs, strict=True):
                row.insert(1, self._sse(subset))
        titles = {
            "start": "One column more or less",
            "accept": "Proposal",
            "reject": "Proposal",
            "branch": "Without one column",
            "done": "Best set of each size" if step.best else "Neighbours, none better",
        }
        title = titles.get(step.phase, "Candidates")
        emphasis = [0] if step.phase in ("add", "remove", "change", "branch") else []
        style: dict[str, Any] = {
            "by": "set",
            "numbers": [self.number.get(subset) for subset, _ in pairs],
        }
        return [short_table(head, rows, title, emphasis, max_rows=MAX_CANDIDATES, **style)]

    def _change(self, base: Subset, subset: Subset) -> str:
        """Return what tells a candidate from the set that it was made from."""
        added = [f"+ {self.features[j]}" for j in subset if j not in base]
        removed = [f"− {self.features[j]}" for j in base if j not in subset]
        return " ".join([*added, *removed]) or "as it is"

    def _bound(self, step: SearchStep) -> Formula:
        """Return the SSE below which no set of a branch can come."""
        return Formula(
            f"every set in {self.set_of(step.subset)} has SSE ≥ {num(step.bound)}; the best known"
            " are not above it"
        )

    def _sizes(self, step: SearchStep) -> LedgerTable:
        rows = [[len(subset), self.set_of(subset), self._sse(subset)] for subset in step.best]
        head = ("size", "best set so far", "SSE")
        numbers = [self.number.get(subset) for subset in step.best]
        return short_table(
            head, rows, "Best of each size", max_rows=MAX_SIZES, by="set", numbers=numbers
        )

    def formula(self, step: SearchStep) -> Blocks:
        """Write out the score of the set of a step."""
        if step.phase == "reject":  # the set is that of the step before
            return []
        score, k, value = self.score, len(step.subset), step.value
        if np.isnan(value):
            leaves = count(k, "column leaves", "columns leave")
            return [Formula(f"{self.name}: {leaves} no residual degree of freedom")]
        if score.name in ("accuracy", "cv"):
            name, how = ("MSE", ", fold by fold") if score.name == "cv" else ("accuracy", "")
            n = int(score.n)  # type: ignore[attr-defined]
            return [Formula(f"{name} = ({_sum(step.parts)}) / {n} = {num(value)}{how}")]
        assert isinstance(score, LeastSquaresScore)
        sse = score.sse(step.subset)
        return [Formula(f"{_criterion(score, k, num(sse))} = {num(value)}")]


def _criterion(score: LeastSquaresScore, k: int, sse: str) -> str:
    """Return the formula of a criterion, and the same with its numbers."""
    n = score.n
    if score.name == "aic":
        return f"AIC = n ln(SSE/n) + 2(k+1) = {n} ln({sse}/{n}) + 2·{k + 1}"
    if score.name == "bic":
        return f"BIC = n ln(SSE/n) + ln(n)(k+1) = {n} ln({sse}/{n}) + ln({n})·{k + 1}"
    if score.name == "cp":
        return f"Cp = SSE/s² − n + 2(k+1) = {sse}/{num(score.variance)} − {n} + 2·{k + 1}"
    below, total = f"({sse}/{n - k - 1})", f"({num(score.total)}/{n - 1})"
    return f"adjusted R² = 1 − (SSE/(n−k−1)) / (SST/(n−1)) = 1 − {below} / {total}"


def _sum(parts: Sequence[float] | np.ndarray) -> str:
    return abridged([num4(part) for part in parts], MAX_TERMS)


def better_is(name: str) -> str:
    """Return whether a score should be large or small."""
    return "large" if name in LARGE_IS_GOOD else "small"
