"""Encodings, delimiters, quotes and line ends."""

import codecs

from tests.datasets.messy.case import HEAD, KINDS, ROWS, Case, Loads, Refused, people, unchanged


def towns(words: str, delimiter: str = ",") -> str:
    return f"town{delimiter}x\n" + "".join(
        f"{word}{delimiter}{i}.5\n" for i, word in enumerate(words.split() * 4)
    )


def read_as(words: str, notes: str = "") -> Loads:
    found = words.split()
    cells = {(i, "town"): word for i, word in enumerate(found)} | {(1, "x"): 1.5}
    return Loads(
        (4 * len(found), 2), ("town", "x"), {"town": "nominal", "x": "numeric"}, cells, notes
    )


WESTERN = "Zürich Genève Köln Århus São"
POLISH = "Łódź Gdańsk Wrocław Kraków Poznań Żyrardów Częstochowa"
RUSSIAN = "Москва Киев Минск Казань Омск Тула"
GREEK = "Αθήνα Θεσσαλονίκη Πάτρα Ηράκλειο Λάρισα"
HEBREW = "תל-אביב ירושלים חיפה אשדוד"
ARABIC = "القاهرة الرياض بغداد دمشق"
JAPANESE = "東京 大阪 表示 ソウル 能登"
CHINESE = "北京 上海 广州 深圳 成都"
TRADITIONAL = "臺北 高雄 臺中 新竹 花蓮"
KOREAN = "서울 부산 대구 인천 광주"
TURKISH = "İstanbul Muğla Şırnak Iğdır Çanakkale"

QUOTED = 'name,x\n"Doe, ""J""",1.5\n"two\nlines",2.5\n"",3.5\n"plain",4.5\n'

CASES = (
    Case("a mark", towns(WESTERN).encode("utf-8-sig"), read_as(WESTERN)),
    Case("UTF-16", towns(GREEK).encode("utf-16"), read_as(GREEK)),
    Case(
        "UTF-16, big end first",
        codecs.BOM_UTF16_BE + towns(RUSSIAN).encode("utf-16-be"),
        read_as(RUSSIAN),
    ),
    Case("UTF-16 without a mark", towns(WESTERN).encode("utf-16-le"), read_as(WESTERN, "encoding")),
    Case(
        "UTF-16, big end first, without a mark",
        towns(WESTERN).encode("utf-16-be"),
        read_as(WESTERN, "encoding"),
    ),
    Case(
        "UTF-16 of a foreign script without a mark",
        towns(RUSSIAN).encode("utf-16-le"),
        read_as(RUSSIAN, "encoding"),
    ),
    Case(
        "UTF-16 with tabs, as a spreadsheet saves it",
        towns(WESTERN, "\t").encode("utf-16"),
        read_as(WESTERN),
    ),
    Case(
        "UTF-16 cut in two",
        towns(WESTERN).encode("utf-16")[:-1],
        Loads((20, 2), ("town", "x"), {}, {}, "bad_bytes"),
    ),
    Case("UTF-32", towns(WESTERN).encode("utf-32"), read_as(WESTERN)),
    Case(
        "Windows-1252",
        towns(WESTERN + " 5€ it’s").encode("cp1252"),
        read_as(WESTERN + " 5€ it’s", "encoding"),
    ),
    Case(
        "Latin-1 in the last row alone",
        people().encode() + "150,50,20,Ä\n".encode("latin-1"),
        Loads((13, 4), HEAD, {}, {(12, "group"): "Ä"}, "encoding"),
    ),
    Case(
        "Mac Roman, chosen",
        towns(WESTERN).encode("mac-roman"),
        read_as(WESTERN),
        options={"encoding": "mac-roman"},
    ),
    Case(
        "Windows-1250, chosen",
        towns(POLISH).encode("cp1250"),
        read_as(POLISH),
        options={"encoding": "cp1250"},
    ),
    Case(
        "Turkish, chosen",
        towns(TURKISH).encode("cp1254"),
        read_as(TURKISH),
        options={"encoding": "cp1254"},
    ),
    Case("Cyrillic, Windows", towns(RUSSIAN).encode("cp1251"), read_as(RUSSIAN, "encoding")),
    Case("Cyrillic, KOI8", towns(RUSSIAN).encode("koi8-r"), read_as(RUSSIAN, "encoding")),
    Case("Greek", towns(GREEK).encode("iso8859-7"), read_as(GREEK, "encoding")),
    Case("Hebrew", towns(HEBREW).encode("cp1255"), read_as(HEBREW, "encoding")),
    Case("Arabic", towns(ARABIC).encode("cp1256"), read_as(ARABIC, "encoding")),
    Case("Shift-JIS", towns(JAPANESE).encode("cp932"), read_as(JAPANESE, "encoding")),
    Case("EUC-JP", towns(JAPANESE).encode("euc-jp"), read_as(JAPANESE, "encoding")),
    Case("GB 18030", towns(CHINESE).encode("gb18030"), read_as(CHINESE, "encoding")),
    Case("Big5", towns(TRADITIONAL).encode("big5"), read_as(TRADITIONAL, "encoding")),
    Case("Korean", towns(KOREAN).encode("cp949"), read_as(KOREAN, "encoding")),
    Case(
        "UTF-8 with a broken letter",
        towns(WESTERN).encode() + b"Gen\xc3,7\n",
        Loads((21, 2), ("town", "x"), {}, {(0, "town"): "Zürich", (20, "x"): 7}, "bad_bytes"),
    ),
    Case(
        "UTF-8 cut inside of a letter",
        towns("Zürich Köln Århus").encode() + "Bülach,8\nÄ".encode()[:-1],
        Loads((14, 2), ("town", "x"), {}, {(12, "town"): "Bülach"}, "bad_bytes"),
    ),
    Case("NUL characters in cells", people().replace("A", "A\0").encode(), unchanged("bad_bytes")),
    Case("the end of an old file", people() + "\x1a", unchanged()),
    Case(
        "a control character in a cell",
        people().replace("A\n", "A\x07\n", 1),
        Loads((12, 4), HEAD, {"height": "numeric"}),
    ),
    Case(
        "UTF-8 declared as UTF-7",
        towns(WESTERN),
        Refused("encoding"),
        options={"encoding": "ascii"},
    ),
    Case("semicolons", people(";"), unchanged("delimiter")),
    Case("tabs", people("\t"), unchanged()),
    Case("tabs under their own name", people("\t"), unchanged(silent=True), name="data.tsv"),
    Case("vertical bars", people("|"), unchanged("delimiter")),
    Case(
        "vertical bars around",
        "".join(f"| {' | '.join(row)} |\n" for row in (HEAD, *ROWS)),
        unchanged("delimiter"),
    ),
    Case(
        "a Markdown table",
        "| "
        + " | ".join(HEAD)
        + " |\n|---|---|:-:|---|\n"
        + "".join(f"| {' | '.join(row)} |\n" for row in ROWS),
        unchanged("delimiter"),
    ),
    Case("commas and blanks", people(", "), unchanged()),
    Case("blanks and commas", people(" , "), unchanged()),
    Case(
        "columns in line",
        "".join("".join(cell.rjust(9) for cell in row) + "\n" for row in (HEAD, *ROWS)),
        unchanged("delimiter"),
    ),
    Case(
        "blanks around quoted blanks",
        'town x y\n"St. Gallen B" 1 2\n"Bern  Ost" 3 5\nChur 4 4\n',
        Loads(
            (3, 3),
            ("town", "x", "y"),
            {"y": "numeric"},
            {(0, "town"): "St. Gallen B", (1, "town"): "Bern  Ost"},
        ),
    ),
    Case(
        "blanks in a quoted cell of two lines",
        'town x y\n"St. Gallen\nB 2" 1 2\nBern 3 5\nChur 4 4\nGenf 5 7\n',
        Loads((4, 3), ("town", "x", "y"), {"y": "numeric"}, {(0, "town"): "St. Gallen\nB 2"}),
        options={"delimiter": " "},
    ),
    Case(
        "double colons in quotes",
        'town::x::y\n"St::Gallen"::1::2\nBern::3::5\nChur::4::4\n',
        Loads((3, 3), ("town", "x", "y"), {"y": "numeric"}, {(0, "town"): "St::Gallen"}),
    ),
    Case(
        "tabs and blanks",
        "a  b\tc\n1.5 2.5\t3.5\n4  5\t6\n7\t8 9\n10\t11\t13\n",
        Loads((4, 3), ("a", "b", "c"), {"a": "numeric"}, {(0, "b"): 2.5, (2, "c"): 9}, "delimiter"),
    ),
    Case(
        "tabs around blanks in cells",
        "town\tx\nSt. Gallen\t1\nBern Ost\t3\nChur\t4\n",
        Loads((3, 2), ("town", "x"), {"x": "numeric"}, {(0, "town"): "St. Gallen"}),
    ),
    Case(
        "a tab, then blanks in line",
        "a\tb   c\n1\t2   3\n4\t5   6\n7\t8   9\n",
        Loads(
            (3, 3), ("a", "b", "c"), {"b": "numeric", "c": "numeric"}, {(2, "c"): 9}, "delimiter"
        ),
    ),
    Case(
        "names of several words in columns in line",
        "name      age\nAnn        23\nBob Smith  45\nCy          7\n",
        Loads((3, 2), ("name", "age"), {"age": "numeric"}, {(1, "name"): "Bob Smith"}, "delimiter"),
    ),
    Case(
        "quoted names, then a blank",
        'town x\n"Bad Ems A" 12\n"Bad Ems B" 15\n"St. Moritz" 20\n"Aix les Bains" 7\n',
        Loads((4, 2), ("town", "x"), {"x": "numeric"}, {(2, "town"): "St. Moritz"}, "delimiter"),
    ),
    Case("tildes", people("~"), unchanged("delimiter")),
    Case("colons", people(":"), unchanged("delimiter")),
    Case("double colons", people("::"), unchanged("delimiter")),
    Case("double bars", people("||"), unchanged("delimiter")),
    Case("carets", people("^"), unchanged("delimiter")),
    Case("unit separators", people("\x1f"), Refused("binary")),
    Case("a line that names the separator", "sep=|\r\n" + people("|"), unchanged()),
    Case("a quoted line that names the separator", '"sep=;"\n' + people(";"), unchanged()),
    Case("a separator that is wrongly named", "sep=,\n" + people(";"), Loads((12, 1))),
    Case(
        "semicolons around decimal commas",
        people(";").replace(".", ","),
        unchanged("decimal_comma"),
    ),
    Case(
        "tabs around commas in cells",
        "note\tx\n" + "a, b, c\t1\n" * 3 + "d\t2\n",
        Loads((4, 2), ("note", "x"), {}, {(0, "note"): "a, b, c"}),
    ),
    Case(
        "commas with semicolons in cells",
        "note,x\n" + "a;b,1\nc;d,2\ne;f,4\n",
        Loads((3, 2), ("note", "x"), {}, {(0, "note"): "a;b"}),
    ),
    Case(
        "quotes at their fullest",
        QUOTED,
        Loads(
            (4, 2),
            ("name", "x"),
            {},
            {(0, "name"): 'Doe, "J"', (1, "name"): "two\nlines", (2, "name"): None},
        ),
    ),
    Case(
        "quotes around everything",
        "".join(",".join(f'"{cell}"' for cell in row) + "\n" for row in (HEAD, *ROWS)),
        unchanged(),
    ),
    Case(
        "quotes around whole lines",
        "".join(f'"{line}"\n' for line in people().splitlines()),
        unchanged(),
    ),
    Case(
        "single quotes",
        "name,x\n" + "".join(f"'Doe, J{i}',{i}.5\n" for i in range(8)),
        Loads((8, 2), ("name", "x"), {}, {(3, "name"): "Doe, J3", (3, "x"): 3.5}),
    ),
    Case(
        "apostrophes that quote nothing",
        "name,x\nO'Neill,1.5\nD'Arcy,2.5\n'tis,4.5\n",
        Loads((3, 2), ("name", "x"), {}, {(2, "name"): "'tis", (2, "x"): 4.5}),
    ),
    Case(
        "typographic quotes",
        "name,x\n“Ann”,1.5\n“Bob”,2.5\n„Cid“,4.5\n",
        Loads((3, 2), ("name", "x"), {}, {(0, "x"): 1.5}),
    ),
    Case(
        "backslashes before quotes",
        'name,x\n"a \\"b\\" c",1.5\n"d",2.5\n"e, \\"f\\"",3.5\n',
        Loads((3, 2), ("name", "x"), {}, {(0, "name"): 'a "b" c', (2, "x"): 3.5}),
    ),
    Case(
        "inches",
        'tube,x\n5" pipe,1.5\n3/4" pipe,2.5\n12",4.5\n',
        Loads((3, 2), ("tube", "x"), {}, {(0, "tube"): '5" pipe', (2, "tube"): '12"'}),
    ),
    Case("a quote that is never closed", people().replace("C\n", '"C\n', 1), Refused("bad_quotes")),
    Case("text behind a closing quote", 'a,b\n"x"y,1\nz,2\nw,3\n', Refused("bad_quotes", "line 1")),
    Case(
        "blanks before quotes",
        'name,x\n "Doe, J",1\n "Roe, K",2\n "Poe, E",4\n',
        Loads((3, 2), ("name", "x"), {}, {(0, "name"): "Doe, J"}),
    ),
    Case("Windows line ends", people(end="\r\n"), unchanged(silent=True)),
    Case("old Macintosh line ends", people(end="\r"), unchanged()),
    Case("doubled line ends", people(end="\r\r\n"), unchanged()),
    Case(
        "mixed line ends",
        people(end="\r\n").replace("\r\n", "\n", 4).replace("\r\n", "\r", 3),
        unchanged(),
    ),
    Case("no line end at the end", people().rstrip(), unchanged(silent=True)),
    Case(
        "line separators of Unicode in cells",
        "k,x\na\u2028b,1\nc\u0085d,2\ne\x0bf\x0cg,4\n",
        Loads((3, 2), ("k", "x"), {}, {(0, "k"): "a\u2028b", (2, "x"): 4}),
    ),
    Case(
        "blanks around all cells",
        "".join(" , ".join(f"  {cell} " for cell in row) + "\n" for row in (HEAD, *ROWS)),
        unchanged(),
    ),
    Case(
        "no-break blanks around cells", people().replace(",", "\xa0,"), Loads((12, 4), HEAD, KINDS)
    ),
)
