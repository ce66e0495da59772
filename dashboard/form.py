"""A form: which settings a page has, read from a link's texts and shown in one of several ways."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from dashboard.choices import ALL, choice_texts
from dashboard.settings import EMBED, Settings
from dashboard.spelling import spelt
from dmlib.estimator import HasOptionLabels
from dmlib.params import Choice, Flag, Integer, Param, describe

if TYPE_CHECKING:
    from dmlib.datasets import Table

FOLDED = "(folded)"
"""Part of a control that is in a closed section: it is not mounted, since each one costs time in
the browser."""
IN_PROJECTOR = frozenset(
    {"about", "types", "columns", "more", "seed", "code", "download", "below", "note"}
)
"""What a lecture room does not need: descriptions, rare settings, exports, the text below."""
IN_FRAME = frozenset(
    {"about", "bar", "below", "data", "looking", "note", "presets", "seed", "title"}
)
"""What a page goes without within another one: all but the stage, with its controls."""
SEED = Integer(0, 9999)
NO_FILE = (
    "Choose a file: one table, with or without a header line. A link never contains a file; who"
    " opens a link to a run on a file needs the same file."
)
NO_FILE_IN_FRAME = (
    "A page within another one takes no file. Open it in a tab of its own and choose the file"
    " there."
)
NOT_PREPARED = (
    "No table was prepared in this session: a link does not contain one. Prepare it again on the"
    " page that did so, under “Take along” below the picture, or choose other data."
)
T = TypeVar("T")
Change = Callable[[Settings], Settings]
TableAndCode = tuple["Table", str]


@dataclass(frozen=True)
class Control:
    """One control.

    Attributes
    ----------
    key : str
        Its name in the link.
    spec : Param
        Its specification.
    value, default : object
        Its value, and the one that no link contains.
    label, help_text : str
        What the reader sees.
    names : mapping of str to str
        What the reader sees of the options of a choice.
    idle : str
        Why it changes nothing here: it is then shown with this sentence, and cannot be moved.
    after_change : callable, optional
        What else changes when it is moved.
    """

    key: str
    spec: Param
    value: Any
    default: Any
    label: str
    help_text: str = ""
    names: Mapping[str, str] | None = None
    idle: str = ""
    after_change: Change | None = None

    def changed(self, settings: Settings, value: Any) -> Settings:
        """Return the settings in which it has a value."""
        texts = () if value == self.default else (str(value),)
        settings = settings.with_text(self.key, *texts)
        return self.after_change(settings) if self.after_change else settings

    def name_of(self, option: str) -> str:
        """Return what the reader sees of an option of a choice."""
        return (self.names or {}).get(option, spelt(option))


class Form:
    """The settings of a page, which nobody sees.

    What a page and its tools can be set to is said by calls of a form. This one reads the values;
    :class:`dashboard.panel.PanelForm` shows them beside the picture, and a form of the user
    interface as widgets.

    Parameters
    ----------
    settings : Settings
        The settings of the page.

    Attributes
    ----------
    settings : Settings
        The same without what cannot be used, and without what has its default.
    names : set of str
        The names that were asked for.
    notices : dict of str to str
        By name: why what a link says is ignored.

    Examples
    --------
    >>> from dmlib.params import Integer
    >>> form = Form(Settings.from_query({"kmeans.n_clusters": ["5"], "seed": ["one"]}))
    >>> form.control("kmeans.n_clusters", Integer(1, 9), 3, label="Clusters")
    5
    >>> form.value("seed", Integer(0, 9).parse, 0), list(form.notices)
    (0, ['seed'])
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.names: set[str] = set()
        self.notices: dict[str, str] = {}

    # --- reading --------------------------------------------------------------------------------

    def value(self, name: str, parse: Callable[[str], T], default: T) -> T:
        """Return a value; what cannot be used is taken out of the settings, with a notice."""
        self.names.add(name)
        text = self.settings.text(name)
        if text is None:
            return default
        try:
            return parse(text)
        except (ValueError, OverflowError) as error:
            # A parser of drawings says in sentences what is wrong, one of a parameter what it must
            # be.
            reason = f". {error}" if str(error).endswith(".") else f"; it must be {error}."
            self.notices[name] = (
                f"The link's {name}={text[:40]} is ignored{reason} The default is used."
            )
            self.settings = self.settings.without(name)
            return default

    def peek(self, key: str, spec: Param, default: Any) -> Any:
        """Return the value of a control that may be shown elsewhere, or later."""
        return self.value(key, spec.parse, default)

    @property
    def seed(self) -> int:
        """The seed of the page."""
        return int(self.value("seed", SEED.parse, 0))

    @property
    def is_embedded(self) -> bool:
        """Whether the page is shown within another one."""
        return bool(self.peek(EMBED, Flag(), False))

    @property
    def hidden(self) -> frozenset[str]:
        """The names that ``?hide=``, ``?embed=`` and the projector mode take away."""
        asked = (part for text in self.settings.get("hide") for part in text.split(",") if part)
        names = frozenset((FOLDED, *asked)) | (IN_FRAME if self.is_embedded else frozenset())
        is_in_projector = self.peek("projector", Flag(), False)
        return names | IN_PROJECTOR if is_in_projector else names

    def is_visible(self, *names: str) -> bool:
        """Return whether a part of the page with these names is to be shown."""
        return self.hidden.isdisjoint(names)

    def remember(self, name: str, *texts: str) -> None:
        """Write a value as it is used; without texts it has its default."""
        self.names.add(name)
        self.settings = self.settings.written_as(name, *texts)

    # --- controls -------------------------------------------------------------------------------

    def control(
        self,
        key: str,
        spec: Param,
        default: Any,
        *,
        label: str,
        help_text: str = "",
        names: Mapping[str, str] | None = None,
        parts: tuple[str, ...] = (),
        idle: str = "",
        after_change: Change | None = None,
    ) -> Any:
        """Show a control and return its value.

        Parameters
        ----------
        key, spec, default, label, help_text, names, idle, after_change
            As in :class:`Control`.
        parts : tuple of str
            The parts of the page that it belongs to. ``?hide=`` takes away parts, full names, and
            last words of names.
        """
        value = self.value(key, spec.parse, default)
        if type(spec) is Choice and value not in spec.options:  # they may depend on the data
            value = default
        if self.is_visible(key, key.rsplit(".", 1)[-1], *parts):
            value = self._show(
                Control(key, spec, value, default, label, help_text, names, idle, after_change)
            )
        self.remember(key, *(() if value == default else (str(value),)))
        return value

    def group(
        self,
        prefix: str,
        documented: Any,
        specs: Mapping[str, Param],
        defaults: Mapping[str, Any],
        labels: Mapping[str, str],
        *,
        parts: tuple[str, ...] = (),
        idle: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        """Show the controls of several parameters and return their values.

        The help texts come from the docstring of what is ``documented``, and what the reader sees
        of the options of a choice, where it is not their names, from its ``SPOKEN``.
        """
        option_labels = documented.SPOKEN if isinstance(documented, HasOptionLabels) else {}
        return {
            name: self.control(
                f"{prefix}.{name}",
                spec,
                defaults[name],
                label=labels.get(name, name.replace("_", " ")),
                help_text=describe(documented, name),
                names=option_labels.get(name),
                parts=parts,
                idle=(idle or {}).get(name, ""),
            )
            for name, spec in specs.items()
        }

    def choices(
        self,
        key: str,
        label: str,
        options: Sequence[str],
        default: Sequence[str],
        *,
        parts: tuple[str, ...] = (),
        help_text: str = "",
    ) -> tuple[str, ...]:
        """Show a choice of several options and return those that are chosen."""
        self.names.add(key)
        texts = self.settings.get(key)
        asks_for_all = texts == (ALL,) and ALL not in options
        if asks_for_all:
            texts = tuple(options)
        listed = [text for text in texts if text in options]
        chosen = tuple(listed if listed or texts == ("",) else default)
        if self.is_visible(key, key.rsplit(".", 1)[-1], *parts):
            chosen = self._show_choices(key, label, options, chosen, tuple(default), help_text)
        texts = (ALL,) if asks_for_all else choice_texts(chosen, default, options)
        self.remember(key, *texts)
        return chosen

    def text_field(
        self,
        key: str,
        label: str,
        default: str,
        *,
        max_chars: int,
        several_lines: bool = False,
        parts: tuple[str, ...] = ("data",),
    ) -> str:
        """Show a field for a text and return what is in it."""
        text = self.value(key, str, default)[:max_chars]
        if self.is_visible(key, key.rsplit(".", 1)[-1], *parts):
            text = self._show_text(key, label, text, max_chars, several_lines)
        self.remember(key, *(() if text == default else (text,)))
        return text

    # --- what a form shows; this one nothing ----------------------------------------------------

    def _show(self, control: Control) -> Any:
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
        return chosen

    def _show_text(
        self, key: str, label: str, text: str, max_chars: int, several_lines: bool
    ) -> str:
        return text

    def section(
        self, label: str, key: str, parts: tuple[str, ...]
    ) -> tuple[AbstractContextManager[Any], tuple[str, ...]]:
        """Show a section that opens; return its context, and the parts for the controls in it.

        Where the parts are hidden there is no section either; while it is closed, its controls are
        not mounted.
        """
        return nullcontext(), parts

    def caption(self, text: str, help_text: str = "") -> None:
        """Show a quiet sentence."""

    def note(self, text: str) -> None:
        """Show a sentence among the controls."""

    def button(
        self, key: str, label: str, change: Change, *, disabled: bool = False, primary: bool = False
    ) -> None:
        """Show a button that changes the settings."""

    def expander(self, label: str) -> AbstractContextManager[Any]:
        """Show what follows in a section that is folded at first."""
        return nullcontext()

    def row(self) -> AbstractContextManager[Any]:
        """Show what follows in a row."""
        return nullcontext()

    def details(self, label: str, key: str) -> AbstractContextManager[bool]:
        """Show a button that opens further controls; its value says whether they are open."""
        return nullcontext(enter_result=False)

    # --- data that no link contains -------------------------------------------------------------

    @property
    def extra_sources(self) -> Mapping[str, str]:
        """Sources of tables beside the library, generators, drawings and files, with labels."""
        return {}

    def extra_table(self, source: str) -> TableAndCode:
        """Return the table of one of these sources, and the code that makes it."""
        raise ValueError(NOT_PREPARED)

    def table_file(self) -> TableAndCode:
        """Let the reader choose a file; return its table, and the code that reads it.

        Raises
        ------
        ValueError
            If there is no file yet, or it cannot be read; the sentence says what to do.
        """
        raise ValueError(NO_FILE)

    def file(
        self,
        reader: str,
        content: str,
        endings: tuple[str, ...],
        decide: Callable[[str], Mapping[str, Any]],
    ) -> tuple[Any, str]:
        """Let the reader choose a file; return what is in it, and the code that reads it.

        Parameters
        ----------
        reader : str
            The function of ``dmlib.datasets`` that reads it.
        content : str
            What such a file contains, for people.
        endings : tuple of str
            The endings of such files.
        decide : callable
            The number of the file -> further arguments of the reader.

        Raises
        ------
        ValueError
            As :meth:`table_file` does.
        """
        raise ValueError(f"Choose a file. {content}. A link never contains a file.")

    def select(self, key: str, label: str, options: Sequence[str]) -> str:
        """Let the reader choose how a file is read, which no link contains; return the choice."""
        return options[0]

    def tick(self, frame: Any) -> Any:
        """Let the reader tick cells of a table and add rows; return the table."""
        return frame
