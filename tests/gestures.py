"""Messages of the stage, given to a page that is made by hand."""

from dashboard.data.kind import Chosen
from dashboard.form import Form
from dashboard.settings import Settings
from dashboard.tools import Page
from dashboard.view import changed_settings


def page_of(technique, method=None, problem=None, params=None, **link):
    """Return a page of a technique without its controls."""
    form = Form(settings_of(**link))
    return Page(
        technique, method or next(iter(technique.methods)), problem, form, params=params or {}
    )


def settings_of(**link):
    """Return the settings of a link; values are texts, or lists of texts."""
    return Settings.from_query(
        {name: [value] if isinstance(value, str) else value for name, value in link.items()}
    )


def move(message, technique, problem=None, **link):
    """Return what the link says after a message from the stage."""
    page = page_of(technique, problem=problem, **link)
    data = Chosen(technique.kind(page.method), None, problem, "", "")
    return changed_settings(page, data, page.settings, message).query()
