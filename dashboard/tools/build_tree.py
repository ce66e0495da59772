"""Build a tree: the reader chooses the split of one node after the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from dashboard.estimators import new
from dashboard.messages import first_coordinate
from dashboard.runs import trace_of
from dashboard.settings import STEP, Settings
from dashboard.tools.tool import Page, Tool
from dmlib.params import Choice, Flag, Number
from dmlib.trees.choices import Prescribed, choose, format_choices, parse_choices

if TYPE_CHECKING:
    from dashboard.technique import Technique

N_POSITIONS = 200  # of the slider
SPLIT = "split"  # the handle of the split that is being tried
TESTING_CRITERIA = ("chaid", "quest")
"""Criteria that find the best division of a column by themselves."""
Choices = dict[str, Prescribed | None]


@dataclass(frozen=True)
class BuildTree(Tool):
    """A parameter that prescribes the splits of a tree: once switched on, the reader chooses them.

    The run's options have ``build``, whether it is on, and ``draft``, the path of the node whose
    split is being tried.
    """

    parameter: str
    first: ClassVar[bool] = True

    def decides(self, page: Page) -> frozenset[str]:
        """Return the parameter."""
        return frozenset({self.parameter})

    def controls(self, page: Page) -> Mapping[str, Any]:
        """Show the controls of the next split."""
        is_on = page.form.control(
            page.key("build"),
            Flag(),
            False,
            label="Build it yourself",
            help_text=(
                "You choose the split of each node, and then see what the algorithm would have"
                " chosen."
            ),
            parts=("options",),
            after_change=_at_end,
        )
        splits, draft = None, None
        if is_on and page.problem is not None:
            splits, draft = NextSplit(page, self.parameter).controls()
        return {"build": is_on, "draft": draft, self.parameter: splits}

    def of_data(self, technique: Technique) -> tuple[str, ...]:
        """Return the choices: splits of other data are none of these."""
        names = ("choices", "node", "column", "threshold", "values")
        return tuple(f"{technique.slug}.{name}" for name in names)

    def change(self, page: Page, message: Mapping[str, Any]) -> Settings | None:
        """Take over the threshold that was dragged."""
        if message.get("name") != SPLIT:
            return None
        value = first_coordinate(message)
        if value is None:
            return page.settings
        return page.settings.with_text(page.key("threshold"), str(float(f"{value:.4g}")))


def _at_end(settings: Settings) -> Settings:
    """Move the player to the end; a link says itself where it opens."""
    return settings if settings.text(STEP) else settings.at_frame()


class NextSplit:
    """The controls of the split that the reader chooses next.

    Parameters
    ----------
    page : Page
        The page.
    parameter : str
        The parameter that prescribes splits.
    """

    def __init__(self, page: Page, parameter: str) -> None:
        self.page, self.parameter = page, parameter
        self.form, self.training = page.form, page.problem.training
        self.key = page.key("choices")
        self.of_split = tuple(page.key(name) for name in ("column", "threshold", "values"))

    def controls(self) -> tuple[str, str | None]:
        """Show them; return all splits with the tried one, and the node of that, if any."""
        chosen = self._chosen()
        text = format_choices(chosen)
        page = self.page
        model = new(page.algorithm, {**page.params, self.parameter: text}, self.form.seed)
        try:
            _, trace = trace_of(page.memory, model, *self.training.arguments)
        except ValueError:
            self._buttons(chosen, None, [])
            return text, None
        waiting = {
            step.path: step
            for step in trace.steps
            if step.phase == "open" and step.best is not None
        }
        if not waiting:
            self.form.note("No node is left to split.")
            self._buttons(chosen, None, [])
            return text, None
        path = self._node(waiting)
        tried = choose(chosen, path, self._split(waiting[path]))
        self._buttons(chosen, tried, list(waiting))
        return format_choices(tried), path

    def _chosen(self) -> Choices:
        """Return the splits chosen so far."""
        return parse_choices(self.form.value(self.key, _checked, ""))

    def _node(self, waiting: Mapping[str, Any]) -> str:
        """Let the reader choose the node, where several wait."""
        first = next(iter(waiting))
        if len(waiting) == 1:
            return first
        names = {
            path: f"{_name(step.node)}, {step.counts.sum():.6g} rows"
            for path, step in waiting.items()
        }
        path: str = self.form.control(
            self.page.key("node"),
            Choice(tuple(waiting)),
            first,
            label="Node to split",
            names=names,
            after_change=lambda settings: settings.without(*self.of_split),
        )
        return path

    def _split(self, step: Any) -> Prescribed:
        """Let the reader choose the column, and where to divide it."""
        page, training, ranked = self.page, self.training, step.candidates
        columns = sorted(set(ranked.columns[np.isfinite(ranked.scores)].tolist()))
        names = tuple(training.features[column] for column in columns)
        name = self.form.control(
            page.key("column"),
            Choice(names),
            names[0],
            label="Column",
            names=dict(zip(names, names, strict=True)),
            after_change=lambda settings: settings.without(*self.of_split[1:]),
        )
        column = training.features.index(name)
        is_cut = (ranked.columns == column) & np.isfinite(ranked.thresholds)
        cuts = np.sort(ranked.thresholds[is_cut])
        if len(cuts):
            return Prescribed(column, self._threshold(cuts))
        is_binary = page.params["splitter"] == "binary"
        is_tested = page.params["criterion"] in TESTING_CRITERIA
        if column in training.categories and is_binary and not is_tested:
            codes = np.unique(training.X[step.rows, column])
            occurring = codes[codes >= 0].astype(int)
            is_ordered = column in training.ordered and page.params.get("ordinal") == "from_dtype"
            to_left = self._lowest if is_ordered else self._values
            return Prescribed(column, values=to_left(column, occurring))
        return Prescribed(column)

    def _threshold(self, cuts: Any) -> float:
        """Let the reader choose a threshold, with the slider or by dragging the line."""
        key, low, high = self.of_split[1], float(cuts[0]), float(cuts[-1])
        if low == high:
            return low
        middle = float(cuts[(len(cuts) - 1) // 2])
        value = self.form.value(key, float, middle)
        if np.isfinite(value):
            self.form.remember(key, str(min(max(value, low), high)))
        else:
            self.form.remember(key)
        step = float(f"{(high - low) / N_POSITIONS:.1g}")
        return float(
            self.form.control(
                key,
                Number(low, high, step=step),
                middle,
                label="Threshold: up to it goes left",
                help_text="Or drag the line in the picture.",
            )
        )

    def _values(self, column: int, codes: Any) -> tuple[int, ...]:
        """Let the reader choose the values that go left; some of them, not all."""
        names = [self.training.categories[column][code] for code in codes]
        first = tuple(names[:1])
        to_left = self.form.choices(self.of_split[2], "Values that go left", names, first)
        if not 0 < len(to_left) < len(names):
            self.form.note("Choose some of the values, not all; until then the first goes left.")
            to_left = first
        return tuple(int(code) for code, name in zip(codes, names, strict=True) if name in to_left)

    def _lowest(self, column: int, codes: Any) -> tuple[int, ...]:
        """Let the reader choose how far up the values of an ordinal column go left."""
        names = tuple(self.training.categories[column][code] for code in codes)
        label, help_text = "Highest value that goes left", "Lower values go left too."
        spec, shown = Choice(names[:-1]), dict(zip(names, names, strict=True))
        last = self.form.control(
            self.of_split[2], spec, names[0], label=label, help_text=help_text, names=shown
        )
        return tuple(codes[: names.index(last) + 1].tolist())

    def _buttons(self, chosen: Choices, tried: Choices | None, waiting: list[str]) -> None:
        """Show what can be done with the split that is being tried, and with the ones before."""
        slug = self.page.technique.slug
        if tried is not None:
            self.form.button(f"{slug}.split", "Split", self._take(tried), primary=True)
        undone = dict(list(chosen.items())[:-1])
        self.form.button(f"{slug}.undo", "Undo", self._take(undone), disabled=not chosen)
        if waiting:  # the algorithm splits the nodes that wait
            finished = self._take(chosen | dict.fromkeys(waiting))
            self.form.button(f"{slug}.finish", "Finish", finished)

    def _take(self, choices: Choices) -> Any:
        """Return what makes choices; the first node that waits is next."""
        text = format_choices(choices)

        def change(settings: Settings) -> Settings:
            settings = settings.without(self.page.key("node"), *self.of_split)
            return settings.with_text(self.key, *([text] if text else [])).at_frame()

        return change


def _name(node: int) -> str:
    return "root" if node == 0 else f"node {node + 1}"


def _checked(text: str) -> str:
    try:
        return format_choices(parse_choices(text))
    except ValueError:
        raise ValueError("splits such as r_2_2.45") from None
