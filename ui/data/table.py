"""Tables: from the library, a generator, the reader's hand or file; then columns, scaling and the plane to look at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

import pandas as pd
import streamlit as st

from dmlib.datasets import LIBRARY, drawn_table, encode_points, generators, make
from dmlib.datasets import Table as TypedTable
from dmlib.datasets.catalogue import Entry
from dmlib.datasets.drawn import DRAW_BOX
from dmlib.datasets.generators.generator import Generator
from dmlib.datasets.table import Kind as ColumnKind
from dmlib.params import Choice, Number, defaults
from dmlib.pictures.data.heights import heights_scene
from dmlib.pictures.plane import data_scene, empty_scene
from dmlib.pictures.scene import Frame, Scene
from dmlib.problem import Problem, prepare
from dmlib.spreadsheet import to_csv
from ui.catalogue import CATALOGUE
from ui.controls import control, control_group, peek, section
from ui.data import operator, prepared
from ui.data.columns import (
    choose_classes,
    choose_features,
    choose_holes,
    choose_known,
    choose_number,
    choose_positive,
    choose_row_names,
    choose_scaling,
    choose_view,
    word,
)
from ui.data.kind import Chosen
from ui.data.library import library
from ui.data.points import drawing_spec, drawn_points, take_points
from ui.data.upload import upload
from ui.links import hidden
from ui.text import literal
from ui.tools.tool import SEED

if TYPE_CHECKING:
    from ui.technique import Technique

SOURCES = {"library": "Library", "generator": "Generate", "draw": "Draw", "upload": "File"}
TEST = Number(0.0, 0.9, shown=(0.0, 0.5), step=0.05)
MOST_TYPED = 60  # columns whose types can be changed
WHY = {"date": "it holds dates", "text": "it holds texts", "id": "it only names or counts the rows"}
FOR_NOMINAL = ("naive_bayes", "decision_tree", "data_overview", "missing_values")
WHOLE = ("data",)
FIRST = {
    "number": {"generator": "noisy_curve", "data": "mtcars"},
    "classes": {"generator": "moons", "data": "iris"},
}
"""With what a method opens that predicts something else than the first of its page."""
TYPES, COLUMNS = ("data", "types"), ("data", "columns")
Limits = Callable[[int, int, Mapping[str, Any]], str]


@dataclass(frozen=True)
class Table:
    """A table of rows and columns.

    Parameters
    ----------
    target : {"none", "classes", "one class", "number"}
        What is predicted: nothing, one of several classes, one class against all others, a number.
    start : mapping of str to str
        What the page opens with: ``source``, and ``data`` or ``generator``, whose settings are
        ``moons.noise`` and the like; ``test`` for the test fraction. A ``scaling``, a ``view`` and
        ``columns`` (names between spaces) belong to these data: others begin without.
    plane : bool
        Whether the data are drawn in a plane: then its view can be chosen, and points can be drawn.
    targets : mapping of str to str
        The methods of a page that predict something else, and what.
    weighs_columns : bool
        Whether the scaling of the columns decides so much that its control is always in view.
    numbers_first : bool
        Whether names are offered but not used at first, because only one of the metrics can compare
        them.
    whole : bool
        Whether all columns are used at first (of a wide table, the first of them), not those for a
        first look.
    max_rows : int
        More rows than this are sampled, with a note.
    known : bool
        Whether known classes, where there are any, are given to the algorithm though nothing is
        predicted.
    limits : callable, optional
        (n_samples, n_features, params) -> a sentence that refuses the run, or an empty one.
    """

    target: Literal["none", "classes", "one class", "number"] = "none"
    start: Mapping[str, str] = field(default_factory=lambda: {"source": "library", "data": "iris"})
    plane: bool = True
    targets: Mapping[str, Literal["classes", "number"]] = field(default_factory=dict)
    weighs_columns: bool = False
    numbers_first: bool = False
    whole: bool = False
    max_rows: int = 2000
    known: bool = False
    limits: Limits | None = None

    less: ClassVar[str] = "Choose fewer rows, clusters, restarts or iterations."

    @property
    def labelled(self) -> bool:
        """Whether the technique is given a target."""
        return self.target != "none"

    def panel(self, technique: Technique) -> Chosen:
        """Show the panel and return what was chosen, ready for a technique and its method."""
        if not self.targets:
            return self._panel(technique)
        names = tuple(technique.methods)
        return self.of(peek(f"{technique.slug}.method", Choice(names), names[0]))._panel(technique)

    def of(self, method: str) -> Table:
        """Return the table of a method, with what it predicts."""
        target = self.targets.get(method, self.target)
        if target == self.target:
            return self
        return replace(self, target=target, start={**self.start, **FIRST[target]}, targets={})

    def fits(self, method: str, problem: Problem | None) -> bool:
        """Return whether a problem has what a method predicts."""
        return problem is None or problem.numeric_target == (self.of(method).target == "number")

    def _panel(self, technique: Technique) -> Chosen:
        sources = SOURCES | (operator.SOURCE if operator.setting() else {}) | prepared.offered()
        spec, usual = Choice(tuple(sources)), self.start.get("source", "library")
        source = control("source", spec, usual, label="Data", names=sources, parts=WHOLE)
        try:
            table, code = self._table(source, technique)
            table, code = _with_kinds(table, code)
            return self._columns(table, code, source, technique)
        except ValueError as error:
            return Chosen(None, None, str(error), source)

    def refusal(self, problem: Problem, params: Mapping[str, Any]) -> str:
        """Return a sentence that refuses the run before it begins, or nothing."""
        return (
            self.limits(len(problem.training.X), len(problem.features), params)
            if self.limits
            else ""
        )

    def alone(self, problem: Problem | None, caption: str) -> Scene:
        """Return the points of the table, in their classes or at their heights."""
        if problem is None:
            return empty_scene(caption)
        scene = heights_scene(problem) if problem.numeric_target else data_scene(problem, caption)
        return replace(scene, frames=(Frame(caption),))

    def listing(self, problem: Problem) -> pd.DataFrame:
        """Return the rows that the algorithm gets, with what is known of them."""
        index = pd.Index(problem.rows + 1, name="row")
        frame = pd.DataFrame(problem.data, columns=list(problem.features)).set_index(index)
        if problem.y is not None:
            known = [problem.classes[code] for code in problem.y] if problem.classes else problem.y
            frame["known class" if problem.classes else problem.target] = known
        if problem.test is not None:
            frame["test set"] = problem.test
        return frame

    def csv(self, table: TypedTable) -> str:
        """Return the table as CSV."""
        return to_csv(table.frame)

    def offers(self, chosen: Chosen) -> Mapping[str, Any]:
        """Return what the stage needs for drawing points."""
        numbers = self.target == "number" or (
            chosen.problem is not None and chosen.problem.numeric_target
        )
        return (
            {"edit": drawing_spec(classes=not numbers)}
            if chosen.source == "draw" and self.plane
            else {}
        )

    def takes(self, message: Mapping[str, Any]) -> bool:
        """Take over drawn points."""
        return take_points(message)

    def tables(self, technique: Technique) -> tuple[str, ...]:
        """Return the names of the library's tables that a technique can use."""

        def fits(entry: Entry) -> bool:
            names = technique.nominal and not self.numbers_first
            usable = entry.kind == "table" and (names or bool(entry.features))
            target = {"none": True, "number": entry.response is not None}.get(
                self.target, entry.target is not None and not entry.numeric_target
            )
            return usable and target

        return tuple(name for name, entry in LIBRARY.items() if fits(entry))

    def _table(self, source: str, technique: Technique) -> tuple[TypedTable, str]:
        """Return the table and the code that makes it."""
        if source == "generator":
            offered = generators("table", numeric_target=self.target == "number")
            return _generator(self.start, offered)
        if source == "draw":
            points = drawn_points()
            if len(points) < 2:
                raise ValueError("Draw at least two points: click on the picture.")
            if not self.plane and hidden().isdisjoint({"data", "about"}):
                st.caption(
                    "The points as they were drawn on another page. They can be moved there."
                )
            text = encode_points(points)
            number = {"numeric_target": True} if self.target == "number" else {}
            more = ", numeric_target=True" if number else ""
            return (
                drawn_table(points, **number),
                (
                    "from dmlib.datasets import decode_points, drawn_table\n\ntable ="
                    f" drawn_table(decode_points({text!r}){more})\n"
                ),
            )
        if source == "upload":
            return upload()
        if source == operator.NAME:
            return operator.sampled()
        if source == prepared.NAME:
            return prepared.taken()
        spec = Choice(self.tables(technique))
        titles = {name: LIBRARY[name].title for name in spec.options}
        name = control(
            "data",
            spec,
            self.start.get("data", "iris"),
            label="Data set",
            names=titles,
            parts=WHOLE,
        )
        entry = LIBRARY[name]
        if hidden().isdisjoint({"data", "about"}):
            st.caption(
                literal(f"{entry.description} {entry.size}."),
                help=literal(f"Source: {entry.source} {entry.licence}"),
            )
        return library(name), f"from dmlib.datasets import load\n\ntable = load({name!r})\n"

    def _columns(self, table: TypedTable, code: str, source: str, technique: Technique) -> Chosen:
        """Let the reader choose class, columns, scaling and view, and prepare the problem."""
        if self.target == "number":
            target: str | None = choose_number(table)
        else:
            target = (
                choose_classes(table)
                if self.labelled
                else table.target or choose_known(table, source)
            )
        usable = self._usable(table, target, technique)
        features, how = self._use(table, target, usable, technique)
        view = how.pop("view")
        notes = _notes(table, source)
        if source == "upload" and len(features) < len(usable):
            notes.append(
                f"{len(features)} of {len(usable):,} usable columns are used; the list of columns"
                " has the others."
            )
        kept = [name for name in table.nominal if name not in (*usable, target)]
        if kept and (technique.prepared or source == "upload"):
            said = (
                "Unchanged, but kept in the prepared table"
                if technique.prepared
                else "Not used, as they are no numbers"
            )
            notes.append(f"{said}: {', '.join(kept)}.")
        last = table.comparable[-1]
        if source == "upload" and self.target == "number" and last in table.nominal:
            notes.append(
                f"{last} is nominal, so it is no response here: the pages under Classification"
                " predict it."
            )
        notes += [
            f"The column {name!r} is left out: it holds no value."
            for name in table.comparable
            if name != target and name in table.blank
        ]
        notes += [
            f"The column {name!r} is left out: {WHY[kind]}."
            for name, kind in table.kinds.items()
            if kind in WHY
        ]
        frame, table_code, seed = table.frame, code, peek("seed", SEED, 0)
        code += "frame = table.frame\n"
        if len(frame) > self.max_rows:
            notes.append(
                f"A random sample of {self.max_rows} of {len(frame)} rows is used, drawn with seed"
                f" {seed}."
            )
            frame = frame.sample(self.max_rows, random_state=seed).sort_index()
            code += f"frame = frame.sample({self.max_rows}, random_state={seed}).sort_index()\n"
        problem = prepare(frame, features, **({"view": view, "target": target} | how))
        low, high = map(float, DRAW_BOX)
        whole = (
            source == "draw"
            and how["scaling"] == "none"
            and (problem.upright or len(features) == 2)
        )
        names = choose_row_names(table, source, target)
        problem = replace(
            problem,
            notes=(*notes, *problem.notes),
            window=(low, high, low, high) if whole else None,
            names=tuple(map(word, frame[names].iloc[problem.rows])) if names else (),
            labelled=problem.labelled or (self.known and bool(problem.classes)),
        )
        how |= {"target": target} if self.known else {}
        arguments = ", ".join(
            f"{name}={value!r}" for name, value in how.items() if value not in (None, 0.0, "drop")
        )
        code += (
            f"\nfrom dmlib.problem import prepare\n\nproblem = prepare(frame, {list(features)!r},"
            f" {arguments})\n"
        )
        numbers = "X = problem.data\n" if technique.nominal else "X = problem.X\n"
        code += (
            "X, y = problem.training.data, problem.training.y\n" if problem.labelled else numbers
        )
        return Chosen(
            table, problem, "", source, code, table_code, _summary(table, problem, self.plane)
        )

    def _use(
        self, table: TypedTable, target: str | None, usable: tuple[str, ...], technique: Technique
    ) -> tuple[tuple[str, ...], dict[str, Any]]:
        """Let the reader choose the features and how they are prepared."""
        positive = choose_positive(table, target) if self.target == "one class" and target else None
        opening = (
            self.start
            if table.name in (self.start.get("generator"), self.start.get("data"))
            else {}
        )
        scaling, view = opening.get("scaling", "none"), opening.get("view", "columns")
        how: dict[str, Any] = (
            {"scaling": choose_scaling(COLUMNS, scaling)} if self.weighs_columns else {}
        )
        title = "Columns, scaling and view" if self.plane else "Columns and scaling"
        box, parts = section(title, "columns.open", COLUMNS)
        with box:
            first = (
                tuple(name for name in table.numeric if name in usable)
                if self.numbers_first
                else ()
            )
            features = choose_features(
                table,
                usable,
                parts,
                opening.get("columns", "").split(),
                whole=self.whole,
                among=first,
            )
            if not self.weighs_columns:
                how["scaling"] = choose_scaling(parts, scaling)
            how["holes"] = "keep" if technique.holes else choose_holes(table, features, parts)
            if self.labelled:
                how["target"] = target
                how |= (
                    {"numeric_target": True}
                    if self.target == "number"
                    else {"labelled": True, "positive": positive}
                )
                how["random_state"] = peek("seed", SEED, 0)
                how["test_size"] = control(
                    "test",
                    TEST,
                    float(self.start.get("test", "0.3")),
                    label="Test fraction",
                    parts=parts,
                    help_text=(
                        "This fraction of each class is the test set: not trained on, and drawn"
                        " hollow."
                    ),
                )
            numeric = set(features) <= set(table.numeric)
            how["view"] = (
                choose_view(table.name, features, numeric, parts, view) if self.plane else None
            )
        return features, how

    def _usable(
        self, table: TypedTable, target: str | None, technique: Technique
    ) -> tuple[str, ...]:
        """Return the columns that a technique can use."""
        told = self.labelled or (
            self.known and technique.nominal
        )  # what is told of a row is no column of it
        usable = tuple(name for name in table.comparable if name != target or not told)
        if not technique.nominal:
            usable = tuple(name for name in table.numeric if name in usable)
        known = tuple(name for name in usable if name not in table.blank)
        if usable and not known:
            raise ValueError(f"No column holds a value: {', '.join(usable)}. Choose another file.")
        if not usable:
            others = [
                name
                for name, kind in getattr(self, "others", {}).items()
                if isinstance(kind, Table)
            ]
            method = f"the method {' or '.join(others)}, " if others else ""
            pages = ", ".join(CATALOGUE[slug].title for slug in FOR_NOMINAL)
            raise ValueError(
                "This page needs numbers, and this table has only nominal columns"
                f" ({', '.join(table.kinds)}). Choose another data set, {method}or a page that can"
                f" use them: {pages}."
            )
        return known


@st.cache_resource(max_entries=4, show_spinner=False, scope="session")
def _generated(name: str, seed: int, params: tuple[tuple[str, Any], ...]) -> TypedTable:
    table: TypedTable = make(name, random_state=seed, **dict(params))
    return table


def _generator(
    start: Mapping[str, str], offered: Mapping[str, Generator]
) -> tuple[TypedTable, str]:
    titles = {name: generator.title for name, generator in offered.items()}
    spec, default = Choice(tuple(offered)), start.get("generator", next(iter(offered)))
    name = control("generator", spec, default, label="Generator", names=titles, parts=WHOLE)
    generator = offered[name]
    function_defaults = defaults(generator.function)
    opening = {
        key: spec.parse(start[f"{name}.{key}"])
        for key, spec in generator.params.items()
        if f"{name}.{key}" in start
    }
    box, parts = section("Settings of the generator", "generator.settings.open", COLUMNS)
    with box:
        params = control_group(
            name, generator.function, generator.params, function_defaults | opening, {}, parts=parts
        )
    seed = peek("seed", SEED, 0)
    table = _generated(name, seed, tuple(params.items()))
    changed = "".join(
        f", {key}={value!r}" for key, value in params.items() if value != function_defaults[key]
    )
    return (
        table,
        (
            f"from dmlib.datasets import make\n\ntable = make({name!r},"
            f" random_state={seed}{changed})\n"
        ),
    )


def _with_kinds(table: TypedTable, code: str) -> tuple[TypedTable, str]:
    """Apply the kinds that the reader gave to columns, in the table and in the code that makes it."""
    spec = Choice(get_args(ColumnKind))
    keys = {name: f"{table.name}.kind.{i}" for i, name in enumerate(list(table.kinds)[:MOST_TYPED])}
    if hidden().isdisjoint(TYPES):
        with st.popover(
            "Column types", on_change="rerun", key=f"{table.name}.kinds", width="stretch"
        ) as popover:
            if popover.open:
                for name, key in keys.items():
                    control(key, spec, table.kinds[name], label=literal(name), parts=TYPES)
                if others := len(table.kinds) - len(keys):
                    st.caption(f"The other {others} columns keep the types that were found.")
    kinds = {name: peek(key, spec, table.kinds[name]) for name, key in keys.items()}
    changed = {name: kind for name, kind in kinds.items() if kind != table.kinds[name]}
    return table.with_kinds(changed), code + (
        f"table = table.with_kinds({changed!r})\n" if changed else ""
    )


def _notes(table: TypedTable, source: str) -> list[str]:
    """Return the notes on a table; the many on a file are shown where it was chosen."""
    if source != "upload" or not table.notes:
        return [note.text for note in table.notes]
    things = "1 thing" if len(table.notes) == 1 else f"{len(table.notes)} things"
    return [f"Reading the file, {things} had to be guessed or repaired: see “What was read”."]


def _summary(table: TypedTable, problem: Problem, plane: bool) -> str:
    """Return the data in one line: what they are called, what is seen of them, how many rows."""
    titled = table.name in LIBRARY or table.name in (operator.NAME, prepared.NAME)
    title = table.title if titled else table.name
    seen = (
        " × ".join(filter(None, problem.plane.labels))
        if plane
        else f"{len(problem.features)} columns"
    )
    return f"{title} · {seen} · {len(problem.X):,} rows"
