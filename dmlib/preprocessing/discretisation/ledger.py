"""The arithmetic of a cut: entropies, description length, chi-squared, counts, and codes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, short_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, num4
from dmlib.preprocessing.bin_counts import bin_width
from dmlib.preprocessing.discretisation.algorithm import STRATEGIES, Discretizer, DiscretizerStep
from dmlib.preprocessing.discretisation.binarizer import CODINGS, Binarizer, BinarizerStep
from dmlib.preprocessing.discretisation.supervised import Trial
from dmlib.problem import Problem
from dmlib.trees.threshold_text import threshold_text, threshold_texts

MAX_LINES = 14  # lines of a table


class Narrator:
    """Captions and ledgers of the cuts of one column.

    Parameters
    ----------
    problem : Problem
        The table.
    model : Discretizer or Binarizer
        Fitted.
    column : int
        The column of the picture.
    selected : int or None
        The row that the reader clicked.
    """

    def __init__(
        self, problem: Problem, model: Discretizer | Binarizer, column: int, selected: int | None
    ) -> None:
        self.problem, self.column, self.selected = problem, column, selected
        self.final_cuts, self.n_bins = model.cuts_[column], model.n_bins
        self.name = problem.features[column]
        self.x = problem.X[:, column]
        self.names = problem.categories.get(column, ())
        self.part = "name" if self.names else "interval"

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step = moment.step
        cuts = self.final_cuts if step.phase == "done" else step.borders
        selected = [] if self.selected is None else self._row(self.selected, cuts)
        return self._caption(step, cuts), [*self._blocks(step), self._intervals(cuts), *selected]

    def _caption(self, step: Any, cuts: Floats) -> str:
        raise NotImplementedError

    def _blocks(self, step: Any) -> Blocks:
        raise NotImplementedError

    def _bits(self, interval: int) -> str:
        """Return the bits of an interval for a sentence; nothing where it has none."""
        return ""

    def _parts(self, cuts: Floats) -> str:
        return count(len(cuts) + 1, self.part, f"{self.part}s")

    def _rule(self, strategy: str, min_size: int = 0, alpha: float = 0.0) -> Formula:
        x, n_bins = self.x, self.n_bins
        low, high = num4(x.min()), num4(x.max())
        k = len(self.final_cuts) + 1
        width = num4(float(np.ptp(x)) / k)
        scott, fd = (num4(bin_width(x, rule)) for rule in ("scott", "fd"))
        extent = num4(np.subtract(*np.quantile(x, [0.75, 0.25])))
        words = {
            "width": f"width = ({high} − {low}) / {k} = {width}",
            "sturges": f"⌈log₂ {len(x)} + 1⌉ = {k} intervals of width {width}",
            "sturges_10": f"⌈1 + 10/3 · log₁₀ {len(x)}⌉ = {k} intervals of width {width}",
            "sqrt": f"⌈√{len(x)}⌉ = {k} intervals of width {width}",
            "scott": f"3.49 · {num4(x.std())} / ∛{len(x)} = {scott}: {k} of width {width}",
            "fd": f"2 · {extent} / ∛{len(x)} = {fd}: {k} of width {width}",
            "frequency": f"{len(x)} / {n_bins} = {num4(len(x) / n_bins)} rows each",
            "statistical": f"mean {num4(x.mean())} ± 1 and 2 times {num4(x.std())}",
            "percentile": f"at each {num4(100 / n_bins)}th percentile",
            "kmeans": "each cut is halfway between two means",
            "one_rule": f"at least {min_size} rows of the majority class",
            "entropy": "try the cut with the lowest entropy",
            "chi_merge": f"merge while not significant: α = {alpha:g}",
        }
        return Formula(words[strategy])

    def _intervals(self, cuts: Floats) -> LedgerTable:
        """Return the intervals with their rows, and the majority class of these."""
        problem = self.problem
        texts = [text.replace("-", "−") for text in threshold_texts(cuts, self.x, 4)]
        ends = [*(f"≤ {text}" for text in texts), f"> {texts[-1]}" if texts else "all"]
        if self.names:
            ends = list(self.names)
        codes = np.searchsorted(cuts, self.x)
        title = f"{self.part.capitalize()}s of {self.name}"
        if problem.y is None or not problem.classes:
            n_rows = np.bincount(codes, minlength=len(ends)).tolist()
            return self._numbered((self.part, "rows"), list(zip(ends, n_rows, strict=False)), title)
        table = np.zeros((len(ends), len(problem.classes)), int)
        np.add.at(table, (codes, problem.y), 1)
        rows = []
        for end, counts in zip(ends, table, strict=True):
            majority = f"{counts.max()} {problem.classes[counts.argmax()]}"
            rows.append((end, int(counts.sum()), majority))
        return self._numbered((self.part, "rows", "majority class"), rows, title)

    def _numbered(
        self, head: Any, rows: Any, title: str, emphasis: Sequence[int] = ()
    ) -> LedgerTable:
        """Return a table with a row for each interval."""
        numbers = range(1, len(rows) + 1)
        style: dict[str, Any] = {"max_rows": MAX_LINES, "by": "interval", "numbers": numbers}
        return short_table(head, rows, title, emphasis, **style)

    def _row(self, row: int, cuts: Floats) -> Blocks:
        x = float(self.x[row])
        i = int(np.searchsorted(cuts, x))
        bits, number = self._bits(i), self.problem.rows[row] + 1
        if self.names:
            return [Formula(f"row {number} is {self.names[int(x)]}{bits}")]
        return [Formula(f"row {number}: {num4(x)} is in interval {i + 1}{bits}")]


class BinarizerNarrator(Narrator):
    """Captions and ledgers of a column that becomes bits."""

    def __init__(
        self, problem: Problem, model: Binarizer, column: int, selected: int | None
    ) -> None:
        super().__init__(problem, model, column, selected)
        self.coding, self.codes = model.coding, model.codes_[column]

    def _caption(self, step: BinarizerStep, cuts: Floats) -> str:
        if step.phase == "code":
            bits = _text(step.bits)
            name = f" ({self.names[step.interval]})" if self.names else ""
            part = f"{self.part.capitalize()} {step.interval + 1}{name} of {self.name}"
            return f"{part} becomes {bits} ({CODINGS[self.coding]})."
        start = "Done" if step.phase == "done" else self.name
        sizes = "" if self.names else ", each with about as many rows"
        return f"{start}: {self._parts(cuts)} of {self.name}{sizes}."

    def _blocks(self, step: BinarizerStep) -> Blocks:
        parts = self.names or range(1, len(self.codes) + 1)
        n_coded = len(self.codes) if step.phase == "done" else step.interval + 1
        codes = [_text(bits) if i < n_coded else "" for i, bits in enumerate(self.codes)]
        rows = list(zip(parts, codes, strict=False))
        emphasis = [step.interval] if step.interval >= 0 else []
        if self.names:
            rule = Formula(f"{len(self.names)} names in {self.codes.shape[1]} bits")
        else:
            rule = self._rule("frequency")
        return [rule, self._numbered((self.part, "bits"), rows, "Codes", emphasis)]

    def _bits(self, interval: int) -> str:
        return f", bits {_text(self.codes[interval])}" if interval < len(self.codes) else ""


class DiscretizerNarrator(Narrator):
    """Captions and ledgers of a column whose cuts a strategy finds."""

    def __init__(
        self, problem: Problem, model: Discretizer, column: int, selected: int | None
    ) -> None:
        super().__init__(problem, model, column, selected)
        self.model = model

    def _caption(self, step: DiscretizerStep, cuts: Floats) -> str:
        parts = self._parts(cuts)
        if step.phase == "column" and len(cuts):
            return f"{self.name} begins with a cut between any two values: {parts}."
        if step.phase == "column":
            return f"{self.name}: {count(len(self.x), 'number', 'numbers')} in one interval."
        if step.phase == "done":
            caption = f"Done ({STRATEGIES[self.model.strategy]}): {self.name} has {parts}"
            if not np.isnan(self.model.information_):
                bits = num4(self.model.information_)
                caption += f"; the mean mutual information with the class is {bits} bits"
            return f"{caption}."
        if step.phase == "move":
            return f"The centres move, and {count(len(cuts), 'cut', 'cuts')} with them."
        if step.trial is None:
            return f"{self.name} has {parts}."
        return self._candidate(step.trial)

    def _candidate(self, trial: Trial) -> str:
        cut = f"{self.name} at {threshold_text(trial.cut, self.x, 4)}".replace("-", "−")
        if self.model.strategy == "entropy":
            return self._entropy(trial, cut)
        if trial.phase == "merge":
            reason = "both sides have the same majority class"
            if self.model.strategy == "chi_merge":
                reason = f"χ² {num4(trial.gain)} is below {num4(trial.threshold)}"
            return f"The cut of {cut} is removed: {reason}."
        if self.model.strategy == "one_rule":
            rows = f"{num(trial.gain)} rows of one class are enough"
            return f"Cut {cut}: {rows}, and the next value has another."
        return f"Cut {cut}."

    def _entropy(self, trial: Trial, cut: str) -> str:
        is_cut = trial.phase == "cut"
        verb = "Cut" if is_cut else "No cut of"
        gain, limit = num4(trial.gain), num4(trial.threshold)
        if self.model.criterion == "kononenko":
            relation = "more" if is_cut else "not more"
            bits = f"the classes take {gain} bits less"
            return f"{verb} {cut}: {bits}, {relation} than the cut's {limit}."
        return f"{verb} {cut}: the gain {gain} is {'>' if is_cut else '≤'} {limit}."

    def _blocks(self, step: DiscretizerStep) -> Blocks:
        trial, strategy = step.trial, self.model.strategy
        if trial is not None and step.phase in ("cut", "reject", "merge"):
            if strategy == "entropy":
                return self._description(trial)
            if strategy == "chi_merge":
                return [
                    Formula(f"smallest χ² = {num4(trial.gain)} < {num4(trial.threshold)} = limit")
                ]
        return [self._rule(strategy, self.model.min_size, self.model.alpha)]

    def _description(self, trial: Trial) -> Blocks:
        """Return the gain of a cut, and the cost of its description."""
        after = num4(trial.scores.min())
        places, m = "n − 1", trial.n - 1
        lines = [f"entropy of {trial.n} rows = {num4(trial.entropy)} bits; after the cut {after}"]
        if self.model.better_encoding:
            places, m = "m", len(trial.candidates)
            lines.append(f"better encoding: the cut is one of m = {m} places between values")
        gain, threshold = num4(trial.gain), num4(trial.threshold)
        if self.model.criterion == "kononenko":
            cut = f"log₂({places}) = log₂ {m} = {threshold}"
            lines += [
                "a description: log₂ C(n + k − 1, k − 1) + log₂ n! / (n₁! … n_k!)",
                f"before − both sides = {gain} bits; the cut: {cut}",
            ]
        else:
            sides = f"E₁ = {num4(trial.left)}, E₂ = {num4(trial.right)}"
            lines += [
                f"gain = {num4(trial.entropy)} − {after} = {gain}",
                f"(log₂({places}) + log₂(3ᵏ − 2) − k E + k₁ E₁ + k₂ E₂) / n = {threshold}; {sides}",
            ]
        return [Formula(line) for line in lines]


def _text(bits: NDArray[np.int_]) -> str:
    return "".join(map(str, bits))
