"""Tables: columns, scaling and the plane to look at are chosen, and the problem is prepared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import pandas as pd

from dashboard.catalogue import CATALOGUE
from dashboard.data.columns import (
    choose_classes,
    choose_features,
    choose_holes,
    choose_known,
    choose_number,
    choose_positive,
    choose_row_names,
    choose_rows,
    choose_scaling,
    choose_view,
    word,
)
from dashboard.data.container import COLUMNS, SOURCES, choose_test_size
from dashboard.data.fields import Field, table_fields
from dashboard.data.kind import Chosen
from dashboard.data.points import change_points, drawing_spec
from dashboard.data.table_code import problem_code, table_notes
from dashboard.data.table_sources import choose_source, table_from, with_column_types
from dashboard.form import Form
from dashboard.settings import Settings
from dmlib.datasets import LIBRARY
from dmlib.datasets import Table as TypedTable
from dmlib.datasets.catalogue import Entry
from dmlib.datasets.drawn import DRAW_BOX
from dmlib.pictures.data.heights import heights_scene
from dmlib.pictures.plane import data_scene, empty_scene
from dmlib.pictures.scene import Frame, Scene
from dmlib.problem import Problem, prepare
from dmlib.spreadsheet import to_csv

if TYPE_CHECKING:
    from dashboard.technique import Technique

FOR_NOMINAL = ("naive_bayes", "decision_tree", "data_overview", "missing_values")
FIRST = {
    "number": {"generator": "noisy_curve", "data": "mtcars"},
    "classes": {"generator": "moons", "data": "iris"},
}
"""With what a method opens that predicts something else than the first of its page."""
Limits = Callable[[int, int, Mapping[str, Any]], str]
Target = Literal["none", "classes", "one class", "number"]


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
    row_limit : int
        As many rows can be asked for.
    known : bool
        Whether known classes, where there are any, are given to the algorithm though nothing is
        predicted.
    purpose : str
        What data are generated for, beside those for every technique.
    limits : callable, optional
        (n_samples, n_features, params) -> a sentence that refuses the run, or an empty one.
    """

    target: Target = "none"
    start: Mapping[str, str] = field(default_factory=lambda: {"source": "library", "data": "iris"})
    plane: bool = True
    targets: Mapping[str, Literal["classes", "number"]] = field(default_factory=dict)
    weighs_columns: bool = False
    numbers_first: bool = False
    whole: bool = False
    max_rows: int = 2000
    row_limit: int = 10_000
    known: bool = False
    purpose: str = ""
    limits: Limits | None = None

    advice: ClassVar[str] = "Choose fewer rows, clusters, restarts or iterations."
    has_decisions: ClassVar[bool] = True

    @property
    def labelled(self) -> bool:
        """Whether the technique is given a target."""
        return self.target != "none"

    @property
    def sources(self) -> dict[str, str]:
        """Where tables can come from, whatever the session has."""
        return dict(SOURCES)

    def of(self, method: str) -> Table:
        """Return the table of a method, with what it predicts."""
        target = self.targets.get(method, self.target)
        if target == self.target:
            return self
        return replace(self, target=target, start={**self.start, **FIRST[target]}, targets={})

    def choose(self, technique: Technique, method: str, form: Form) -> Chosen:
        """Show what can be chosen; return what was chosen, ready for a method of a technique."""
        source = choose_source(form, self.start.get("source", "library"), self.purpose)
        return self.choose_from(technique, method, form, source)

    def choose_from(self, technique: Technique, method: str, form: Form, source: str) -> Chosen:
        """Let the reader choose the table of a source, ready for a method of a technique."""
        is_number = self.target == "number"
        try:
            names = self.tables(technique, method)
            table, code = table_from(
                form,
                source,
                self.start,
                names,
                numeric_target=is_number,
                plane=self.plane,
                purpose=self.purpose,
            )
            table, code = with_column_types(form, table, code)
            return _Preparation(self, technique, method, form, table, source).chosen(code)
        except ValueError as error:
            return Chosen(self, None, None, str(error), source)

    def with_file(self, settings: Settings) -> tuple[str, Settings]:
        """Return the reader of a file that is dropped, and the settings that show it."""
        return "read_table", settings.without("sample").with_text("source", "upload")

    def refusal(self, problem: Problem, params: Mapping[str, Any]) -> str:
        """Return a sentence that refuses the run before it begins, or nothing."""
        if self.limits is None:
            return ""
        return self.limits(len(problem.training.X), len(problem.features), params)

    def picture(self, problem: Problem | None, caption: str) -> Scene:
        """Return the points of the table, in their classes or at their heights."""
        if problem is None:
            return empty_scene(caption)
        scene = heights_scene(problem) if problem.numeric_target else data_scene(problem, caption)
        return replace(scene, frames=(Frame(caption),))

    def listing(self, problem: Problem) -> pd.DataFrame:
        """Return the rows that the algorithm gets, with what is known of them."""
        index = pd.Index(problem.rows + 1, name="row")
        frame = pd.DataFrame(problem.data, columns=list(problem.features)).set_index(index)
        if problem.y is not None and problem.classes:
            frame["known class"] = [problem.classes[code] for code in problem.y]
        elif problem.y is not None:
            frame[problem.target] = problem.y
        if problem.test is not None:
            frame["test set"] = problem.test
        return frame

    def csv(self, table: TypedTable) -> str:
        """Return the table as CSV."""
        return to_csv(table.frame)

    def offers(self, chosen: Chosen, settings: Settings) -> Mapping[str, Any]:
        """Return what the stage needs for drawing points."""
        if chosen.source != "draw" or not self.plane:
            return {}
        problem = chosen.problem
        is_number = self.target == "number" or (problem is not None and problem.numeric_target)
        return {"edit": drawing_spec(settings, classes=not is_number)}

    def fields(self, chosen: Chosen) -> Sequence[Field]:
        """Return a field for each column that is used; none where rows are points of the plane."""
        problem = chosen.problem
        if problem is None or chosen.source == "draw":
            return []
        target = [problem.target] if problem.labelled and problem.target else []
        n_axes = len(problem.features) + problem.numeric_target
        if self.plane and n_axes <= 2 and not problem.categories:
            return []
        return table_fields(chosen.table, [*problem.features, *target])

    def change(self, settings: Settings, message: Mapping[str, Any]) -> Settings | None:
        """Take over drawn points."""
        return change_points(settings, message)

    def tables(self, technique: Technique, method: str) -> tuple[str, ...]:
        """Return the names of the library's tables that a method can use."""
        takes_names = technique.nominal(method) and not self.numbers_first

        def fits(entry: Entry) -> bool:
            is_usable = entry.kind == "table" and (takes_names or bool(entry.features))
            if self.target == "none":
                return is_usable
            if self.target == "number":
                return is_usable and entry.response is not None
            return is_usable and entry.target is not None and not entry.numeric_target

        return tuple(name for name, entry in LIBRARY.items() if fits(entry))


@dataclass(frozen=True)
class _Preparation:
    """The choices of columns, scaling and view of one table, and the problem that they make."""

    kind: Table
    technique: Technique
    method: str
    form: Form
    table: TypedTable
    source: str

    def chosen(self, code: str) -> Chosen:
        """Let the reader choose class, columns, scaling and view, and prepare the problem."""
        kind, form, table = self.kind, self.form, self.table
        n_rows = choose_rows(form, table, kind.max_rows, kind.row_limit)
        target = self._target()
        usable = self._usable(target)
        features, options = self._features(target, usable)
        notes = table_notes(table, self.source, target, self.technique, kind, usable, features)
        frame, table_code = table.frame, code
        code += "frame = table.frame\n"
        if n_rows < len(frame):
            notes.append(
                f"A random sample of {n_rows:,} of {len(frame):,} rows is used, drawn with seed"
                f" {form.seed}."
            )
            frame = frame.sample(n_rows, random_state=form.seed).sort_index()
            code += f"frame = frame.sample({n_rows}, random_state={form.seed}).sort_index()\n"
        view = options.pop("view")
        problem = prepare(frame, features, **({"view": view, "target": target} | options))
        problem = self._completed(problem, frame, options, target, notes)
        options |= {"target": target} if kind.known else {}
        takes_names = self.technique.nominal(self.method)
        code += problem_code(features, options, labelled=problem.labelled, nominal=takes_names)
        summary = self._summary(problem, n_rows)
        sample = table.frame.index.get_indexer(frame.index) if n_rows < len(table.frame) else None
        return Chosen(
            kind, table, problem, "", self.source, code, table_code, summary, sample=sample
        )

    def _target(self) -> str | None:
        """Let the reader choose what is predicted, or what clusters are compared with."""
        form, table = self.form, self.table
        if self.kind.target == "number":
            return choose_number(form, table)
        if self.kind.labelled:
            return choose_classes(form, table)
        return table.target or choose_known(form, table, self.source)

    def _features(
        self, target: str | None, usable: tuple[str, ...]
    ) -> tuple[tuple[str, ...], dict[str, Any]]:
        """Let the reader choose the features; return them, and the options of the preparation."""
        kind, form, table = self.kind, self.form, self.table
        positive = None
        if kind.target == "one class" and target:
            positive = choose_positive(form, table, target)
        is_first = table.name in (kind.start.get("generator"), kind.start.get("data"))
        start = kind.start if is_first else {}
        options: dict[str, Any] = {}
        default_scaling = start.get("scaling", "none")
        if kind.weighs_columns:
            options["scaling"] = choose_scaling(form, COLUMNS, default_scaling)
        title = "Columns, scaling and view" if kind.plane else "Columns and scaling"
        section, parts = form.section(title, "columns.open", COLUMNS)
        with section:
            preferred = [name for name in table.numeric if name in usable]
            features = choose_features(
                form,
                table,
                usable,
                parts,
                start.get("columns", "").split(),
                all_columns=kind.whole,
                among=tuple(preferred) if kind.numbers_first else (),
            )
            if not kind.weighs_columns:
                options["scaling"] = choose_scaling(form, parts, default_scaling)
            takes_holes = self.technique.holes(self.method)
            options["holes"] = "keep" if takes_holes else choose_holes(form, table, features, parts)
            if kind.labelled:
                options |= self._test_options(target, positive, parts)
            options["view"] = None
            if kind.plane:
                is_numeric = set(features) <= set(table.numeric)
                view = start.get("view", "columns")
                options["view"] = choose_view(form, table.name, features, is_numeric, parts, view)
        return features, options

    def _test_options(
        self, target: str | None, positive: str | None, parts: tuple[str, ...]
    ) -> dict[str, Any]:
        """Let the reader choose the test fraction; return the options of what is predicted."""
        is_number = self.kind.target == "number"
        how = {"numeric_target": True} if is_number else {"labelled": True, "positive": positive}
        usual = float(self.kind.start.get("test", "0.3"))
        test_size = choose_test_size(self.form, usual, parts)
        return {"target": target, **how, "random_state": self.form.seed, "test_size": test_size}

    def _usable(self, target: str | None) -> tuple[str, ...]:
        """Return the columns that the method can use."""
        kind, table = self.kind, self.table
        takes_names = self.technique.nominal(self.method)
        # A target is no feature, also where it is only given beside them.
        is_target_given = kind.labelled or (kind.known and takes_names)
        usable = [name for name in table.comparable if name != target or not is_target_given]
        if not takes_names:
            usable = [name for name in table.numeric if name in usable]
        filled = tuple(name for name in usable if name not in table.blank)
        if usable and not filled:
            raise ValueError(f"No column holds a value: {', '.join(usable)}. Choose another file.")
        if not usable:
            raise ValueError(self._only_nominal())
        return filled

    def _only_nominal(self) -> str:
        """Return the sentence on a table without numbers."""
        methods = self.technique.methods_for_tables(self.method)
        suggestion = f"the method {' or '.join(methods)}, " if methods else ""
        pages = ", ".join(CATALOGUE[slug].title for slug in FOR_NOMINAL)
        return (
            "This page needs numbers, and this table has only nominal columns"
            f" ({', '.join(self.table.kinds)}). Choose another data set, {suggestion}or a page that"
            f" can use them: {pages}."
        )

    def _completed(
        self,
        problem: Problem,
        frame: pd.DataFrame,
        options: Mapping[str, Any],
        target: str | None,
        notes: list[str],
    ) -> Problem:
        """Return the problem with its notes, the names of its rows, and its window."""
        low, high = map(float, DRAW_BOX)
        is_drawn = self.source == "draw" and options["scaling"] == "none"
        is_whole = is_drawn and (problem.upright or len(problem.features) == 2)
        names = choose_row_names(self.form, self.table, self.source, target)
        return replace(
            problem,
            notes=(*notes, *problem.notes),
            window=(low, high, low, high) if is_whole else None,
            names=tuple(map(word, frame[names].iloc[problem.rows])) if names else (),
            labelled=problem.labelled or (self.kind.known and bool(problem.classes)),
        )

    def _summary(self, problem: Problem, n_rows: int) -> str:
        """Return the data in one line: their name, what is in view, how many rows."""
        table = self.table
        view = f"{len(problem.features)} columns"
        if self.kind.plane:
            # The axes have the scaling and the variance, which stand in brackets.
            names = (label.split(" (")[0] for label in problem.plane.labels)
            view = " × ".join(filter(None, names))
        n_all = len(table.frame)
        size = (
            f"{len(problem.X):,} of {n_all:,} rows, a sample"
            if n_rows < n_all
            else f"{len(problem.X):,} rows"
        )
        return f"{table.title or table.name} · {view} · {size}"
