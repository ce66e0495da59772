"""A measure of clusters in words and numbers: each part, how they are put together, and all other measures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist

from dmlib.clustering.cluster_validity.algorithm import EXTERNAL, HOPKINS, LARGE_IS_GOOD, SPOKEN, ValidityStep
from dmlib.clustering.cluster_validity.external import PAIRS, pair_counts
from dmlib.clustering.cluster_validity.internal import silhouettes
from dmlib.clustering.cluster_validity.terms import Term
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, class_table, few, short_table
from dmlib.pictures.scene import Frame
from dmlib.pictures.words import count, num, num4, short
from dmlib.problem import Problem

MOST_TERMS = 5  # of a sum


@dataclass(frozen=True)
class Teller:
    """What the captions and tables of a run share."""

    problem: Problem
    clustering: str
    selected: int | None

    def frame(self, step: ValidityStep) -> Frame:
        """Return the caption and the arithmetic of a step."""
        tell = {"cluster": self._cluster, "part": self._part, "combine": self._combine, "done": self._done}[step.phase]
        caption, ledger = tell(step)
        return Frame(caption, [*ledger, *self._selected(step)], step.phase)

    def cluster(self, step: ValidityStep, index: int) -> str:
        """Return what a cluster is called: its number from 1, or noise."""
        return "noise" if step.names[index] < 0 else f"cluster {step.names[index] + 1}"

    def _row(self, row: int) -> str:
        return f"row {self.problem.rows[row] + 1}"

    def _cluster(self, step: ValidityStep) -> tuple[str, Blocks]:
        found, sizes = np.unique(step.labels, return_counts=True)
        rows = [
            ("noise" if label < 0 else f"cluster {label + 1}", int(n)) for label, n in zip(found, sizes, strict=True)
        ]
        clusters = count(int((found >= 0).sum()), "cluster", "clusters")
        noise = f" and {count(int((step.labels < 0).sum()), 'noise point', 'noise points')}" if found[0] < 0 else ""
        caption = f"The clustering has {clusters}{noise}; the {SPOKEN[step.measure]} of {self.clustering} follows."
        return caption, [short_table(("cluster", "rows"), rows, "Clusters")]

    def _table(self, step: ValidityStep) -> LedgerTable:
        """Return the parts so far, that of this step emphasised."""
        terms = step.parts.terms[: step.n_terms]
        emphasis = [step.n_terms - 1] if step.phase == "part" else []
        title = f"Parts of the {SPOKEN[step.measure]}"
        rows = [tuple(map(short, term.values[: len(step.parts.heads)])) for term in terms]
        if step.names == tuple(range(len(step.names))) and step.measure != HOPKINS:
            return class_table(step.parts.heads, rows, title, emphasis)
        first = "probe" if step.measure == HOPKINS else "cluster"
        names = [i + 1 if step.measure == HOPKINS else self.cluster(step, i) for i in range(len(rows))]
        late = max(0, len(rows) - 12) if step.measure == HOPKINS else 0  # the last ones
        listed = [(name, *row) for name, row in zip(names, rows, strict=True)][late:]
        return short_table((first, *step.parts.heads), listed, title, [len(listed) - 1] if emphasis else [])

    def _part(self, step: ValidityStep) -> tuple[str, Blocks]:
        assert step.term is not None
        tell: Callable[[ValidityStep, Term], tuple[str, str]] = {
            "silhouette": self._silhouette,
            "sse": self._scatter,
            "calinski_harabasz": self._scatter,
            "davies_bouldin": self._bouldin,
            "dunn": self._dunn,
            "correlation": self._correlation,
            HOPKINS: self._probe,
        }.get(step.measure, self._pairs if step.measure in PAIRS else self._classes)
        caption, formula = tell(step, step.term)
        return caption, [Formula(formula), self._table(step)]

    def _silhouette(self, step: ValidityStep, term: Term) -> tuple[str, str]:
        n, a, b, s = term.values
        name = self.cluster(step, term.index).capitalize()
        caption = f"{name}: the mean silhouette of its {n:.0f} rows is {num4(s)}."
        return caption, f"means over the rows: a = {num4(a)} to its own, b = {num4(b)} to the nearest other"

    def _scatter(self, step: ValidityStep, term: Term) -> tuple[str, str]:
        n, within, between = term.values
        name = self.cluster(step, term.index).capitalize()
        total = sum(each.values[1] for each in step.parts.terms[: step.n_terms])
        caption = f"{name} adds {num4(within)} to the SSE, which is {num4(total)} so far."
        formula = f"Σ ‖x − c‖² = {num(within)};  n ‖c − x̄‖² = {n:.0f} × {num(between / n)} = {num(between)}"
        return caption, formula

    def _bouldin(self, step: ValidityStep, term: Term) -> tuple[str, str]:
        mine, apart, ratio, other = term.values
        caption = f"{self.cluster(step, term.index).capitalize()} is most like {self.cluster(step, term.other)}"
        formula = f"R = (Sᵢ + Sⱼ) / Mᵢⱼ = ({num4(mine)} + {num4(other)}) / {num4(apart)}"
        return f"{caption}: R = {num4(ratio)}.", f"{formula} = {num4(ratio)}"

    def _dunn(self, step: ValidityStep, term: Term) -> tuple[str, str]:
        diameter, separation = term.values
        p, q, r, t = map(self._row, term.rows)
        name, other = self.cluster(step, term.index).capitalize(), self.cluster(step, term.other)
        caption = f"{name} has the diameter {num4(diameter)}; {other} is {num4(separation)} away."
        return caption, f"diameter d({p}, {q}) = {num(diameter)};  separation d({r}, {t}) = {num(separation)}"

    def _correlation(self, step: ValidityStep, term: Term) -> tuple[str, str]:
        pairs, inside, outside = term.values
        name = self.cluster(step, term.index).capitalize()
        caption = f"{name}: its rows are {num4(inside)} similar to each other, {num4(outside)} to the others."
        return caption, f"s = 1 − d / max d; mean over {pairs:.0f} pairs inside: {num(inside)}, ideally 1"

    def _classes(self, step: ValidityStep, term: Term) -> tuple[str, str]:
        n, precision, recall, entropy = term.values
        counts = np.asarray(step.parts.matrix)[term.index]
        shares = few([f"{c / n:.3g} log₂ {c / n:.3g}" for c in counts[counts > 0]], MOST_TERMS)
        name, hits = self.cluster(step, term.index).capitalize(), precision * n
        caption = f"{name}: {hits:.0f} of {n:.0f} rows are of class {self._class(term.other)} ({100 * precision:.3g}%)."
        formula = (
            f"precision {hits:.0f} / {n:.0f} = {precision:.4g}, recall {hits:.0f} / {hits / recall:.0f} = {recall:.4g}"
        )
        return caption, f"{formula}, H = −({shares}) = {num4(entropy)}"

    def _pairs(self, step: ValidityStep, term: Term) -> tuple[str, str]:
        n, together, alike = term.values
        counts = np.asarray(step.parts.matrix)[term.index]
        sums = few([f"{c:.0f} × {c - 1:.0f} / 2" for c in counts[counts > 1]], MOST_TERMS) or "0"
        name = self.cluster(step, term.index).capitalize()
        caption = f"{name} puts {together:.0f} pairs of rows together; {alike:.0f} of them are of one class."
        return caption, f"{n:.0f} × {n - 1:.0f} / 2 = {together:.0f} pairs; of one class: {sums} = {alike:.0f}"

    def _class(self, code: int) -> str:
        known = np.unique(np.asarray(self.problem.y))
        return str(self.problem.classes[known[code]]) if self.problem.classes else str(known[code])

    def _probe(self, step: ValidityStep, term: Term) -> tuple[str, str]:
        u, w = term.values
        caption = f"Probe {term.index + 1}: a random place is {num4(u)} from a row, {self._row(term.other)} "
        return f"{caption}is {num4(w)} from another.", f"u = {num(u)}, w = {num(w)}"

    def _combine(self, step: ValidityStep) -> tuple[str, Blocks]:
        name = SPOKEN[step.measure]
        good = "larger" if step.measure in LARGE_IS_GOOD else "smaller"
        ledger: Blocks = [Formula(step.parts.formula), self._table(step)]
        if step.measure in PAIRS:
            tp, fp, fn, tn = pair_counts(np.asarray(step.parts.matrix))
            rows = [("together", tp, fp), ("apart", fn, tn)]
            ledger.append(short_table(("in clusters", "one class", "two classes"), rows, "Pairs: TP, FP / FN, TN"))
        verdict = f"{good} is better"
        if step.measure == HOPKINS:
            verdict = "random rows have about 0.5, clustered ones about 1"
        return f"The {name} is {num4(step.value)}; {verdict}.", ledger

    def _done(self, step: ValidityStep) -> tuple[str, Blocks]:
        measures = step.measures or {}
        rows = [
            (SPOKEN[name], None if np.isnan(value) else short(value), "large" if name in LARGE_IS_GOOD else "small")
            for name, value in measures.items()
            if not (np.isnan(value) and name in EXTERNAL)
        ]
        emphasis = [i for i, row in enumerate(rows) if row[0] == SPOKEN[step.measure]]
        judged = "these rows" if step.measure == HOPKINS else self.clustering
        caption = step.reason or f"Done: the {SPOKEN[step.measure]} of {judged} is {num4(step.value)}."
        return caption, [
            *([] if step.reason else [Formula(step.parts.formula)]),
            short_table(("measure", "value", "better if"), rows, "All measures", emphasis),
        ]

    def _selected(self, step: ValidityStep) -> Blocks:
        """Write out the silhouette of the selected row."""
        if self.selected is None:
            return []
        row = self.selected
        if step.labels[row] < 0:
            return [Formula(f"{self._row(row)} is noise: no internal measure counts it")]
        rows = np.flatnonzero(step.labels >= 0)
        codes = np.unique(step.labels[rows], return_inverse=True)[1]
        X = self.problem.X
        D = cdist(X[[row]], X[rows])[0]
        means = [(int(label), float(D[step.labels[rows] == label].mean())) for label in np.unique(step.labels[rows])]
        table = short_table(
            ("cluster", "mean distance"),
            [(label + 1, short(mean)) for label, mean in means],
            self._row(row).capitalize(),
        )
        if codes.max() == 0 or codes.max() + 1 == len(rows):
            return [table]
        at = int(np.flatnonzero(rows == row)[0])
        a, b, s = (float(each[at]) for each in silhouettes(codes, cdist(X[rows], X[rows])))
        told = f"({num4(b)} − {num4(a)}) / {num4(max(a, b))} = {num4(s)}"
        return [table, Formula(f"{self._row(row)}: s = (b − a) / max(a, b) = {told} (a leaves out the row itself)")]
