"""Two runs side by side: the view of a pinned run, and what a pair of views shows together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dashboard.data.kind import Chosen
from dashboard.data.table import Table
from dashboard.differences import Difference, common_rows, differences, same_rows
from dashboard.panel import NO_PARAMETERS, Action, Panel
from dashboard.pin import Pin, own_names
from dashboard.results import Headline
from dashboard.settings import PIN, Settings
from dmlib.cached import cached_property
from dmlib.datasets import generators
from dmlib.params import defaults
from dmlib.pictures.pair import FramePairs, pair, paired_frames
from dmlib.pictures.scene import Scene

if TYPE_CHECKING:
    from dashboard.technique import Technique
    from dashboard.view import View

PREFIX = "pinned:"
"""Before the names of the pinned run's controls."""
FLAGS = {"true": "on", "false": "off"}
"""The values of flags, as people read them."""
NO_NUMBER = "–"
DATA_NAMES = ("source", "data", "generator", "scaling", "test")
"""Names of what data are chosen by, which pages have defaults of their own for."""
NAMES_OF = {"library": "data", "generator": "generator"}
"""By the source of tables, the name of their name."""
USUAL_TEST = "0.3"
MAX_SETTINGS = 3
"""Settings by which two runs are told apart."""


@dataclass(frozen=True)
class Pair:
    """Two views side by side.

    Attributes
    ----------
    pinned, current : View
        The pinned run and the other.
    frames : sequence of (int, int)
        Which of their frames stand side by side.
    """

    pinned: View
    current: View
    frames: FramePairs

    @classmethod
    def of(cls, pinned: View, current: View) -> Pair:
        """Return a pair: runs of one technique go step by step, others by their share."""
        sizes = (len(pinned.scene.frames), len(current.scene.frames))
        is_same = pinned.technique.slug == current.technique.slug
        return cls(pinned, current, paired_frames(*sizes, in_step=is_same))

    @cached_property
    def differences(self) -> list[Difference]:
        """The difference in each frame."""
        return differences(self.pinned, self.current, self.frames)

    @cached_property
    def scene(self) -> Scene:
        """Both pictures as one."""
        is_same = same_rows(self.pinned, self.current)
        scenes, edges = (self.pinned.scene, self.current.scene), self.differences[-1].edges
        return pair(*scenes, self.frames, self._rings(), edges, same_rows=is_same)

    def _rings(self) -> list[tuple[Any, Any]]:
        """Return in each frame the rows of both that differ; nothing where none are compared.

        Nothing either where units are selected: rows have no marks of their own there.
        """
        rows = [each.rows for each in self.differences]
        is_of_units = self.current.technique.selects == "unit"
        if is_of_units or all(each is None for each in rows):
            return []
        views, places = (self.pinned, self.current), common_rows(self.pinned, self.current)
        pinned, current = (
            [_spread(each, place, len(view.data.problem.rows)) for each in rows]
            for view, place in zip(views, places, strict=True)
        )
        return list(zip(pinned, current, strict=True))

    def results(self) -> list[list[dict[str, str]]]:
        """Return the headline numbers of both in each frame, as plain data, with differences."""
        lefts, rights = self.pinned.headlines(), self.current.headlines()
        return [
            _compared(lefts[i] if lefts else [], rights[j] if rights else [])
            for i, j in self.frames
        ]

    def packed(self) -> dict[str, Any]:
        """Return as plain data what the stage writes beside both pictures."""
        return {
            "titles": titles(self.pinned, self.current),
            "differences": [each.text for each in self.differences],
            **self.places(range(len(self.frames))),
        }

    def places(self, frames: Iterable[int]) -> dict[str, Any]:
        """Return as plain data at which steps of the two some frames are, and their last steps."""
        ends = [len(view.scene.frames) - 1 for view in (self.pinned, self.current)]
        return {"ends": ends, "steps": [list(self.frames[frame]) for frame in frames]}


def _spread(rows: Any, places: Any, n_rows: int) -> Any:
    """Return which of all rows differ, of those at some places; none where none are compared."""
    ringed = np.zeros(n_rows, bool)
    ringed[places] = False if rows is None else rows
    return ringed


def _compared(pinned: Sequence[Headline], numbers: Sequence[Headline]) -> list[dict[str, str]]:
    """Return the headline numbers of a frame; those that only one run has are beside a dash."""
    lefts, rights = ({each.label: each for each in side} for side in (pinned, numbers))
    nothing = Headline("", NO_NUMBER)
    return [
        replace(rights.get(label, nothing), label=label).compared(lefts.get(label, nothing))
        for label in {**rights, **lefts}
    ]


def titles(pinned: View, current: View) -> list[str]:
    """Return what tells two runs apart, in a few words each."""
    views = (pinned, current)
    before, after = (_settings(view) for view in views)
    different = [name for name, text in after.items() if before.get(name, text) != text]
    names = [view.technique.entry.title for view in views]
    parts = [[texts[name] for name in different[:MAX_SETTINGS]] for texts in (before, after)]
    if pinned.technique.slug != current.technique.slug:
        parts = [[name] for name in names]
    if not len(common_rows(pinned, current)[0]):
        for view, texts in zip(views, parts, strict=True):
            texts.append(view.data.summary.partition(" · ")[0])
    return [", ".join(texts) or name for texts, name in zip(parts, names, strict=True)]


def _settings(view: View) -> dict[str, str]:
    """Return the controls of a view with their values, as people read them."""
    settings = {"seed": f"seed {view.page.form.seed}"}
    for control in view.panel.controls:
        if control["kind"] in NO_PARAMETERS or control["name"].startswith(PREFIX):
            continue
        label, value = control["label"].partition(" (")[0], control["value"]
        names = FLAGS | dict(control.get("options", ()))
        texts = [value] if isinstance(value, str) else value
        settings[control["name"]] = f"{label} {', '.join(names.get(text, text) for text in texts)}"
    return settings


def rival_link(page_view: View) -> dict[str, list[str]]:
    """Return the link with which another page opens on the same data, with this run pinned.

    Pages open with data of their own, so that it names too what is this page's default.
    """
    slug, data, settings = page_view.technique.slug, page_view.data, page_view.settings
    start = {name: [text] for name, text in data.kind.start.items() if _is_of_data(name)}
    names = [name for name in own_names(slug, settings) if not name.startswith(f"{slug}.")]
    texts = {name: list(settings.get(name)) for name in names}
    pin = Pin.of(page_view.technique, settings).text
    return {**_usual_data(data), **start, **_rows_and_columns(data), **texts, PIN: [pin]}


def _is_of_data(name: str) -> bool:
    return name in DATA_NAMES or "." in name


def _usual_data(data: Chosen) -> dict[str, list[str]]:
    """Return the defaults of what data are made and prepared with."""
    usual = {"scaling": "none", "test": USUAL_TEST}
    generator = generators("table").get(getattr(data.table, "name", ""))
    if data.source == "generator" and generator is not None:
        values = defaults(generator.function)
        usual |= {f"{data.table.name}.{name}": str(values[name]) for name in generator.params}
    return {name: [text] for name, text in usual.items()}


def _rows_and_columns(data: Chosen) -> dict[str, list[str]]:
    """Return the name of a table, and which of its rows and columns are used."""
    if not isinstance(data.kind, Table) or data.problem is None:
        return {}
    name, n_rows, features = data.table.name, len(data.problem.rows), list(data.problem.features)
    is_sample = n_rows < len(data.table.frame[features].dropna())
    return {
        **({NAMES_OF[data.source]: [name]} if data.source in NAMES_OF else {}),
        **({f"{name}.rows": [str(n_rows)]} if is_sample else {}),
        f"{name}.features": features,
    }


# --- the view of a pinned run -------------------------------------------------------------------


def pinned_controls(pinned: View) -> Panel:
    """Return the controls of a pinned run, folded; they change the settings that are pinned."""
    panel = Panel()
    panel.add(f"{PREFIX}section", "section", f"Pinned: {pinned.technique.entry.title}")
    for control in pinned.panel.controls:
        if control["kind"] not in ("section", "note"):
            label = f"{control['label']} (pinned)"
            panel.controls.append({**control, "name": PREFIX + control["name"], "label": label})
    panel.actions = {
        PREFIX + name: _on_pinned(pinned.technique, pinned.settings, action)
        for name, action in pinned.panel.actions.items()
    }
    return panel


def _on_pinned(technique: Technique, settings: Settings, action: Action) -> Action:
    """Return the action on the settings that are pinned."""

    def change(page_settings: Settings, value: Any) -> Settings:
        pin = Pin.of(technique, action(settings, value))
        return page_settings.with_text(PIN, pin.text)

    return change
