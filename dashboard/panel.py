"""The panel of controls beside the picture: plain data that the stage draws, and what each does.

Streamlit's own widgets send a value when they are let go, and come back one by one with every
answer. Those of the panel send while they move, and travel with the picture as one element
(docs/decisions/0010-live-controls.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from dashboard.choices import choice_texts
from dashboard.form import Change, Control, Form
from dashboard.positions import labelled_positions
from dashboard.settings import Settings
from dmlib.params import Choice, Flag, Integer, Several

Action = Callable[[Settings, Any], Settings]
"""Settings and the value that the stage sends -> settings."""
NO_PARAMETERS = frozenset({"section", "note", "button"})


@dataclass
class Panel:
    """The controls in their order, as the stage draws them, and what each does.

    Attributes
    ----------
    controls : list of dict
        Plain data for the stage.
    actions : dict of str to callable
        By the name of the control.
    """

    controls: list[dict[str, Any]] = field(default_factory=list)
    actions: dict[str, Action] = field(default_factory=dict)

    def add(
        self, name: str, kind: str, label: str, action: Action | None = None, **details: Any
    ) -> None:
        """Add a control."""
        self.controls.append({"name": name, "kind": kind, "label": label, **details})
        if action is not None:
            self.actions[name] = action

    def extend(self, panel: Panel) -> None:
        """Append the controls of another panel."""
        self.controls += panel.controls
        self.actions |= panel.actions

    def first(self, n_parameters: int) -> Panel:
        """Return a panel of its first parameters and all its sentences."""
        parameters = [spec["name"] for spec in self.controls if spec["kind"] not in NO_PARAMETERS]
        visible = parameters[:n_parameters]
        return Panel(
            [spec for spec in self.controls if spec["kind"] == "note" or spec["name"] in visible],
            self.actions,
        )

    def change(self, settings: Settings, message: Any) -> Settings:
        """Return the settings after a message of the stage; what a browser sends is not trusted."""
        if not isinstance(message, dict):
            return settings
        action = self.actions.get(str(message.get("name")))
        return settings if action is None else action(settings, message.get("value"))


class PanelForm(Form):
    """The controls beside the picture.

    Attributes
    ----------
    panel : Panel
        The controls so far.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.panel = Panel()

    @contextmanager
    def part(self) -> Iterator[Panel]:
        """Collect all controls that are shown in this context in a panel of their own."""
        outer, self.panel = self.panel, Panel()
        try:
            yield self.panel
        finally:
            self.panel = outer

    def _show(self, control: Control) -> Any:
        details = _details(control) | ({"idle": control.idle} if control.idle else {})
        details = {"value": panel_text(control.value)} | details
        self.panel.add(
            control.key,
            label=control.label,
            action=_parsed(control),
            help=control.help_text,
            **details,
        )
        return control.value

    def _show_choices(
        self,
        key: str,
        label: str,
        options: Sequence[str],
        chosen: tuple[str, ...],
        default: tuple[str, ...],
        help_text: str,
    ) -> tuple[str, ...]:
        def change(settings: Settings, value: Any) -> Settings:
            listed = value if isinstance(value, list) else []
            names = [name for name in options if name in listed]
            return settings.with_text(key, *choice_texts(names, default, options))

        pairs = [[option, option] for option in options]
        self.panel.add(key, "several", label, change, options=pairs, value=list(chosen))
        return chosen

    def _show_text(
        self, key: str, label: str, text: str, max_chars: int, several_lines: bool
    ) -> str:
        def change(settings: Settings, value: Any) -> Settings:
            return settings.with_text(key, str(value)[:max_chars])

        self.panel.add(key, "text", label, change, value=text, max=max_chars)
        return text

    def section(
        self, label: str, key: str, parts: tuple[str, ...]
    ) -> tuple[AbstractContextManager[Any], tuple[str, ...]]:
        """Add the heading of a section that opens."""
        if self.is_visible(*parts):
            self.panel.add(key, "section", label)
        return nullcontext(), parts

    def note(self, text: str) -> None:
        """Add a sentence."""
        self.panel.add("", "note", text)

    def button(
        self, key: str, label: str, change: Change, *, disabled: bool = False, primary: bool = False
    ) -> None:
        """Add a button that changes the settings."""

        def press(settings: Settings, _: Any) -> Settings:
            return change(settings)

        self.panel.add(key, "button", label, press, disabled=disabled, primary=primary)


def _parsed(control: Control) -> Action:
    """Return what a control does with a value of the stage: nothing, if it is none."""
    spec = control.spec

    def change(settings: Settings, value: Any) -> Settings:
        options = spec.options if isinstance(spec, Several) and isinstance(value, list) else ()
        text = ",".join(name for name in options if name in value) or str(value)
        try:
            return control.changed(settings, spec.parse(text))
        except (ValueError, OverflowError):
            return settings

    return change


def _details(control: Control) -> dict[str, Any]:
    """Return the kind of a control, and what it is made of."""
    spec = control.spec
    if isinstance(spec, Flag):
        return {"kind": "flag"}
    if isinstance(spec, Choice):
        options = [[option, control.name_of(option)] for option in spec.options]
        if isinstance(spec, Several):
            return {"kind": "several", "options": options, "value": control.value.split(",")}
        return {"kind": "choice", "options": options}
    if isinstance(spec, Integer) and spec.stepped:
        return {"kind": "stepper", "low": spec.low, "high": spec.high}
    low, high = (end if math.isfinite(end) else None for end in (spec.low, spec.high))
    names = control.names or {}
    places = labelled_positions(spec, control.default, control.value)
    options = [[text, names.get(text, label)] for text, label in places]
    whole = isinstance(spec, Integer)
    return {"kind": "slider", "options": options, "low": low, "high": high, "whole": whole}


def panel_text(value: Any) -> str:
    """Return a value as the stage knows it.

    Examples
    --------
    >>> panel_text(True), panel_text(0.5), panel_text(None)
    ('true', '0.5', 'None')
    """
    return str(value).lower() if isinstance(value, bool) else str(value)
