"""Small files in all formats, made by hand, and what is asked of them."""

import io
import zipfile

import pytest

from dmlib.datasets import TableError, read_table

PEOPLE = "name,height,group\nAnn,1.62,A\nBob,1.80,B\nCid,,A\n"


XML = "http://schemas.openxmlformats.org"


def read(text, name="data.csv", **options):
    return read_table(text if isinstance(text, bytes) else text.encode(), name, options=options)


def kinds_of_notes(table):
    return [note.kind for note in table.notes]


def refused(data, name="data.csv", **options):
    with pytest.raises(TableError) as caught:
        read(data, name, **options)
    assert str(caught.value).endswith(".")
    return caught.value.reason


def workbook(*sheets):
    """Return an .xlsx whose sheets are given as dicts from a reference to a number or text."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        numbers = range(1, len(sheets) + 1)
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{XML}/package/2006/content-types"><Default Extension="xml"'
            ' ContentType="application/xml"/><Default Extension="rels"'
            ' ContentType="application/vnd.openxmlformats-package.relationships+xml"/></Types>',
        )
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{XML}/package/2006/relationships"><Relationship Id="r1"'
            f' Type="{XML}/officeDocument/2006/relationships/officeDocument"'
            ' Target="xl/workbook.xml"/></Relationships>',
        )
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{XML}/spreadsheetml/2006/main"'
            f' xmlns:r="{XML}/officeDocument/2006/relationships"><sheets>'
            + "".join(f'<sheet name="S{n}" sheetId="{n}" r:id="r{n}"/>' for n in numbers)
            + "</sheets></workbook>",
        )
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships xmlns="{XML}/package/2006/relationships">'
            + "".join(
                f'<Relationship Id="r{n}" Type="{XML}/officeDocument/2006/relationships/worksheet" '
                f'Target="worksheets/sheet{n}.xml"/>'
                for n in numbers
            )
            + "</Relationships>",
        )
        for n, sheet in zip(numbers, sheets, strict=True):
            rows = "".join(
                (
                    f'<row><c r="{place}"><v>{value}</v></c></row>'
                    if not isinstance(value, str)
                    else f'<row><c r="{place}" t="inlineStr"><is><t>{value}</t></is></c></row>'
                )
                for place, value in sheet.items()
            )
            archive.writestr(
                f"xl/worksheets/sheet{n}.xml",
                "<worksheet"
                f' xmlns="{XML}/spreadsheetml/2006/main"><sheetData>{rows}</sheetData></worksheet>',
            )
    return out.getvalue()


def opendocument(rows):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", '<manifest:manifest xmlns:manifest="m"/>')
        names = "urn:oasis:names:tc:opendocument:xmlns"
        archive.writestr(
            "content.xml",
            f'<office:document-content xmlns:office="{names}:office:1.0"'
            f' xmlns:table="{names}:table:1.0" '
            f'xmlns:text="{names}:text:1.0"><office:body><office:spreadsheet><table:table'
            f' table:name="S">{rows}'
            "</table:table></office:spreadsheet></office:body></office:document-content>",
        )
    return out.getvalue()


def cell(text, attributes=""):
    return (
        "<table:table-cell"
        f' office:value-type="string"{attributes}><text:p>{text}</text:p></table:table-cell>'
    )


def zipped(**members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(f"{name}.csv", data)
    return out.getvalue()


RECORDS = [{"x": 1.5, "g": "a"}, {"x": None, "g": "b"}, {"g": "c", "h": True}]
