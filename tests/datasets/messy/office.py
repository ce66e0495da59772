"""Workbooks written by hand, so that they can be odd: .xlsx, .ods and .xls."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

XML = "http://schemas.openxmlformats.org"
MAIN, PACKAGE, OFFICE = (
    f"{XML}/spreadsheetml/2006/main",
    f"{XML}/package/2006",
    f"{XML}/officeDocument/2006",
)
ODF = "urn:oasis:names:tc:opendocument:xmlns"
STYLES = (
    f'<styleSheet xmlns="{MAIN}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills>'
    '<borders count="1"><border/></borders><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" '
    'applyNumberFormat="1"/></cellXfs></styleSheet>'
)


def zipped(members: Mapping[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip archive of texts by their names."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


def letters(column: int) -> str:
    """Return the letters of a column, counted from 0."""
    text = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(65 + rest) + text
    return text


def xlsx_cell(place: str, value: object) -> str:
    """Return a cell: a number, a text, a truth value, or XML."""
    if value is None:
        return ""
    if isinstance(value, tuple):
        # A tuple of attributes and content is put in as it is, perhaps with a place of its own.
        return (
            f"<c{value[0]}>{value[1]}</c>"
            if " r=" in value[0]
            else f'<c r="{place}"{value[0]}>{value[1]}</c>'
        )
    if isinstance(value, bool):
        return f'<c r="{place}" t="b"><v>{int(value)}</v></c>'
    if isinstance(value, str):
        return (
            f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{escape(value)}</t></is></c>'
        )
    return f'<c r="{place}"><v>{value}</v></c>'


def xlsx(
    sheets: Mapping[str, Sequence[Sequence[object]]],
    top: int = 1,
    attributes: str = "",
    hidden: str = "",
) -> bytes:
    """Return an .xlsx workbook of sheets given as rows, the first in row ``top``."""
    names = dict(enumerate(sheets, 1))
    parts = "".join(
        f'<sheet name={quoteattr(name)} sheetId="{n}" r:id="r{n}"'
        + ' state="hidden"' * (name == hidden)
        + "/>"
        for n, name in names.items()
    )
    members = {
        "[Content_Types].xml": (
            f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="xml" '
            'ContentType="application/xml"/><Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/></Types>'
        ),
        "_rels/.rels": (
            f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1"'
            f' Type="{OFFICE}/relationships/officeDocument"'
            ' Target="xl/workbook.xml"/></Relationships>'
        ),
        "xl/workbook.xml": (
            f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}/relationships"><sheets>{parts}</sheets>'
            "</workbook>"
        ),
        "xl/_rels/workbook.xml.rels": (
            f'<Relationships xmlns="{PACKAGE}/relationships">'
            + "".join(
                f'<Relationship Id="r{n}" Type="{OFFICE}/relationships/worksheet"'
                f' Target="worksheets/sheet{n}.xml"/>'
                for n in names
            )
            + f'<Relationship Id="rs" Type="{OFFICE}/relationships/styles"'
            ' Target="styles.xml"/></Relationships>'
        ),
        "xl/styles.xml": STYLES,
    }
    for n, rows in enumerate(sheets.values(), 1):
        body = "".join(
            f'<row r="{i}">'
            + "".join(xlsx_cell(f"{letters(j)}{i}", value) for j, value in enumerate(row))
            + "</row>"
            for i, row in enumerate(rows, top)
        )
        members[f"xl/worksheets/sheet{n}.xml"] = (
            f'<worksheet xmlns="{MAIN}"><sheetData>{body}</sheetData>{attributes}</worksheet>'
        )
    return zipped(members)


def ods_cell(value: object) -> str:
    if value is None:
        return "<table:table-cell/>"
    if isinstance(value, tuple):
        return value[0]
    if isinstance(value, str):
        return (
            "<table:table-cell"
            f' office:value-type="string"><text:p>{escape(value)}</text:p></table:table-cell>'
        )
    shown = f"<text:p>{value}</text:p>"
    return (
        '<table:table-cell office:value-type="float"'
        f' office:value="{value}">{shown}</table:table-cell>'
    )


def ods(sheets: Mapping[str, Sequence[Sequence[object]]], after: str = "") -> bytes:
    """Return an .ods workbook of sheets given as rows; ``after`` stands behind the rows of each."""
    tables = "".join(
        f"<table:table table:name={quoteattr(name)}>"
        + "".join(
            f"<table:table-row>{''.join(map(ods_cell, row))}</table:table-row>" for row in rows
        )
        + f"{after}</table:table>"
        for name, rows in sheets.items()
    )
    names = " ".join(f'xmlns:{each}="{ODF}:{each}:1.0"' for each in ("office", "table", "text"))
    names += ' xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"'
    return zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
            "META-INF/manifest.xml": f'<manifest:manifest xmlns:manifest="{ODF}:manifest:1.0"/>',
            "content.xml": (
                f"<office:document-content {names}><office:body><office:spreadsheet>{tables}"
                "</office:spreadsheet></office:body></office:document-content>"
            ),
        }
    )


def record(kind: int, content: bytes) -> bytes:
    return struct.pack("<HH", kind, len(content)) + content


def xls(
    rows: Sequence[Sequence[object]],
    far: tuple[int, int] | None = None,
    merged: Sequence[tuple[int, int, int, int]] = (),
) -> bytes:
    """Return an .xls workbook (BIFF8 in an OLE2 container) with a sheet and one far cell.

    Bytes are the code of an error: one byte of a cell, two of a formula. A merged area is its first
    and last row and its first and last column.
    """
    cells = record(0x0203, struct.pack("<HHHd", *far, 0, 1.0)) if far else b""
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            if isinstance(value, str):
                text = struct.pack("<HB", len(value), 1) + value.encode("utf-16-le")
                cells += record(0x0204, struct.pack("<HHH", i, j, 0) + text)
            elif isinstance(value, bytes) and len(value) == 1:
                cells += record(0x0205, struct.pack("<HHHBB", i, j, 0, value[0], 1))
            elif isinstance(value, bytes):
                result = struct.pack("<BBBBBBH", 2, 0, value[0], 0, 0, 0, 0xFFFF)
                cells += record(
                    0x0006, struct.pack("<HHH", i, j, 0) + result + bytes(6) + struct.pack("<H", 0)
                )
            elif value is not None:
                cells += record(0x0203, struct.pack("<HHHd", i, j, 0, value))
    begin = struct.pack("<HHHHII", 0x0600, 0x0005, 0x0DBB, 1996, 0, 6)
    name = struct.pack("<BB", 5, 0) + b"Sheet"
    at = (
        len(record(0x0809, begin)) + len(record(0x0085, bytes(6) + name)) + len(record(0x000A, b""))
    )
    book = (
        record(0x0809, begin)
        + record(0x0085, struct.pack("<IH", at, 0) + name)
        + record(0x000A, b"")
    )
    sheet = record(0x0809, struct.pack("<HHHHII", 0x0600, 0x0010, 0x0DBB, 1996, 0, 6))
    width = max(map(len, rows))
    sheet += record(0x0200, struct.pack("<IIHHH", 0, len(rows), 0, width, 0)) + cells
    areas = b"".join(struct.pack("<HHHH", *area) for area in merged)
    sheet += record(0x00E5, struct.pack("<H", len(merged)) + areas) + record(0x000A, b"")
    return ole2("Workbook", book + sheet)


def ole2(name: str, stream: bytes) -> bytes:
    """Return an OLE2 container with one stream, filled up to the size of whole sectors."""
    free, end, table = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
    stream = stream.ljust(max(4096, -(-len(stream) // 512) * 512), b"\0")
    n_sectors = len(stream) // 512
    allocation = [table, end, *range(3, 2 + n_sectors), end]
    allocation += [free] * (128 - len(allocation))

    def entry(title: str, kind: int, child: int, start: int, size: int) -> bytes:
        raw = title.encode("utf-16-le")
        length = len(raw) + 2 if title else 0
        links = (
            struct.pack("<III", free, free, child)
            if kind != 5
            else struct.pack("<III", free, free, 1)
        )
        return (
            raw.ljust(64, b"\0")
            + struct.pack("<HBB", length, kind, 1)
            + links
            + bytes(36)
            + struct.pack("<IQ", start, size)
        )

    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    header += struct.pack(
        "<HHHHH6sIIIIIIIII", 0x3E, 3, 0xFFFE, 9, 6, bytes(6), 0, 1, 1, 0, 4096, end, 0, end, 0
    )
    header += struct.pack("<I", 0) + struct.pack("<I", free) * 108
    directory = (
        entry("Root Entry", 5, 1, end, 0) + entry(name, 2, free, 2, len(stream)) + bytes(128) * 2
    )
    return header + struct.pack("<128I", *allocation) + directory + stream
