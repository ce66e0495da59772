"""Bytes -> text."""

from __future__ import annotations

import re

from dmlib.datasets.table import Note, TableError

_MARKS = {
    b"\xef\xbb\xbf": "utf-8-sig",
    b"\xff\xfe\0\0": "utf-32",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}
_CONTROLS = re.compile(r"[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_MAX_CONTROLS = 8
_SAMPLE = 100_000
_END = re.compile(r"\x1a\s*\Z")  # which old systems write behind the text
_BINARY = "The file is not text. Save the table as CSV or as a workbook (.xlsx, .ods)."
_TITLES = {
    "CP932": "Shift-JIS",
    "cp1252": "Windows-1252",
    "GB18030": "GB 18030",
    "latin-1": "Latin-1",
}
_RUN = re.compile(rb"[\x80-\xff]+")
_LONG_RUN = 1.5  # letters beyond ASCII in a row, on average


def decode(data: bytes, encoding: str | None = None) -> tuple[str, list[Note]]:
    """Decode bytes by their byte order mark, as UTF-8 or UTF-16, or in the likeliest encoding.

    Parameters
    ----------
    data : bytes
        The content of a file.
    encoding : str, optional
        The encoding, if it is known.

    Returns
    -------
    text : str
        Without byte order mark and NUL characters.
    notes : list of Note
        What was guessed and repaired.

    Raises
    ------
    TableError
        If the bytes are no text, or not in the encoding that was given.
    """
    notes: list[Note] = []
    if encoding is not None:
        text = _in_encoding(data, encoding)
    else:
        text, notes = _guessed(data)
    nul = text.count("\0")
    controls = len(_CONTROLS.findall(text[:_SAMPLE]))
    if nul * 20 > len(text) or controls > max(_MAX_CONTROLS, len(text[:_SAMPLE]) / 100):
        raise TableError("binary", _BINARY)
    if nul:
        text = text.replace("\0", "")
        notes.append(
            Note("bad_bytes", f"{nul} NUL characters, which belong to no text, are left out.")
        )
    end = _END.search(text, max(0, len(text) - 20))
    return text[: end.start() if end else None].removeprefix("\ufeff"), notes


def _in_encoding(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except (UnicodeError, LookupError):
        raise TableError(
            "encoding",
            f"The file is not written in {encoding}. Choose another encoding, such as utf-8 or"
            " cp1252.",
        ) from None


def _guessed(data: bytes) -> tuple[str, list[Note]]:
    marked = next((name for mark, name in _MARKS.items() if data.startswith(mark)), None)
    name = marked or _wide(data[:_SAMPLE]) or "utf-8"
    try:
        text = data.decode(name)
    except UnicodeError:
        return _repaired(data, name) if name.startswith(("utf-16", "utf-32")) else _forced(data)
    if name in {"utf-16-le", "utf-16-be"}:
        return text, [Note("encoding", "The text has no byte order mark and was read as UTF-16.")]
    return text, []


def _wide(sample: bytes) -> str | None:
    """Return the kind of UTF-16 in which every second byte of plain letters is zero."""
    if len(sample) < 4:
        return None
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if odd > 0.4 * len(sample) / 2 and even < odd / 10:
        return "utf-16-le"
    return "utf-16-be" if even > 0.4 * len(sample) / 2 and odd < even / 10 else None


def _repaired(data: bytes, name: str) -> tuple[str, list[Note]]:
    text = data.decode(name, "replace")
    bad = text.count("\ufffd")
    return text, [
        Note("bad_bytes", f"{bad} places in the text are damaged and are shown as \ufffd.")
    ]


def _forced(data: bytes) -> tuple[str, list[Note]]:
    text = data.decode("utf-8", "replace")
    n_damaged = text.count("\ufffd")
    n_beyond_ascii = len(text) - len(text.encode("ascii", "ignore")) - n_damaged
    if n_beyond_ascii > n_damaged:
        return text, [
            Note(
                "bad_bytes", f"{n_damaged} places in the text are damaged and are shown as \ufffd."
            )
        ]
    # Windows-1252 leaves five bytes undefined; Latin-1 does not.
    for name in (*_detected(data), "cp1252", "latin-1"):
        try:
            text = data.decode(name)
        except UnicodeError:
            continue
        title = _TITLES.get(name, name)
        return text, [
            Note(
                "encoding",
                f"The text is not UTF-8 and was read as {title}. Check the accented letters.",
            )
        ]
    raise AssertionError("Latin-1 reads any bytes.")


def _detected(data: bytes) -> tuple[str, ...]:
    """Return the encoding of a text in an alphabet other than the Latin one.

    Accented Latin letters stand alone among plain ones, and too few of them come in a table to tell
    one Western code page from another; letters of other alphabets come in runs.
    """
    import chardet

    letters = [line for line in data[:_SAMPLE].splitlines() if not line.isascii()]
    runs = _RUN.findall(b"\n".join(letters))
    if sum(map(len, runs)) < _LONG_RUN * len(runs):
        return ()
    name = chardet.detect(b"\n".join(letters))["encoding"]
    return (name,) if name else ()
