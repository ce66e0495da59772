"""Questions about strings: values of cells, edits and the path; windows and kernels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from dmlib.pictures.answers import Option, Pick, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4, signed
from dmlib.problem import TextsProblem
from dmlib.similarity.strings.alignment import AlignmentStep, StringAlignment, pair_of
from dmlib.similarity.strings.counts_ledger import Counts
from dmlib.similarity.strings.edits import SCORED, Letters, scheme_of
from dmlib.similarity.strings.string_kernel import StringKernel, StringKernelStep
from dmlib.similarity.table_questions import Cell, TableAuthor, questions_by_step, straight_path

MAX_QUESTIONS = 60
MAX_SHARED = 8  # parts whose products are added by hand


class Rule(Misconception):
    """Wrong rules of alignments."""

    DIAGONAL = "Letters are always aligned with each other, without gaps."
    EQUAL_COSTS = "Every move costs 1, between equal letters too."
    UNCHANGED = "A cell takes over the best value of its neighbours unchanged."
    PLACES = "The distance is the number of places at which the letters differ."
    BORDER = "The first row and the first column are 0."
    SWAPPED = "A move down inserts a letter, and one to the right deletes one."


def questions(run: Run[TextsProblem, Any]) -> Iterator[Question]:
    """Yield the questions that the steps of an alignment or a string kernel answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.similarity.StringAlignment` or
        :class:`dmlib.similarity.StringKernel`.

    Yields
    ------
    Question
        Before cells of a small table, and before the path is traced back; of a kernel, before
        windows, and before the counts are multiplied.

    Examples
    --------
    >>> from dmlib.problem import prepare_texts
    >>> from dmlib.similarity import StringAlignment
    >>> asked = questions(Run.of(prepare_texts(["tea", "ten"]), StringAlignment()))
    >>> sorted({question.topic for question in asked})
    ['border', 'edit', 'move', 'path', 'value']
    """
    steps = run.trace.steps
    if not steps or steps[-1].phase != "done":
        return
    if isinstance(run.model, StringKernel):
        yield from _kernel_questions(run)
        return
    author = _Author(run, steps[-1])
    yield from questions_by_step(steps, author.cell, author.path, is_small=author.table.is_small)


class _Author:
    """Questions about one alignment."""

    def __init__(self, run: Run[TextsProblem, StringAlignment], last: AlignmentStep) -> None:
        model = self.model = run.model
        self.a, self.b = pair_of(run.problem.texts, model.first, model.second)
        letters = Letters(self.a, self.b)
        scheme = scheme_of(model.measure, letters, model.match, model.mismatch, model.gap)
        self.is_minimum = scheme.best == "min"
        path = [(int(i), int(j)) for i, j in last.path]
        assert last.matrix is not None
        self.table = TableAuthor(last.matrix, scheme.moves, path, first=0, floor=scheme.floor)

    def cell(self, number: int, step: AlignmentStep) -> Iterator[Question]:
        """Ask for the value of a cell, the cell that it comes from, or the edit."""
        n_sources = len(self.table.sources(step))
        kind = (2 * step.cell[0] + step.cell[1]) % 3
        if n_sources < 2 or step.choice < 0 or kind == 0:
            yield self._value(number, step, "border" if 0 in step.cell else "value")
        elif kind == 1:
            yield self._move(number, step)
        else:
            yield self._edit(number, step)

    def _letters(self, cell: Cell) -> tuple[str, str]:
        i, j = cell
        return self.a[i - 1 : i] or "∅", self.b[j - 1 : j] or "∅"

    def _pair(self, cell: Cell) -> str:
        """Return the letters that meet in a cell, as a sentence begins."""
        a, b = self._letters(cell)
        if "∅" in (a, b):
            return "One string is still empty"
        relation = f"are equal ({a})" if a == b else f"differ ({a}, {b})"
        return f"The letters of cell {self.table.name(cell)} {relation}"

    def _costs(self) -> str:
        """Return what the moves add, as a sentence."""
        model = self.model
        if model.measure in SCORED:
            scores = (num4(value) for value in (model.match, model.mismatch, model.gap))
            return "Equal letters score {}, different ones {}, a gap {}.".format(*scores)
        if model.measure == "lcs":
            return "Equal letters add 1, gaps 0."
        return "Each edit costs 1."

    def _value(self, number: int, step: AlignmentStep, topic: str) -> Question:
        i, j = step.cell
        sources = self.table.sources(step)
        values = {k: float(self.table.values[cell]) for k, cell in sources.items()}
        best = min if self.is_minimum else max
        wrong = [Wrong(Rule.BORDER, 0.0)] if 0 in step.cell else []
        wrong += [Wrong(Rule.UNCHANGED, best(values.values()))] if values else []
        if 0 in sources:
            wrong.append(Wrong(Rule.DIAGONAL, step.candidates[0]))
        if self.model.measure in ("levenshtein", "damerau"):
            differing = sum(x != y for x, y in zip(self.a[:i], self.b[:j], strict=False))
            wrong.append(Wrong(Rule.EQUAL_COSTS, min(values.values()) + 1))
            wrong.append(Wrong(Rule.PLACES, float(differing + abs(i - j))))
        terms = [
            f"{num4(value)} + {signed(step.candidates[k] - value, 4)}"
            for k, value in values.items()
        ]
        terms += ["0"] if self.model.measure == "smith-waterman" else []
        name = "min" if self.is_minimum else "max"
        return Question(
            number,
            topic,
            f"{self._pair(step.cell)}. What is the value of cell {self.table.name(step.cell)}?",
            Value(step.value, 0.0 if step.value.is_integer() else 0.01 * abs(step.value)),
            f"{name}({', '.join(terms)}) = {num4(step.value)}.",
            wrong,
            self._costs(),
            about=[self.table.number(step.cell)],
            of="cell",
        )

    def _move(self, number: int, step: AlignmentStep) -> Question:
        sources = self.table.sources(step)
        best = min if self.is_minimum else max
        wrong: dict[Misconception, Cell] = {}
        if 0 in sources:
            wrong[Rule.DIAGONAL] = sources[0]
        wrong[Rule.UNCHANGED] = best(sources.values(), key=lambda c: float(self.table.values[c]))
        return self.table.move_question(
            number,
            step,
            f"{self._pair(step.cell)}. From which cell does the best path come into cell"
            f" {self.table.name(step.cell)}?",
            wrong,
            self._costs(),
        )

    def _edit(self, number: int, step: AlignmentStep) -> Question:
        sources = self.table.sources(step)
        a, b = self._letters(step.cell)
        texts = {
            "delete": f"{a} is deleted (a gap in the second string)",
            "insert": f"{b} is inserted (a gap in the first string)",
            "transpose": f"{self.a[step.cell[0] - 2 : step.cell[0]]} is transposed",
        }
        aligned = f"{a} and {b} are aligned"
        names = {k: texts.get(self.table.moves[k].name, aligned) for k in sources}
        place = {k: i for i, k in enumerate(names)}
        right = [place[k] for k in self.table.best_moves(step)]
        other = {"delete": "insert", "insert": "delete"}
        chosen = self.table.moves[step.choice].name
        swapped = [k for k in names if self.table.moves[k].name == other.get(chosen)]
        wrong = [Wrong(Rule.DIAGONAL, place[0])] if 0 in place else []
        wrong += [Wrong(Rule.SWAPPED, place[k]) for k in swapped]
        listing = ", ".join(
            f"“{text}” gives {num4(step.candidates[k])}" for k, text in names.items()
        )
        return Question(
            number,
            "edit",
            f"The next cell, {self.table.name(step.cell)}, is that of {a} and {b}. Which edit leads"
            " into it?",
            Option(list(names.values()), right),
            f"{listing}.",
            wrong,
            self._costs(),
            "Several moves are equally good." if len(right) > 1 else "",
            about=[self.table.number(step.cell)],
            of="cell",
        )

    def path(self, number: int) -> Iterator[Question]:
        """Ask which cells of a row the alignment passes."""
        yield from self.table.path_question(
            number,
            {Rule.DIAGONAL: straight_path(*self.table.values.shape)},
            "Begin in the cell where the path ends, and go back to where its value came from.",
        )


# --- kernels --------------------------------------------------------------------------------------


def _kernel_questions(run: Run[TextsProblem, StringKernel]) -> Iterator[Question]:
    steps: Sequence[StringKernelStep] = run.trace.steps
    counts = Counts(run)
    for number in range(1, len(steps)):
        step, before = steps[number], steps[number - 1]
        if step.phase == "slide" and number <= MAX_QUESTIONS and before.side == step.side:
            yield from _part(number, step, counts)
        if step.phase == "product" and not run.model.normalize:
            yield from _product(number, step, counts)


def _part(number: int, step: StringKernelStep, counts: Counts) -> Iterator[Question]:
    right = counts.number(step.window)
    if not right or len(counts.numbered) < 2:
        return
    yield Question(
        number,
        "window",
        "The window moves on by one letter. Which part is counted next?",
        Pick(
            "part",
            [[right]],
            among=list(counts.numbers.values()),
            names={i: part for part, i in counts.numbers.items()},
        ),
        f"Its place {step.place + 1} holds {step.window}.",
        hint="The window has the same number of letters at each place.",
    )


def _product(number: int, step: StringKernelStep, counts: Counts) -> Iterator[Question]:
    first, second = counts.totals
    shared = counts.shared
    if not 0 < len(shared) <= MAX_SHARED:
        return
    terms = " + ".join(f"{first[part]} · {second[part]}" for part in shared)
    yield Question(
        number,
        "kernel",
        "All parts of both strings are counted. What is the kernel, the inner product of the"
        " counts?",
        Value(float(np.round(step.value or 0.0, 9))),
        f"Shared parts are {', '.join(shared)}: {terms} = {num4(step.value or 0.0)}.",
        hint="Multiply the two counts of each part that both strings have, and add the products.",
    )
