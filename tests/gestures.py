"""What the stage says, given to a page that is made by hand: its session and its link are dicts."""

from contextlib import contextmanager
from unittest import mock

import streamlit as st

from ui.links import CHANGED
from ui.play import take
from ui.tools import Page


class Link(dict):
    """A link, as Streamlit has it."""

    def __setitem__(self, name, value):
        super().__setitem__(
            name, value[0] if isinstance(value, list) and len(value) == 1 else value
        )

    def get_all(self, name):
        value = self.get(name, [])
        return [value] if isinstance(value, str) else list(value)


@contextmanager
def visitor(session=None, **link):
    """Be a visitor with this session and this link; yield both."""
    session, link = {} if session is None else session, Link(link)
    with (
        mock.patch.object(st, "session_state", session),
        mock.patch.object(st, "query_params", link),
    ):
        yield session, link
    session.pop(CHANGED, None)  # which names of the link were touched


def page_of(technique, method=None, problem=None, params=None):
    """Return a page of a technique without its controls."""
    return Page(
        technique,
        method or next(iter(technique.methods)),
        problem,
        params or {},
        lambda frame: None,
    )


def move(message, technique, problem=None):
    """Return what the session holds and what the link says after a message from the stage."""
    with visitor() as (session, link):
        take(page_of(technique, problem=problem), message)
    return session, dict(link)
