"""The arithmetic of filters, probes and the zero-norm machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.feature_selection.filter_selector import FilterStep
from dmlib.feature_selection.filters import METHODS, Parts
from dmlib.feature_selection.l0_svm import L0SVMStep
from dmlib.feature_selection.probe import PROBES, ProbeStep
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, short_table
from dmlib.pictures.run import Run
from dmlib.pictures.words import count, num, num4, percent, short
from dmlib.problem import Problem

MAX_NAMES = 6
FORMULAS = {
    "correlation": ("r = cov / (sₓ s_y) = {covariance} / ({sx} · {sy}) = {r}", "|r| = {score}"),
    "mutual_information": ("I = H(X) + H(Y) − H(X,Y) = {hx} + {hy} − {hxy} = {score} bits",),
    "hsic": ("HSIC = tr(KHLH) / (n−1)² = {trace} / {below}² = {score}",),
    "chi2": (
        (
            "largest term of {rows} · {columns} cells: (O−E)²/E = ({observed} − {expected})² /"
            " {expected} = {largest}"
        ),
        "χ² = Σ (O−E)²/E = {score}",
    ),
    "relieff": (
        "W = P(differs | target differs) − P(differs | target alike) = {misses} − {hits} = {score}",
    ),
    "variance": ("s² = Σ(x − x̄)² / (n−1) = {squares} / {below} = {score}",),
    "smoothness": ("1 − mean (z₊₁ − 2z + z₋₁)² / 6 = 1 − {curvature} / 6 = {score}",),
    "density": ("mean |r| with the others = {sum} / {others} = {score}",),
    "reliability": ("1 − error variance / variance = 1 − {error} = {score}",),
}
"""Each score with its numbers."""


def names_of(features: Sequence[str], columns: Sequence[int]) -> str:
    """Return the names of some columns.

    Examples
    --------
    >>> names_of(["a", "b", "c"], [2, 0]), names_of(["a"], [])
    ('c, a', 'no column')
    """
    return abridged([features[j] for j in columns], MAX_NAMES, ", ") or "no column"


class FilterNarrator:
    """Captions and ledgers of a filter.

    Parameters
    ----------
    run : Run
        The run.
    """

    def __init__(self, run: Run[Problem, Any]) -> None:
        self.features, self.method = run.problem.features, run.model.score_func
        self.n_bins, self.name = run.model.n_bins, METHODS[self.method]

    def caption_and_ledger(self, step: FilterStep) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a step."""
        scored = np.flatnonzero(~np.isnan(step.scores))
        order = scored[np.argsort(-step.scores[scored], kind="stable")]
        rows = [[i, self.features[j], float(step.scores[j])] for i, j in enumerate(order, start=1)]
        emphasis = np.flatnonzero(step.support[order]).tolist()
        so_far = " so far" if step.phase == "score" else ""
        title, head = f"Scores{so_far}, the best first", ("rank", "column", "score")
        numbers = (order + 1).tolist()
        table = short_table(head, rows, title, emphasis, by="column", numbers=numbers)
        formulas = self.formulas(step.parts) if step.phase == "score" else []
        chosen = order[step.support[order]].tolist()
        return self._caption(step, chosen), [*map(Formula, formulas), table]

    def _caption(self, step: FilterStep, chosen: Sequence[int]) -> str:
        if step.phase == "done":
            verb = "has" if len(chosen) == 1 else "have"
            return f"Done: {names_of(self.features, chosen)} {verb} the best scores."
        assert step.column is not None
        name, score = self.features[step.column], num4(step.scores[step.column])
        if step.phase == "score":
            return f"{self.name} of {name}: {score}."
        return f"{name} is selected: number {len(chosen)} by its score of {score}."

    def formulas(self, parts: Parts) -> list[str]:
        """Write out a score with its numbers."""
        p = {name: num(value) for name, value in parts.items()}
        s = p["score"]
        if self.method == "correlation" and "between" in p:
            return [f"√(variance between classes / all) = √({p['between']} / {p['total']}) = {s}"]
        if self.method == "entropy":
            sizes = [f"{value:.0f}" for name, value in parts.items() if name.startswith("bin")]
            is_categorical = len(sizes) < self.n_bins
            bins = "with each value" if is_categorical else f"in {self.n_bins} bins of equal width"
            return [f"rows {bins}: {', '.join(sizes)}", f"H = −Σ p log₂ p = {s} bits"]
        below = num(parts["n"] - 1) if "n" in parts else ""
        return [text.format(**p, below=below) for text in FORMULAS[self.method]]


class ProbeNarrator:
    """Captions and ledgers of the probe method.

    Parameters
    ----------
    run : Run
        The run.
    """

    def __init__(self, run: Run[Problem, Any]) -> None:
        self.features, self.model = run.problem.features, run.model
        self.p = len(self.features)

    def name(self, j: int) -> str:
        """Return the name of a column or probe."""
        return self.features[j] if j < self.p else f"probe {j - self.p + 1}"

    def caption_and_ledger(self, step: ProbeStep) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a step."""
        r2 = Formula(f"explained by the selected columns: R² = {num(step.explained)}")
        ledger: Blocks = [self._gains(step), r2]
        n_probes = sum(j >= self.p for j in step.added)
        if step.added:
            ledger.append(Formula(f"probes among those selected: {n_probes} / {len(step.added)}"))
        if step.reason:
            ledger.append(Formula(step.reason))
        return self._caption(step), ledger

    def _gains(self, step: ProbeStep) -> LedgerTable:
        """Return what each column and the best probe explain, the best first."""
        probes = step.gains[self.p :]
        candidates = np.flatnonzero(~np.isnan(step.gains[: self.p])).tolist()
        best = None
        if not np.isnan(probes).all():
            best = self.p + int(np.nanargmax(probes))
            candidates.append(best)
        order = sorted(candidates, key=lambda j: -step.gains[j])
        names = [self.name(j) for j in order]
        if best is not None:
            names[order.index(best)] += f" (best of {len(probes)})"
        rows = list(zip(names, step.gains[order].tolist(), strict=True))
        emphasis = [i for i, j in enumerate(order) if j == step.moved and j != best]
        title, numbers = "Variance explained beyond the selected columns", [j + 1 for j in order]
        head = ("column", "explains")
        return short_table(head, rows, title, emphasis, by="column", numbers=numbers)

    def _caption(self, step: ProbeStep) -> str:
        if step.phase == "probes":
            kind = PROBES[self.model.probes].lower()
            return (
                f"{count(self.model.n_probes, 'probe', 'probes')} (random columns: {kind}) compete"
                " with the columns."
            )
        if step.phase == "done":
            chosen = names_of(self.features, [j for j in step.added if j < self.p])
            return f"Done with {chosen}: {step.reason[0].lower()}{step.reason[1:]}"
        assert step.moved is not None
        explained = num4(step.explained)
        if step.phase == "probe":
            return (
                f"{self.name(step.moved).capitalize()} comes first and is tolerated; R² is now"
                f" {explained}."
            )
        return f"{self.features[step.moved]} explains most and is selected; R² is now {explained}."


class WeightNarrator:
    """Captions and ledgers of the zero-norm machine.

    Parameters
    ----------
    run : Run
        The run.
    """

    def __init__(self, run: Run[Problem, Any]) -> None:
        self.features, self.C = run.problem.features, run.model.C

    def caption_and_ledger(self, step: L0SVMStep, before: L0SVMStep) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a step."""
        weights = np.sqrt((step.weights**2).mean(axis=0))
        table = self._scaled(step, weights) if step.phase == "train" else self._new(step, weights)
        ledger: Blocks = [table]
        if step.phase == "done":
            ledger.append(Formula(step.reason))
        ledger.append(
            Formula(f"C = {num(self.C)}; {percent(step.accuracy)} of the training rows correct")
        )
        return self._caption(step, before), ledger

    def _scaled(self, step: L0SVMStep, weights: Floats) -> LedgerTable:
        """Return the weights of a machine, the largest scales first."""
        order = np.argsort(-step.scale * (1 + weights), kind="stable")
        columns = order[step.scale[order] > 0].tolist()
        rows = [[self.features[j], short(step.scale[j]), short(weights[j])] for j in columns]
        return _columns_table(
            ("column", "scale z", "|w|"), rows, "Weights of the scaled columns", columns
        )

    def _new(self, step: L0SVMStep, weights: Floats) -> LedgerTable:
        """Return the new scales, the largest first."""
        order = np.argsort(-step.before * weights, kind="stable")
        columns = order[step.before[order] > 0].tolist()
        rows = [[self.features[j], short(weights[j]), short(step.scale[j])] for j in columns]
        return _columns_table(("column", "|w|", "new z"), rows, "z ← z · |w|", columns)

    def _caption(self, step: L0SVMStep, before: L0SVMStep) -> str:
        n_left = int(step.support.sum())
        if step.phase == "train":
            columns = count(n_left, "column", "columns")
            return (
                f"Machine {step.iteration}, trained on {columns}, classifies"
                f" {percent(step.accuracy)} of the training rows correctly."
            )
        if step.phase == "rescale":
            n_lost = int((before.support & ~step.support).sum())
            lost = count(n_lost, "column vanishes", "columns vanish")
            if not n_lost:
                lost = "no column vanishes"
            return f"The scales are multiplied by the weights: {lost}, {n_left} left."
        chosen = names_of(self.features, np.flatnonzero(step.support).tolist())
        machines = count(step.iteration, "machine", "machines")
        return f"Done after {machines}: {chosen} {'is' if n_left <= 1 else 'are'} left."


def _columns_table(
    head: Sequence[str], rows: Sequence[Sequence[str]], title: str, columns: Sequence[int]
) -> LedgerTable:
    """Return a table of columns, which answer to their bars."""
    return short_table(head, rows, title, by="column", numbers=[j + 1 for j in columns])
