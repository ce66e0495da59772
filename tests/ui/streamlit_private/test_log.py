"""The app's lines in the log are written as Streamlit's own.

If a newer Streamlit fails this: let the lines go to a logger of the standard library, with a
handler of our own.
"""

import logging

from streamlit.logger import get_logger

from ui.streamlit_private.log import logger


def test_a_line_has_a_date_and_the_level_that_streamlit_is_told():
    ours = logger("ui.example")
    (handler,) = ours.handlers
    record = logging.LogRecord("ui.example", logging.WARNING, "", 1, "Something.", None, None)
    streamlits = next(iter(get_logger("root").handlers)).formatter
    assert handler.format(record) == streamlits.format(record)
    assert handler.format(record) != "Something."
    assert ours.isEnabledFor(logging.INFO)


def test_without_it_a_line_is_written_all_the_same(monkeypatch, capfd):
    monkeypatch.setattr("ui.streamlit_private.log.is_on", lambda _: False)
    monkeypatch.setattr(logging.getLogger("ui.plain"), "propagate", False)
    logger("ui.plain").warning("Something.")
    assert capfd.readouterr().err == "Something.\n"
