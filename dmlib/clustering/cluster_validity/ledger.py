"""A measure of clusters in words and numbers: each part, their sum, and all other measures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist, pdist

from dmlib.clustering.cluster_validity.algorithm import (
    EXTERNAL,
    HOPKINS,
    LARGE_IS_GOOD,
    MEASURE_NAMES,
    ValidityStep,
)
from dmlib.clustering.cluster_validity.external import PAIRS, pair_counts
from dmlib.clustering.cluster_validity.internal import SEPARATIONS, silhouettes
from dmlib.clustering.cluster_validity.links import BETWEEN, LINKS, NORMALIZED_CUT, WEIGHTED
from dmlib.clustering.cluster_validity.terms import Term
from dmlib.pictures.ledger import (
    Blocks,
    Cell,
    Formula,
    LedgerTable,
    abridged,
    class_table,
    short_table,
)
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, num4, percent, short
from dmlib.problem import Problem

MAX_TERMS = 5  # of a sum
MAX_PROBES = 12  # lines of a table


@dataclass(frozen=True)
class Narrator:
    """Captions and ledgers of a measure."""

    problem: Problem
    clustering: str  # the name of the clustering
    comparison: LedgerTable  # the measure of other clusterings
    selected: int | None  # the row that the reader clicked

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: ValidityStep = moment.step
        build = {
            "cluster": self._cluster,
            "part": self._part,
            "combine": self._combine,
            "done": self._done,
        }[step.phase]
        caption, ledger = build(step)
        comparison = [self.comparison] if step.phase == "done" else []
        return caption, [*ledger, *self._selected_row(step), *comparison]

    def cluster(self, step: ValidityStep, index: int) -> str:
        """Return the name of a cluster: its number from 1, or noise."""
        return "noise" if step.names[index] < 0 else f"cluster {step.names[index] + 1}"

    def _row(self, row: int) -> str:
        return f"row {self.problem.rows[row] + 1}"

    def _cluster(self, step: ValidityStep) -> tuple[str, Blocks]:
        labels, sizes = np.unique(step.labels, return_counts=True)
        names = ["noise" if label < 0 else f"cluster {label + 1}" for label in labels]
        clusters = count(int((labels >= 0).sum()), "cluster", "clusters")
        if labels[0] < 0:
            clusters += f" and {count(int(sizes[0]), 'noise point', 'noise points')}"
        measure = f"the {MEASURE_NAMES[step.measure]} of {self.clustering}"
        rows = list(zip(names, sizes.tolist(), strict=True))
        table = short_table(("cluster", "rows"), rows, "Clusters")
        return f"The clustering has {clusters}; {measure} follows.", [table]

    def _table(self, step: ValidityStep) -> LedgerTable:
        """Return the parts so far, that of this step emphasised."""
        terms = step.parts.terms[: step.n_terms]
        emphasis = [step.n_terms - 1] if step.phase == "part" else []
        title = f"Parts of the {MEASURE_NAMES[step.measure]}"
        rows = [tuple(map(short, term.values[: len(step.parts.heads)])) for term in terms]
        if step.measure == HOPKINS:
            return _probe_table(step, rows, title)
        if step.names == tuple(range(len(step.names))):
            return class_table(step.parts.heads, rows, title, emphasis)
        named = [(self.cluster(step, i), *row) for i, row in enumerate(rows)]
        return short_table(("cluster", *step.parts.heads), named, title, emphasis)

    def _part(self, step: ValidityStep) -> tuple[str, Blocks]:
        assert step.term is not None
        builds: dict[str, Callable[[ValidityStep, Term], tuple[str, str]]] = {
            "silhouette": self._silhouette,
            "sse": self._scatter,
            "calinski_harabasz": self._scatter,
            "davies_bouldin": self._bouldin,
            "dunn": self._dunn,
            "correlation": self._correlation,
            **dict.fromkeys(LINKS, self._links),
            NORMALIZED_CUT: self._cut,
            **dict.fromkeys(SEPARATIONS, self._separation),
            HOPKINS: self._probe,
        }
        external = self._pairs if step.measure in PAIRS else self._classes
        caption, formula = builds.get(step.measure, external)(step, step.term)
        return caption, [Formula(formula), self._table(step)]

    def _silhouette(self, step: ValidityStep, term: Term) -> tuple[str, str]:
        n, a, b, s = term.values
        name = self.cluster(step, term.index).capitalize()
        caption = f"{name}: the mean silhouette of its {n:.0f} rows is {num4(s)}."
        means = f"a = {num4(a)} to its own, b = {num4(b)} to the nearest other"
        return caption, f"means over the rows: {means}"

    def _scatter(self, step: ValidityStep, term: Term) -> tuple[str, str]:
        n, within, between = term.values
        name = self.cluster(step, term.index).capitalize()
        total = sum(each.values[1] for each in step.parts.terms[: step.n_terms])
        caption = f"{name} adds {num4(within)} to the SSE, which is {num4(total)} so far."
        formula = (
            f"Σ ‖x − c‖² = {num(within)}; "
            f" n ‖c − x̄‖² = {n:.0f} × {num(between / n)} = {num(between)}"
        )
        return caption, formula

    def _bouldin(self, step: ValidityStep, term: Term) -> tuple[str, str]:
        spread, distance, ratio, other_spread = term.values
        name = self.cluster(step, term.index).capitalize()
        caption = f"{name} is most like {self.cluster(step, term.compared)}: R = {num4(ratio)}."
        quotient = f"({num4(spread)} + {num4(other_spread)}) / {num4(distance)}"
        return caption, f"R = (Sᵢ + Sⱼ) / Mᵢⱼ = {quotient} = {num4(ratio)}"

    def _dunn(self, step: ValidityStep, term: Term) -> tuple[str, str]:
        diameter, separation = term.values
        p, q, r, t = map(self._row, term.rows)
        name = self.cluster(step, term.index).capitalize()
        nearest = self.cluster(step, term.compared)
        caption = f"{name} has the diameter {num4(diameter)}; {nearest} is {num4(separation)} away."
        own, between = f"diameter d({p}, {q})", f"separation d({r}, {t})"
        return caption, f"{own} = {num(diameter)};  {between} = {num(separation)}"

    def _separation(self, step: ValidityStep, term: Term) -> tuple[str, str]:
        distances = np.delete(np.asarray(step.parts.matrix)[term.index], term.index)
        name = self.cluster(step, term.index).capitalize()
        total, nearest = num4(term.values[1]), self.cluster(step, term.compared)
        caption = f"{name}: its distances to the other clusters add up to {total}"
        added = abridged([num4(distance) for distance in distances], MAX_TERMS)
        return f"{caption}; {nearest} is nearest.", f"Σ {SEPARATIONS[step.measure]} = {added}"

    def _links(self, step: ValidityStep, term: Term) -> tuple[str, str]:
        n, n_links, total, by_center = term.values
        name = self.cluster(step, term.index).capitalize()
        if step.measure == BETWEEN:
            return self._links_between(step, term)
        links = count(int(n_links), "link", "links")
        caption = f"{name}: the squared lengths of its {links} add up to {num4(total)}"
        members = self.problem.X[step.labels == step.names[term.index]]
        terms = [num4(square) for square in pdist(members[: MAX_TERMS + 1], "sqeuclidean")]
        squares = abridged(terms, MAX_TERMS) if terms else "0"
        identity = f"Σ d² = {squares} = {num(total)} = n Σ ‖x − c‖² = {n:.0f} × {num(by_center)}"
        if step.measure == WEIGHTED:
            caption += f"; with w = 1 / {n:.0f} that is its SSE, {num4(by_center)}"
            identity += f";  w Σ d² = {num(total)} / {n:.0f} = {num(total / n)}"
        return f"{caption}.", identity

    def _links_between(self, step: ValidityStep, term: Term) -> tuple[str, str]:
        """Return the links of a cluster to others, and those to the nearest by the centres."""
        sums, (i, j) = np.asarray(step.parts.matrix), (term.index, term.compared)
        clusters = [self.problem.X[step.labels == step.names[each]] for each in (i, j)]
        (n, m), (c, d) = map(len, clusters), (rows.mean(axis=0) for rows in clusters)
        errors = [
            float(((rows - mean) ** 2).sum()) for rows, mean in zip(clusters, (c, d), strict=True)
        ]
        name = self.cluster(step, i).capitalize()
        caption = f"{name}: its {term.values[1]:.0f} links to other clusters"
        centers = f"{n} × {m} × {num4(((c - d) ** 2).sum())}"
        cohesion = f"{m} × {num4(errors[0])} + {n} × {num4(errors[1])}"
        caption += f" have squared lengths of {num4(term.values[2])} in all."
        identity = f"Σ d² = n m ‖c − c′‖² + m SSE + n SSE′ = {centers} + {cohesion}"
        return caption, f"to {self.cluster(step, j)}: {identity} = {num(sums[i, j])}"

    def _cut(self, step: ValidityStep, term: Term) -> tuple[str, str]:
        _, within, cut, share = term.values
        name = self.cluster(step, term.index).capitalize()
        caption = (
            f"{name}: links of the weight {num4(within)} within, {num4(cut)} to other clusters"
        )
        if term.compared >= 0:
            caption += f", most to {self.cluster(step, term.compared)}"
        volume = f"(2 · {num(within)} + {num(cut)})"
        return f"{caption}.", f"cut / volume = {num(cut)} / {volume} = {num4(share)}"

    def _correlation(self, step: ValidityStep, term: Term) -> tuple[str, str]:
        pairs, inside, outside = term.values
        name = self.cluster(step, term.index).capitalize()
        similar = f"its rows are {num4(inside)} similar to each other"
        mean = f"mean over {pairs:.0f} pairs inside: {num(inside)}, ideally 1"
        return f"{name}: {similar}, {num4(outside)} to the others.", f"s = 1 − d / max d; {mean}"

    def _classes(self, step: ValidityStep, term: Term) -> tuple[str, str]:
        n, precision, recall, impurity = term.values
        counts = np.asarray(step.parts.matrix)[term.index]
        present = [f"{c / n:.3g}" for c in counts[counts > 0]]
        sizes = f"H = −({abridged([f'{p} log₂ {p}' for p in present], MAX_TERMS)})"
        if step.measure == "gini":
            sizes = f"G = 1 − ({abridged([f'{p}²' for p in present], MAX_TERMS)})"
        name, hits = self.cluster(step, term.index).capitalize(), precision * n
        share = f"{hits:.0f} of {n:.0f} rows are of class {self._class(term.compared)}"
        quotients = (
            f"precision {hits:.0f} / {n:.0f} = {precision:.4g}",
            f"recall {hits:.0f} / {hits / recall:.0f} = {recall:.4g}",
            f"{sizes} = {num4(impurity)}",
        )
        return f"{name}: {share} ({percent(precision)}).", ", ".join(quotients)

    def _pairs(self, step: ValidityStep, term: Term) -> tuple[str, str]:
        n, n_together, n_alike = term.values
        counts = np.asarray(step.parts.matrix)[term.index]
        sums = (
            abridged([f"{c:.0f} × {c - 1:.0f} / 2" for c in counts[counts > 1]], MAX_TERMS) or "0"
        )
        name = self.cluster(step, term.index).capitalize()
        of_one_class = f"{n_alike:.0f} of them are of one class"
        caption = f"{name} puts {n_together:.0f} pairs of rows together; {of_one_class}."
        pairs = f"{n:.0f} × {n - 1:.0f} / 2 = {n_together:.0f} pairs"
        return caption, f"{pairs}; of one class: {sums} = {n_alike:.0f}"

    def _class(self, code: int) -> str:
        codes = np.unique(np.asarray(self.problem.y))
        return str(self.problem.classes[codes[code]]) if self.problem.classes else str(codes[code])

    def _probe(self, step: ValidityStep, term: Term) -> tuple[str, str]:
        u, w = term.values
        place = f"a random place is {num4(u)} from a row"
        row = f"{self._row(term.compared)} is {num4(w)} from another"
        return f"Probe {term.index + 1}: {place}, {row}.", f"u = {num(u)}, w = {num(w)}"

    def _combine(self, step: ValidityStep) -> tuple[str, Blocks]:
        name = MEASURE_NAMES[step.measure]
        good = "larger" if step.measure in LARGE_IS_GOOD else "smaller"
        ledger: Blocks = [Formula(step.parts.formula), self._table(step)]
        if step.measure in PAIRS:
            tp, fp, fn, tn = pair_counts(np.asarray(step.parts.matrix))
            head = ("in clusters", "one class", "two classes")
            rows = [("together", tp, fp), ("apart", fn, tn)]
            ledger.append(short_table(head, rows, "Pairs: TP, FP / FN, TN"))
        verdict = f"{good} is better"
        if step.measure == HOPKINS:
            verdict = "random rows have about 0.5, clustered ones about 1"
        return f"The {name} is {num4(step.value)}; {verdict}.", ledger

    def _done(self, step: ValidityStep) -> tuple[str, Blocks]:
        measures = step.measures or {}
        rows = [
            _measure_row(name, value)
            for name, value in measures.items()
            if not np.isnan(value) or name not in EXTERNAL
        ]
        emphasis = [i for i, row in enumerate(rows) if row[0] == MEASURE_NAMES[step.measure]]
        subject = "these rows" if step.measure == HOPKINS else self.clustering
        measure = f"the {MEASURE_NAMES[step.measure]} of {subject}"
        caption = step.reason or f"Done: {measure} is {num4(step.value)}."
        return caption, [
            *([] if step.reason else [Formula(step.parts.formula)]),
            short_table(("measure", "value", "better if"), rows, "All measures", emphasis),
        ]

    def _selected_row(self, step: ValidityStep) -> Blocks:
        """Write out the silhouette of the selected row."""
        row = self.selected
        if row is None:
            return []
        name = self._row(row)
        if step.labels[row] < 0:
            return [Formula(f"{name} is noise: no internal measure counts it")]
        rows = np.flatnonzero(step.labels >= 0)
        names, codes = np.unique(step.labels[rows], return_inverse=True)
        X = self.problem.X
        distances = cdist(X[[row]], X[rows])[0]
        means = [
            (int(label) + 1, short(float(distances[codes == code].mean())))
            for code, label in enumerate(names)
        ]
        table = short_table(("cluster", "mean distance"), means, name.capitalize())
        if len(names) in (1, len(rows)):
            return [table]
        place = int(np.flatnonzero(rows == row)[0])
        a, b, s = (float(each[place]) for each in silhouettes(codes, cdist(X[rows], X[rows])))
        quotient = f"({num4(b)} − {num4(a)}) / {num4(max(a, b))} = {num4(s)}"
        formula = f"{name}: s = (b − a) / max(a, b) = {quotient} (a leaves out the row itself)"
        return [table, Formula(formula)]


def _measure_row(name: str, value: float) -> tuple[Cell, ...]:
    cell = None if np.isnan(value) else short(value)
    return MEASURE_NAMES[name], cell, "large" if name in LARGE_IS_GOOD else "small"


def _probe_table(step: ValidityStep, rows: Sequence[tuple[Cell, ...]], title: str) -> LedgerTable:
    """Return the last probes, that of this step emphasised."""
    first = max(0, len(rows) - MAX_PROBES)
    numbered = [(i + 1, *row) for i, row in enumerate(rows)][first:]
    emphasis = [len(numbered) - 1] if step.phase == "part" else []
    return short_table(("probe", *step.parts.heads), numbered, title, emphasis)
