"""The controls of a page: its method, the parameters of that method, and what its tools offer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dashboard.data.kind import Chosen
from dashboard.data.table import Table
from dashboard.form import Form
from dashboard.panel import Panel, PanelForm
from dashboard.runs import Memory
from dashboard.settings import Settings
from dashboard.technique import Technique
from dashboard.tools.tool import Page
from dmlib.params import Choice

SOURCE_NAMES = ("source", "data", "generator")
"""Names of controls that several kinds of data have."""


def method_of(technique: Technique, form: Form) -> str:
    """Return the method that is chosen."""
    names = tuple(technique.methods)
    if len(names) == 1:  # a parameter of it may be called so
        return names[0]
    method: str = form.peek(f"{technique.slug}.method", Choice(names), names[0])
    return method if method in names else names[0]


def _choose_method(technique: Technique, form: PanelForm) -> str:
    names, key = tuple(technique.methods), f"{technique.slug}.method"
    if len(names) == 1:
        return names[0]
    before = technique.kind(method_of(technique, form))

    def with_its_data(settings: Settings) -> Settings:
        """Forget what was chosen of another kind of data: this one begins with its own."""
        after = technique.kind(method_of(technique, Form(settings)))
        is_same = isinstance(before, Table) == isinstance(after, Table)
        return settings if is_same else settings.without(*SOURCE_NAMES)

    method: str = form.control(
        key, Choice(names), names[0], label="Method", after_change=with_its_data
    )
    return method


def parameters(
    technique: Technique, settings: Settings, data: Chosen, memory: Memory
) -> tuple[Page, dict[str, Any], Panel]:
    """Return the page with its parameters, the options of the picture, and the panel."""
    form = PanelForm(settings)
    with form.part() as head:
        method = _choose_method(technique, form)
    page = Page(technique, method, data.problem, form, memory)
    defaults = technique.defaults(method)
    decided = frozenset[str]().union(*(tool.decides(page) for tool in technique.tools))
    page.params.update((name, defaults[name]) for name in decided)
    groups = []
    for i, (heading, labels) in enumerate(technique.labels.items()):
        with form.part() as group:
            _parameter_group(page, heading, labels, i, decided)
        groups.append(group)
    options: dict[str, Any] = {}
    above, below = Panel(), Panel()
    for tool in technique.tools:
        with form.part() as part:
            options |= tool.controls(page)
        (above if tool.first else below).extend(part)
    page.params.update((name, options.pop(name)) for name in list(options) if name in defaults)
    for part in (above, groups[0], below, *groups[1:]):
        head.extend(part)
    return page, options, head


def _parameter_group(
    page: Page, heading: str, labels: Mapping[str, str], number: int, decided: frozenset[str]
) -> None:
    """Show the parameters under one heading; all but the first heading open a section."""
    specs, slug = page.specs, page.technique.slug
    offered = [name for name in labels if name in specs and name not in decided]
    page.params.update((name, page.value(name)) for name in offered)
    meaningful = {name: specs[name] for name in offered if page.applies(name)}
    parts: tuple[str, ...] = ()
    if number and meaningful:
        _, parts = page.form.section(heading, f"{slug}.more.{number}.open", ("more",))
    on_data, idle = page.on_data.specs(meaningful)
    idle |= {name: page.idle(name) for name in on_data if page.idle(name)}
    defaults = page.technique.defaults(page.method)
    page.params.update(
        page.form.group(slug, page.algorithm, on_data, defaults, labels, parts=parts, idle=idle)
    )
