"""The link is the state: what the query string says, what is wrong with it, and how it is kept up to date.

Streamlit can bind a widget to the query string by itself. It then drops bad values without a word,
writes what the reader sees instead of the value, and does not follow when a preset sets many values
at once; so the link is kept here, for widgets as for what belongs to none (drawn points, placed
centres, the step). See docs/decisions/0004-url-is-the-state.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

NOTICES, WRITTEN, CHANGED = "link.notices", "link.written", "link.changed"
IN_PROJECTOR = frozenset(
    {"about", "types", "columns", "more", "seed", "code", "download", "below", "note"}
)
"""What a lecture room does not need: descriptions, rare settings, exports, the text below."""
FOLDED = "(folded)"
"""Part of a control that is in a closed section: it is not mounted, since each one costs time in
the browser."""
FORMER = {"svm.method": {"SVC: a price C": "C-SVM", "NuSVC: a share ν": "ν-SVM"}}
"""What values were called in links of before."""
OPENING = "link.opening"
"""In the session: what the page opens with if its link has no settings, as a link would say it."""
BESIDE = frozenset({"hide", "projector", "step", "upload", "prepared"})
"""Names in a link that are no settings: a page opens the same with them."""
OWN = "opening"
"""In the link of a page that opens with other settings than its defaults: that all have their
defaults."""
T = TypeVar("T")


def notice(sentence: str) -> None:
    """Remember a sentence for the top of the page until the next visit."""
    notices = st.session_state.setdefault(NOTICES, [])
    if sentence not in notices:
        notices.append(sentence)


def kept(name: str, parse: Callable[[str], T], default: T) -> T:
    """Return a value of the session; at first it is read from the link.

    A value in the link that cannot be used is taken out of it, and a notice says so.
    """
    try:
        value: T = st.session_state[name]
    except KeyError:
        value = st.session_state[name] = _said(name, parse, default)
    return value


def _said(name: str, parse: Callable[[str], T], default: T) -> T:
    """Return what the link says of a value."""
    text = st.query_params.get(name)
    if text is None:
        text = next(iter(opening().get(name, ())), None)
    if text is None:
        return default
    try:
        return parse(FORMER.get(name, {}).get(text, text))
    except (ValueError, OverflowError) as error:
        _say(name, [])
        # A parser of drawings says in sentences what is wrong, one of a parameter what it must be.
        why = f". {error}" if str(error).endswith(".") else f"; it must be {error}."
        notice(f"The link's {name}={text[:40]} is ignored{why} The default is used.")
        return default


def keep(name: str, value: str | list[str] | None) -> None:
    """Put a value into the link, or take it out with None or an empty list."""
    values = [value] if isinstance(value, str) else value or []
    # Even where the browser's link, being an older one, says the same.
    st.session_state.setdefault(CHANGED, set()).add(name)
    first = {} if name in BESIDE else opening()
    if (st.query_params.get_all(name) or first.get(name, [])) == values:
        return
    _say(name, values, first)


def _say(name: str, values: list[str], first: dict[str, list[str]] | None = None) -> None:
    """Change the link; what the page opened with, ``first``, is said together with the first change."""
    before = query()
    link = {
        said: texts for said, texts in (before | (first or {}) | {name: values}).items() if texts
    }
    if st.session_state.get(OPENING) and not _settings(link):
        link[OWN] = ["defaults"]
    st.session_state.setdefault(CHANGED, set()).update(_other(before, link))
    if first or OWN in link:
        st.query_params.from_dict(link)
    elif values:
        st.query_params[name] = values
    else:
        del st.query_params[name]


def opening() -> dict[str, list[str]]:
    """Return what the page opens with, as long as its link has no settings."""
    found: dict[str, list[str]] = st.session_state.get(OPENING, {})
    return {} if not found or _settings(query()) else found


def as_opened() -> bool:
    """Return whether the page shows what it opens with: its link has no settings, and the session no page before.

    A selected row or a place that is asked about comes along from page to page without a word in
    the link.
    """
    return WRITTEN not in st.session_state and not _settings(query())


def _settings(link: Mapping[str, list[str]]) -> bool:
    return any(texts for name, texts in link.items() if name not in BESIDE)


def follow_history(page: str) -> None:
    """After Back or Forward: what differs from the link that the page wrote is read from the link again.

    Only the browser knows that it went back. Else it has not had the last link yet, and the run
    begins with that one, but for what was changed before the run.
    """
    written_page, written = st.session_state.get(WRITTEN, ("", {}))
    changed = st.session_state.pop(CHANGED, set())
    if written_page != page:
        return
    now = query()
    if _went_back():
        for name in _other(written, now):
            st.session_state.pop(name, None)
    elif late := _other(written, now) - changed:
        link = now | {name: written.get(name, []) for name in late}
        st.query_params.from_dict({name: texts for name, texts in link.items() if texts})


def _other(one: Mapping[str, list[str]], link: Mapping[str, list[str]]) -> set[str]:
    """Return the names of which two links say other things."""
    return {name for name in one.keys() | link.keys() if one.get(name) != link.get(name)}


def _went_back() -> bool:
    context = get_script_run_ctx(suppress_warning=True)
    return context is not None and context.is_history_navigation


def remember_link(page: str) -> None:
    """Remember the link as the page has written it."""
    st.session_state[WRITTEN] = (page, query())
    st.session_state.pop(CHANGED, None)


def query() -> dict[str, list[str]]:
    """Return what the link says."""
    return {name: st.query_params.get_all(name) for name in st.query_params}


def hidden() -> frozenset[str]:
    """Return the names that ``?hide=`` and the projector mode take away."""
    asked = (part for value in st.query_params.get_all("hide") for part in value.split(",") if part)
    names = frozenset((FOLDED, *asked))
    return names | IN_PROJECTOR if st.session_state.get("projector") else names


def shown(name: str) -> bool:
    """Return whether a part of the page is to be shown."""
    return name not in hidden()


def share_link() -> str:
    """Return the address of exactly what is on the screen."""
    text = urlencode(query(), doseq=True)
    address = (st.context.url or "").split("?")[0]
    return f"{address}?{text}" if text else address
