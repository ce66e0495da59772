"""The arithmetic of filters, probes and the zero-norm machine."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlib.feature_selection.filter_selector import FilterStep
from dmlib.feature_selection.filters import METHODS, Parts
from dmlib.feature_selection.l0_svm import L0SVMStep
from dmlib.feature_selection.probe import PROBES, ProbeStep
from dmlib.pictures.ledger import Blocks, Formula, abridged, short_table
from dmlib.pictures.run import Run
from dmlib.pictures.words import count, num, num4, short

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

    def __init__(self, run: Run) -> None:
        self.features, self.method, self.n_bins = (
            run.problem.features,
            run.model.score_func,
            run.model.n_bins,
        )
        self.name, self.target = METHODS[run.model.score_func], run.problem.target

    def tell(self, step: FilterStep) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a step."""
        known = np.flatnonzero(~np.isnan(step.scores))
        order = known[np.argsort(-step.scores[known], kind="stable")]
        rows = [[i + 1, self.features[j], float(step.scores[j])] for i, j in enumerate(order)]
        emphasis = [i for i, j in enumerate(order) if step.support[j]]
        title = (
            "Scores so far, the best first" if step.phase == "score" else "Scores, the best first"
        )
        head, numbers = ("rank", "column", "score"), (order + 1).tolist()
        ledger: Blocks = [short_table(head, rows, title, emphasis, by="column", numbers=numbers)]
        if step.phase == "score":
            assert step.column is not None
            name, value = self.features[step.column], num4(step.parts["score"])
            caption = f"{self.name} of {name}: {value}."
            ledger = [*(Formula(text) for text in self.formulas(step.parts)), *ledger]
        elif step.phase == "select":
            assert step.column is not None
            name, rank = self.features[step.column], int(step.support.sum())
            caption = (
                f"{name} is selected: number {rank} by its score of"
                f" {num4(step.scores[step.column])}."
            )
        else:
            chosen = [int(j) for j in order if step.support[j]]
            caption = (
                f"Done: {names_of(self.features, chosen)} {'has' if len(chosen) == 1 else 'have'}"
                " the best scores."
            )
        return caption, ledger

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

    def __init__(self, run: Run) -> None:
        self.features, self.model, self.p = (
            run.problem.features,
            run.model,
            len(run.problem.features),
        )

    def name(self, j: int) -> str:
        """Return the name of a column or probe."""
        return self.features[j] if j < self.p else f"probe {j - self.p + 1}"

    def tell(self, step: ProbeStep) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a step."""
        probes = step.gains[self.p :]
        known = [j for j in range(self.p) if not np.isnan(step.gains[j])]
        best = self.p + int(np.nanargmax(probes)) if not np.isnan(probes).all() else None
        order = sorted([*known, *([] if best is None else [best])], key=lambda j: -step.gains[j])
        rows = [
            (
                self.name(j) + (f" (best of {len(probes)})" if j == best else ""),
                float(step.gains[j]),
            )
            for j in order
        ]
        emphasis = [i for i, j in enumerate(order) if j == step.moved and j != best]
        title, numbers = "Variance explained beyond the selected columns", [j + 1 for j in order]
        table = short_table(
            ("column", "explains"), rows, title, emphasis, by="column", numbers=numbers
        )
        ledger: Blocks = [
            table,
            Formula(f"explained by the selected columns: R² = {num(step.explained)}"),
        ]
        share = sum(j >= self.p for j in step.taken)
        if step.taken:
            ledger.append(Formula(f"probes among those selected: {share} / {len(step.taken)}"))
        if step.reason:
            ledger.append(Formula(step.reason))
        return self._caption(step, best), ledger

    def _caption(self, step: ProbeStep, best: int | None) -> str:
        if step.phase == "probes":
            kind = PROBES[self.model.probes].lower()
            return (
                f"{count(self.model.n_probes, 'probe', 'probes')} (random columns: {kind}) compete"
                " with the columns."
            )
        if step.phase == "done":
            chosen = names_of(self.features, [j for j in step.taken if j < self.p])
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

    def __init__(self, run: Run) -> None:
        self.features, self.C = run.problem.features, run.model.C

    def tell(self, step: L0SVMStep, before: L0SVMStep) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a step."""
        weights = np.sqrt((step.weights**2).mean(axis=0))
        order = np.argsort(-step.scale * (1 + weights), kind="stable")
        left = int(step.support.sum())
        accuracy = f"{step.accuracy:.1%}"
        if step.phase == "train":
            left_over = [int(j) for j in order if step.scale[j] > 0]
            rows = [[self.features[j], short(step.scale[j]), short(weights[j])] for j in left_over]
            head, title = ("column", "scale z", "|w|"), "Weights of the scaled columns"
            on = count(left, "column", "columns")
            caption = (
                f"Machine {step.iteration}, trained on {on}, classifies {accuracy} of the training"
                " rows correctly."
            )
        else:
            left_over = [
                int(j)
                for j in np.argsort(-step.before * weights, kind="stable")
                if step.before[j] > 0
            ]
            rows = [[self.features[j], short(weights[j]), short(step.scale[j])] for j in left_over]
            head, title = ("column", "|w|", "new z"), "z ← z · |w|"
            gone = int((before.support & ~step.support).sum())
            lost = (
                f"{count(gone, 'column vanishes', 'columns vanish')}"
                if gone
                else "no column vanishes"
            )
            caption = f"The scales are multiplied by the weights: {lost}, {left} left."
        ledger: Blocks = [
            short_table(head, rows, title, by="column", numbers=[j + 1 for j in left_over])
        ]
        if step.phase == "done":
            chosen = names_of(self.features, np.flatnonzero(step.support).tolist())
            verb = "is" if left <= 1 else "are"
            caption = (
                f"Done after {count(step.iteration, 'machine', 'machines')}: {chosen} {verb} left."
            )
            ledger.append(Formula(step.reason))
        ledger.append(Formula(f"C = {num(self.C)}; {accuracy} of the training rows correct"))
        return caption, ledger
