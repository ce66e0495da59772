"""The link is the state: what the query string says, what is wrong with it, and how it is kept up to date.

Widgets that are bound to the query string (``bind="query-params"``) look after themselves; this module checks what they
would swallow silently, and keeps what belongs to no widget (drawn points, placed centres, the step).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import urlencode

import streamlit as st

from dmlib.params import Param

NOTICES = "notices"
T = TypeVar("T")


def notice(sentence: str) -> None:
    """Remember a sentence for the top of the page until the next visit."""
    notices = st.session_state.setdefault(NOTICES, [])
    if sentence not in notices:
        notices.append(sentence)


def check_link(key: str, spec: Param) -> None:
    """Before a bound widget is made: drop a value in the link that is out of range, and say so."""
    text = st.query_params.get(key)
    if text is None or key in st.session_state:
        return
    try:
        spec.parse(text)
    except (ValueError, OverflowError) as error:
        del st.query_params[key]
        notice(f"The link's {key}={text[:40]} is ignored: it must be {error}. The default is used.")


def kept(name: str, parse: Callable[[str], T], default: T) -> T:
    """Return a value that the page keeps in the link itself; it is read from the link on the first run."""
    if name not in st.session_state:
        text = st.query_params.get(name)
        st.session_state[name] = default
        if text is not None:
            try:
                st.session_state[name] = parse(text)
            except (ValueError, OverflowError) as error:
                notice(f"The link's {name} is ignored: {error} The default is used.")
    value: T = st.session_state[name]
    return value


def keep(name: str, text: str | None) -> None:
    """Put a value into the link, or take it out with None."""
    if text is None:
        if name in st.query_params:
            del st.query_params[name]
    elif st.query_params.get(name) != text:
        st.query_params[name] = text


def hidden() -> frozenset[str]:
    """Return the names that ``?hide=`` takes away."""
    return frozenset(part for value in st.query_params.get_all("hide") for part in value.split(",") if part)


def share_link() -> str:
    """Return the address of exactly what is on the screen."""
    pairs = [(name, value) for name in st.query_params for value in st.query_params.get_all(name)]
    address = (st.context.url or "").split("?")[0]
    return address + ("?" + urlencode(pairs) if pairs else "")


def adopt(settings: dict[str, Any]) -> None:
    """Set many values at once, as a link would; for use in callbacks, before the widgets are made."""
    st.session_state.update(settings)
