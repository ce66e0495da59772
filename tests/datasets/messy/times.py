"""Elapsed times, times of the day, months, quarters, weeks, and stamps of forms."""

from tests.datasets.messy.case import Case, Loads, column, values
from tests.datasets.messy.office import xlsx

TIMES = (
    Case(
        "elapsed times",
        column(["01:34:56", "26:10:00", "00:00:07"]),
        values(5696, 94200, 7, notes="units"),
    ),
    Case(
        "race times",
        column(["1:05.3", "58.2", "2:00.05"]),
        values(65.3, 58.2, 120.05, notes="units"),
    ),
    Case(
        "race times with decimal commas",
        column(["1:05,3", "58,2", "2:00,05"]),
        values(65.3, 58.2, 120.05),
    ),
    Case(
        "race times, nearly all below a minute",
        column(["1:05.3", *["58.2", "57.9", "55.5"] * 6]),
        Loads((19, 2), None, {"x": "numeric"}, {(0, "x"): 65.3, (1, "x"): 58.2}, "units"),
    ),
    Case(
        "minutes beside hours",
        column(["45:12", "1:02:03", "59:59"]),
        values(2712, 3723, 3599, notes="units"),
    ),
    Case(
        "minutes and seconds by their name",
        column(["45:12", "28:31", "32:59"], "Laufzeit"),
        Loads((3, 2), None, {"Laufzeit": "numeric"}, {(0, "Laufzeit"): 2712}, "units"),
    ),
    Case(
        "periods of ISO",
        column(["PT1H5M", "PT45M", "P1DT2H", "PT1.5S"]),
        values(3900, 2700, 93600, 1.5),
    ),
    Case(
        "times in words",
        column(["1 h 5 min", "45 min", "2h 30min 5s"]),
        values(3900, 2700, 9005, notes="units"),
    ),
    Case(
        "French times", column(["1h30", "0h45", "12h05"]), values(5400, 2700, 43500, notes="units")
    ),
    Case(
        "times of pandas",
        column(["1 days 02:10:00", "0 days 10:00:00.500000", "0 days 00:00:01"]),
        values(94200, 36000.5, 1, notes="units"),
    ),
    Case(
        "times of Python",
        column(["1 day, 2:10:00", "10:00:00", "-1 day, 23:00:00"]),
        values(94200, 36000, -3600),
    ),
    Case("negative times", column(["-0:05:00", "0:10:00", "-1:00:30"]), values(-300, 600, -3630)),
    Case(
        "times of the day with halves",
        column(["10:30 AM", "1:45 PM", "12:05 am"]),
        values(37800, 49500, 300),
    ),
    Case(
        "times of the day with seconds",
        column(["10:30:15", "23:59:59", ""]),
        values(37815, 86399, None),
    ),
    Case(
        "times of a workbook",
        lambda: xlsx(
            {"S": [["k", "x"], *(["a", text] for text in ("26:10:00", "1:00:00", "0:30:00"))]}
        ),
        values(94200, 3600, 1800),
        name="data.xlsx",
    ),
    Case(
        "scores of football",
        column(["2:1", "0:3", "10:0"]),
        values("2:1", "0:3", "10:0", kind="nominal"),
    ),
    Case(
        "scores of handball",
        column(["28:25", "31:30", "19:22"]),
        Loads((3, 2), None, {"x": "nominal"}),
    ),
    Case(
        "scores of volleyball",
        column(["21:19", "18:21", "22:20"]),
        Loads((3, 2), None, {"x": "nominal"}),
    ),
    Case("ratios", column(["1:10", "1:40", "1:20"]), Loads((3, 2), None, {"x": "nominal"})),
    Case(
        "addresses of cards",
        column(["00:1A:2B", "01:22:33", "AA:00:11"]),
        Loads((3, 2), None, {"x": "nominal"}),
    ),
    Case(
        "times of two units",
        column(["90 min", "2 h", "1.5 h"]),
        values(5400, 7200, 5400, notes="units"),
    ),
    Case(
        "minutes of a kilometre",
        column(["4:35", "5:10", "4:59"], "Pace (min/km)"),
        Loads((3, 2), None, {}, {(0, "Pace (min/km)"): 275}, "units"),
    ),
    Case("metres", column(["5 m", "7 m", "8.5 m"]), values(5, 7, 8.5, notes="units")),
    Case(
        "times that are kept as words",
        column(["01:34:56", "26:10:00"]),
        Loads((2, 2), None, {}, {(0, "x"): "01:34:56"}),
        options={"kinds": {"x": "nominal"}},
    ),
)


def dated(name: str, texts: list[str], *days: str | None) -> Case:
    return Case(name, column(texts), values(*days, kind="date", notes="dates"))


PERIODS = (
    dated(
        "months with strokes",
        ["2024/01", "2024/12", "2023/06"],
        "2024-01-01",
        "2024-12-01",
        "2023-06-01",
    ),
    dated(
        "months, the year last",
        ["01/2024", "12/2024", "6/2023"],
        "2024-01-01",
        "2024-12-01",
        "2023-06-01",
    ),
    dated(
        "months with points",
        ["01.2024", "12.2024", "06.2023"],
        "2024-01-01",
        "2024-12-01",
        "2023-06-01",
    ),
    dated(
        "named months",
        ["Jan 2024", "Dec 2024", "June 2023"],
        "2024-01-01",
        "2024-12-01",
        "2023-06-01",
    ),
    dated(
        "German named months",
        ["Januar 2024", "Dez. 2024", "März 2023"],
        "2024-01-01",
        "2024-12-01",
        "2023-03-01",
    ),
    dated(
        "French named months",
        ["janvier 2024", "févr. 2024", "août 2023"],
        "2024-01-01",
        "2024-02-01",
        "2023-08-01",
    ),
    dated("Spanish named months", ["enero de 2024", "dic 2023"], "2024-01-01", "2023-12-01"),
    dated(
        "Spanish days", ["1 de enero de 2024", "15 de marzo de 2023"], "2024-01-01", "2023-03-15"
    ),
    dated(
        "stamps of mails",
        ["Fri, 01 Mar 2024 10:10:00 +0100", "Sat, 02 Mar 2024 11:10:00 +0100"],
        "2024-03-01T10:10",
        "2024-03-02T11:10",
    ),
    dated(
        "stamps of browsers",
        ["Fri Mar 01 2024 10:10:00 GMT+0100 (CET)", "Sat Mar 02 2024 10:10:00 GMT+0100 (CET)"],
        "2024-03-01T10:10",
        "2024-03-02T10:10",
    ),
    dated(
        "months of a spreadsheet",
        ["Jan-24", "Dec-24", "Jun-99"],
        "2024-01-01",
        "2024-12-01",
        "1999-06-01",
    ),
    dated(
        "months of Eurostat",
        ["2024M01", "2024M12", "2023M06"],
        "2024-01-01",
        "2024-12-01",
        "2023-06-01",
    ),
    dated(
        "months among days",
        ["2024-01", "2024-02-15", "2024-03"],
        "2024-01-01",
        "2024-02-15",
        "2024-03-01",
    ),
    dated(
        "quarters, the year last",
        ["Q1 2024", "Q4 2023", "Q2/2024"],
        "2024-01-01",
        "2023-10-01",
        "2024-04-01",
    ),
    dated("weeks", ["2024W05", "2024-W52", "2020-W53"], "2024-01-29", "2024-12-23", "2020-12-28"),
    dated(
        "stamps of a form",
        [
            "2024/03/01 10:10:00 AM GMT+1",
            "2024/03/02 1:11:00 PM GMT+1",
            "2024/07/02 12:00:00 AM GMT+2",
        ],
        "2024-03-01T10:10:00",
        "2024-03-02T13:11:00",
        "2024-07-02T00:00:00",
    ),
    dated(
        "stamps of a German form",
        ["2024/03/01 10:10:00 vorm. MEZ", "2024/07/02 1:11:00 nachm. MESZ"],
        "2024-03-01T10:10:00",
        "2024-07-02T13:11:00",
    ),
    dated(
        "stamps of far zones",
        ["2024/03/01 10:10:00 AM GMT+5:30", "2024/03/01 12:10:00 AM GMT-3"],
        "2024-03-01T04:40:00",
        "2024-03-01T03:10:00",
    ),
    dated(
        "stamps with zones",
        ["3/1/2024 22:10 UTC", "3/13/2024 22:10 UTC"],
        "2024-03-01T22:10",
        "2024-03-13T22:10",
    ),
    dated(
        "stamps with narrow blanks",
        ["3/13/2024 10:10\u202fPM", "3/1/2024 9:05\u202fAM"],
        "2024-03-13T22:10",
        "2024-03-01T09:05",
    ),
    Case(
        "seasons", column(["2009-10", "2010-11", "2011-12"]), Loads((3, 2), None, {"x": "nominal"})
    ),
    Case(
        "months of none",
        column(["2024-13", "2024-00", "2024-20"]),
        Loads((3, 2), None, {"x": "nominal"}),
    ),
    Case(
        "two decimals and more",
        column(["01.2024", "13.2024", "55.1"]),
        Loads((3, 2), None, {"x": "numeric"}),
    ),
    Case(
        "months that are kept as words",
        column(["2024-01", "2024-02"]),
        Loads((2, 2), None, {}, {(0, "x"): "2024-01"}),
        options={"kinds": {"x": "nominal"}},
    ),
)

CASES = (*TIMES, *PERIODS)
