"""A form of Streamlit's widgets: the data panel, the bar, the reports below the picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import streamlit as st

from dashboard.choices import choice_texts
from dashboard.form import FOLDED, NOT_PREPARED, Change, Control, Form, TableAndCode
from dashboard.text import literal
from dmlib.params import Choice, Flag, Integer, Number
from ui import operator, prepared
from ui.session import current_session, widget_value
from ui.upload import read_other_file, upload

MAX_SIDE_BY_SIDE = 4  # options up to which all are shown side by side,
MAX_CHARACTERS = 18  # if they fit into the column
MARKDOWN = frozenset("[<$`*")  # side by side, Streamlit would read them as Markdown
ALWAYS_SIDE_BY_SIDE = frozenset({"source"})
MAX_SLIDER = 1000  # whole numbers of a slider; of more, a field takes one


class WidgetForm(Form):
    """The settings of a page as widgets of Streamlit, wherever the script stands.

    A widget has the value of the settings. What the visitor does with it changes the settings of
    the session before the page runs again. Where they change otherwise (a preset, a dropped file, a
    way back), it is a new widget: a browser keeps the value of one that it does not show, as in a
    closed panel, and would send it as if the visitor had just chosen it.

    Attributes
    ----------
    progress : DeltaGenerator or None
        An empty element in view, where the progress of reading a file is shown.
    """

    progress: Any = None

    def _show(self, control: Control) -> Any:
        key = current_session().widget_key(control.key, control.value)
        _widget(control, key, on_change=_change_setting, args=(control, key))
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
        widget = current_session().widget_key(key, list(chosen))
        st.multiselect(
            label,
            options,
            chosen,
            key=widget,
            help=help_text,
            on_change=_choose,
            args=(key, widget, default, tuple(options)),
        )
        return chosen

    def _show_text(
        self, key: str, label: str, text: str, max_chars: int, several_lines: bool
    ) -> str:
        widget = current_session().widget_key(key, text)
        field = st.text_area if several_lines else st.text_input
        field(label, text, key=widget, max_chars=max_chars, on_change=_type, args=(key, widget))
        return text

    def section(
        self, label: str, key: str, parts: tuple[str, ...]
    ) -> tuple[AbstractContextManager[Any], tuple[str, ...]]:
        """Show a section that opens; while it is closed its controls are not mounted."""
        if not self.is_visible(*parts):
            return nullcontext(), parts
        expander = st.expander(label, key=key, on_change="rerun")
        return expander, parts if expander.open else (*parts, FOLDED)

    def expander(self, label: str) -> AbstractContextManager[Any]:
        """Show what follows in a section that is folded at first."""
        return st.expander(label) if self.is_visible("data") else nullcontext()

    def caption(self, text: str, help_text: str = "") -> None:
        """Show a quiet sentence."""
        st.caption(literal(text), help=literal(help_text) or None)

    def note(self, text: str) -> None:
        """Show a sentence among the controls."""
        self.caption(text)

    def button(
        self, key: str, label: str, change: Change, *, disabled: bool = False, primary: bool = False
    ) -> None:
        """Show a button that changes the settings."""
        st.button(
            label,
            key=key,
            on_click=apply_change,
            args=(change,),
            disabled=disabled,
            type="primary" if primary else "secondary",
        )

    def row(self) -> AbstractContextManager[Any]:
        """Show what follows in a row."""
        return st.container(horizontal=True)

    @contextmanager
    def details(self, label: str, key: str) -> Iterator[bool]:
        """Show a button that opens further controls."""
        with st.popover(label, on_change="rerun", key=key, width="stretch") as popover:
            yield bool(popover.open)

    @property
    def extra_sources(self) -> Mapping[str, str]:
        """The operator's table, and the one that was prepared on another page."""
        is_prepared = current_session().prepared is not None
        is_wanted = self.settings.text("source") == prepared.NAME
        return {
            **(operator.SOURCE if operator.setting() else {}),
            **(prepared.SOURCE if is_prepared or is_wanted else {}),
        }

    def extra_table(self, source: str) -> TableAndCode:
        """Return one of these tables, and the code that makes it."""
        if source == operator.NAME:
            return operator.sampled()
        prepared_table = current_session().prepared
        if prepared_table is None:
            raise ValueError(NOT_PREPARED)
        self.caption(f"{prepared_table.table.title}.")
        return prepared_table.table, prepared_table.code

    def table_file(self) -> TableAndCode:
        """Let the visitor choose a file with a table."""
        return upload(self, self.progress)

    def file(
        self,
        reader: str,
        content: str,
        endings: tuple[str, ...],
        decide: Callable[[str], Mapping[str, Any]],
    ) -> tuple[Any, str]:
        """Let the visitor choose a file with other data."""
        return read_other_file(self, reader, content, endings, decide, self.progress)

    def select(self, key: str, label: str, options: Sequence[str]) -> str:
        """Let the visitor choose how a file is read, which no link contains."""
        if not self.is_visible("data"):
            return options[0]
        return str(st.selectbox(label, options, key=key))

    def tick(self, frame: Any) -> Any:
        """Let the visitor tick cells of a table and add rows."""
        if not self.is_visible("data"):
            return frame
        return st.data_editor(frame, num_rows="dynamic", key="baskets.editor", hide_index=True)


class SessionForm(WidgetForm):
    """The settings of a pinned run, which nobody sees, with the files of the session."""

    def is_visible(self, *names: str) -> bool:
        """Return that no part of it is shown."""
        return False

    def caption(self, text: str, help_text: str = "") -> None:
        """Show no sentence."""

    def button(
        self, key: str, label: str, change: Change, *, disabled: bool = False, primary: bool = False
    ) -> None:
        """Show no button."""

    def row(self) -> AbstractContextManager[Any]:
        """Show no row."""
        return nullcontext()

    @contextmanager
    def details(self, label: str, key: str) -> Iterator[bool]:
        """Show no button that opens further controls."""
        yield False


def apply_change(change: Change) -> None:
    """Change the settings of the session; a callback."""
    session = current_session()
    session.settings = change(session.settings)


def _change_setting(control: Control, widget: str) -> None:
    """Take over what the visitor did with a widget; a callback."""
    value = widget_value(widget)
    apply_change(lambda settings: control.changed(settings, value))


def _choose(key: str, widget: str, default: tuple[str, ...], options: tuple[str, ...]) -> None:
    texts = choice_texts(widget_value(widget), default, options)
    apply_change(lambda settings: settings.with_text(key, *texts))


def _type(key: str, widget: str) -> None:
    text = str(widget_value(widget))
    apply_change(lambda settings: settings.with_text(key, text))


def _widget(control: Control, key: str, **callback: Any) -> None:
    """Show the widget that fits a specification.

    Numbers outside the panel are those of generators: none has a name, None or a scale that
    multiplies.
    """
    spec, label, value = control.spec, control.label, control.value
    shared = {"key": key, "help": literal(control.help_text) or None, **callback}
    if isinstance(spec, Flag):
        st.toggle(label, value, **shared)
    elif isinstance(spec, Choice):
        _choice(control, spec, label, shared)
    elif isinstance(spec, Integer):
        low, high = _range(spec, control)
        is_field = spec.shown is None and high - low > MAX_SLIDER
        (st.number_input if is_field else st.slider)(label, int(low), int(high), value, **shared)
    else:
        low, high = _range(spec, control)
        step = spec.step or (high - low) / 100
        st.slider(
            label, float(low), float(high), float(value), step=step, format=_format(step), **shared
        )


def _choice(control: Control, spec: Choice, label: str, shared: dict[str, Any]) -> None:
    names = {option: control.name_of(option) for option in spec.options}
    shared["format_func"] = names.__getitem__
    texts = "".join(names.values())
    fits = len(names) <= MAX_SIDE_BY_SIDE and len(texts) <= MAX_CHARACTERS
    if (fits and not MARKDOWN & set(texts)) or control.key in ALWAYS_SIDE_BY_SIDE:
        st.segmented_control(
            label, spec.options, default=control.value, required=True, width="stretch", **shared
        )
    else:
        st.selectbox(label, spec.options, spec.options.index(control.value), **shared)


def _range(spec: Integer | Number, control: Control) -> tuple[float, float]:
    """Return the range of a slider: the usual one, or all that is allowed for this value."""
    low, *_, high = spec.shown or (spec.low, spec.high)
    is_inside = low <= control.value <= high and low <= control.default <= high
    return (low, high) if is_inside else (spec.low, spec.high)


def _format(step: float) -> str:
    return f"%.{max(0, -int(f'{step:e}'.split('e')[1]))}f" if step < 1 else "%g"
