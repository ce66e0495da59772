"""The view of the run that settings pin, on its own data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dashboard.form import Form
from dashboard.parameters import method_of
from dashboard.pin import HALF, Pin
from dashboard.runs import Memory
from dashboard.settings import PIN, Settings
from dashboard.view import View, view


def pinned_view(
    settings: Settings,
    memory: Memory,
    form_of: Callable[[Settings], Form] = Form,
    files: object = (),
) -> View | None:
    """Return the view of the run that settings pin; None where they pin none.

    Parameters
    ----------
    settings : Settings
        The settings of the page.
    memory : Memory
        Of the session; it remembers the last pinned run.
    form_of : callable
        Makes the form by which the data of the pinned run are chosen.
    files : object
        The files of the session: other files are other data.
    """
    pin = _pin(settings)
    if pin is None:
        memory.pinned = None
        return None
    key = (pin.text, files)
    if memory.pinned is not None and memory.pinned[0] == key:
        page_view: View = memory.pinned[1]
        return page_view
    form = form_of(pin.settings)
    method = method_of(pin.technique, form)
    data = pin.technique.kind(method).choose(pin.technique, method, form)
    own_memory = replace(memory, last=None)
    page_view = view(pin.technique, pin.settings, data, own_memory, budget=HALF)
    memory.pinned = key, page_view
    return page_view


def moved_pinned(pinned: View, settings: Settings, memory: Memory, moving: str) -> View:
    """Return the view of a pinned run, on the same data, while one of its parameters moves."""
    pin = _pin(settings)
    if pin is None:
        return pinned
    own_memory = replace(memory, last=None)
    return view(pin.technique, pin.settings, pinned.data, own_memory, moving=moving, budget=HALF)


def _pin(settings: Settings) -> Pin | None:
    text = settings.text(PIN)
    try:
        return None if text is None else Pin.parse(text)
    except ValueError:  # the page says so
        return None
