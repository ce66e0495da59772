"""Cells: numbers with marks, units and currencies, dates, truth values, and missing values."""

from tests.datasets.messy.case import Case, Loads, column, values

CASES = (
    Case(
        "decimal commas",
        column(["1,5", "-2,25", "300"]),
        values(1.5, -2.25, 300, notes="decimal_comma"),
    ),
    Case(
        "decimal commas in quotes",
        column(["1,5", "-2,25", "30,75"], delimiter=","),
        values(1.5, -2.25, 30.75, notes="decimal_comma"),
    ),
    Case(
        "three digits after a comma",
        column(["1,234", "2,500", "12,750"], delimiter=","),
        values(1234, 2500, 12750, notes="thousands"),
    ),
    Case(
        "points for thousands, commas for decimals",
        column(["1.234,50", "12,5", "1.000.000,25"]),
        values(1234.5, 12.5, 1000000.25, notes="thousands decimal_comma"),
    ),
    Case(
        "commas for thousands, points for decimals",
        column(["1,234.50", "12.5", "1,000,000.25"]),
        values(1234.5, 12.5, 1000000.25, notes="thousands"),
    ),
    Case(
        "blanks for thousands",
        column(["1 234,5", "12,5", "1 000 000"]),
        values(1234.5, 12.5, 1e6, notes="thousands decimal_comma"),
    ),
    Case(
        "thin blanks for thousands",
        column(["1\u202f234.5", "12.5", "1\u202f000\u202f000"]),
        values(1234.5, 12.5, 1e6, notes="thousands"),
    ),
    Case(
        "no-break blanks for thousands",
        column(["1\xa0234,5", "12,5", "1\xa0000\xa0000"]),
        values(1234.5, 12.5, 1e6, notes="thousands"),
    ),
    Case(
        "apostrophes for thousands",
        column(["1'234.50", "12.5", "1'000'000"]),
        values(1234.5, 12.5, 1e6, notes="thousands"),
    ),
    Case(
        "typographic apostrophes for thousands",
        column(["1’234.50", "12.5", "1’000’000"]),
        values(1234.5, 12.5, 1e6, notes="thousands"),
    ),
    Case(
        "Indian groups",
        column(["12,34,567", "1,00,000", "999"]),
        values(1234567, 100000, 999, notes="thousands"),
    ),
    Case(
        "underscores for thousands",
        column(["1_000", "2_500", "12_000"]),
        values("1_000", "2_500", "12_000", kind="nominal"),
    ),
    Case("percent", column(["12%", "7.5 %", "-3%"]), values(12, 7.5, -3, notes="percent")),
    Case(
        "percent with decimal commas",
        column(["12,5%", "7,5 %", "-3%"]),
        values(12.5, 7.5, -3, notes="percent"),
    ),
    Case("per mille", column(["12‰", "7‰", "3.5‰"]), values(12, 7, 3.5, notes="units")),
    Case(
        "dollars",
        column(["$5", "$1,234.50", "-$3", "($15.25)"]),
        values(5, 1234.5, -3, -15.25, notes="currency"),
    ),
    Case(
        "euros behind",
        column(["5 €", "1.234,50 €", "-3,00 €"]),
        values(5, 1234.5, -3, notes="currency"),
    ),
    Case("pounds", column(["£5", "£1,234.50", "£3"]), values(5, 1234.5, 3, notes="currency")),
    Case(
        "francs",
        column(["CHF 5.50", "CHF 1'234.50", "CHF 3"]),
        values(5.5, 1234.5, 3, notes="currency"),
    ),
    Case("yen", column(["¥500", "¥1,200", "¥3"]), values(500, 1200, 3, notes="currency")),
    Case("rupees", column(["₹500", "₹1,200", "₹3"]), values(500, 1200, 3, notes="currency")),
    Case(
        "reais",
        column(["R$ 500,50", "R$ 1.200,75", "R$ 3,00"]),
        values(500.5, 1200.75, 3, notes="currency"),
    ),
    Case(
        "amounts behind their codes",
        column(["5.50 USD", "1,234.50 USD", "3 USD"]),
        values(5.5, 1234.5, 3, notes="currency"),
    ),
    Case(
        "crowns",
        column(["5,50 kr", "1 234,50 kr", "3 kr"]),
        values(5.5, 1234.5, 3, notes="currency"),
    ),
    Case(
        "zlotys",
        column(["5,50 zł", "1 234,50 zł", "3,00 zł"]),
        values(5.5, 1234.5, 3, notes="currency"),
    ),
    Case(
        "two currencies",
        column(["$5", "€7", "$9", "€3"]),
        values("$5", "€7", "$9", "€3", kind="nominal", notes="looks_numeric"),
    ),
    Case(
        "accounting",
        column(["(5)", "7", "(1,250)", "12"], delimiter="\t"),
        values(-5, 7, -1250, 12, notes="thousands"),
    ),
    Case("a minus behind", column(["5-", "7", "12.5-"]), values(-5, 7, -12.5)),
    Case("typographic minus", column(["−5", "7", "−12.5"]), values(-5, 7, -12.5)),
    Case("a plus in front", column(["+5", "-7", "+12.5"]), values(5, -7, 12.5)),
    Case("kilograms", column(["13.5 kg", "7 kg", "80kg"]), values(13.5, 7, 80, notes="units")),
    Case("degrees", column(["13.5 °C", "-7 °C", "8 °C"]), values(13.5, -7, 8, notes="units")),
    Case("square metres", column(["13.5 m²", "70 m²", "8 m²"]), values(13.5, 70, 8, notes="units")),
    Case(
        "units of two words",
        column(["13 sq ft", "70 sq ft", "8 sq ft"]),
        values(13, 70, 8, notes="units"),
    ),
    Case("speeds", column(["13.5 km/h", "70 km/h", "8 km/h"]), values(13.5, 70, 8, notes="units")),
    Case(
        "two units",
        column(["13.5 kg", "7 lb", "8 kg", "9 lb"]),
        Loads((4, 2), ("k", "x"), {"x": "nominal"}, {(0, "x"): "13.5 kg"}, "looks_numeric"),
    ),
    Case(
        "units that sometimes lack",
        column(["13.5 kg", "7 kg", "8", "9 kg"]),
        Loads((4, 2), ("k", "x"), {"x": "nominal"}, {}, "looks_numeric"),
    ),
    Case("powers of ten", column(["1e5", "6.02E23", "-1.5e-7"]), values(1e5, 6.02e23, -1.5e-7)),
    Case(
        "powers of ten with decimal commas",
        column(["1,5e5", "6,02E23", "-1,5e-7"]),
        values(1.5e5, 6.02e23, -1.5e-7, notes="decimal_comma"),
    ),
    Case("bare points", column([".5", "5.", "-.25"]), values(0.5, 5, -0.25)),
    Case(
        "infinities",
        column(["1", "inf", "-Infinity", "2"]),
        values(1, float("inf"), float("-inf"), 2, notes="non_finite"),
    ),
    Case(
        "infinity as a letter",
        column(["1", "∞", "-∞", "2"] + ["3"] * 16),
        Loads((20, 2), ("k", "x"), {"x": "numeric"}, {(0, "x"): 1, (4, "x"): 3}),
    ),
    Case(
        "beyond the largest number",
        column(["1e400", "2", "-1e400"]),
        values(float("inf"), 2, float("-inf"), notes="non_finite"),
    ),
    Case("fractions", column(["1/2", "3/4", "2/3"]), values("1/2", "3/4", "2/3", kind="nominal")),
    Case(
        "ranges",
        column(["10-20", "20-30", "30-40"]),
        values("10-20", "20-30", "30-40", kind="nominal"),
    ),
    Case("bounds", column(["<5", ">10", "7", "8"]), Loads((4, 2), ("k", "x"), {"x": "nominal"})),
    Case(
        "numbers of a hundred digits",
        column(["1" * 100, "2" * 100, "3"]),
        Loads((3, 2), ("k", "x"), {}, {}, "precision"),
    ),
    Case(
        "numbers of a thousand digits",
        column(["1" * 1000, "2" * 1000, "3"]),
        Loads((3, 2), ("k", "x"), {}, {}, "non_finite"),
    ),
    Case(
        "numbers of ten thousand digits",
        column(["1" * 10_000, "2" * 10_000, "3"]),
        Loads((3, 2), ("k", "x"), {}, {}, "non_finite"),
    ),
    Case(
        "numbers near 2^63",
        column([str(2**63 - 1), str(-(2**63)), "3"]),
        Loads((3, 2), ("k", "x"), {"x": "numeric"}, {(0, "x"): 2**63 - 1, (2, "x"): 3}),
    ),
    Case(
        "long card numbers",
        column([f"{4000_0000_0000_0000 + 7919 * i}" for i in range(60)]),
        Loads((60, 2), ("k", "x"), {}, {(1, "x"): 4000_0000_0000_7919}),
    ),
    Case(
        "zeros in front",
        column(["00501", "90210", "01234"]),
        values("00501", "90210", "01234", kind="nominal", notes="looks_numeric"),
    ),
    Case(
        "telephone numbers",
        column(["+41 31 555 01 01", "+41 44 555 02 02", "+1 202 555 0143"]),
        Loads((3, 2), ("k", "x"), {"x": "nominal"}),
    ),
    Case(
        "versions",
        column(["1.0.3", "1.0.10", "2.1.0"]),
        Loads((3, 2), ("k", "x"), {"x": "nominal"}),
    ),
    Case(
        "addresses of machines",
        column(["10.0.0.1", "10.0.0.2", "192.168.1.1"]),
        Loads((3, 2), ("k", "x"), {"x": "nominal"}),
    ),
    Case(
        "clock times",
        column(["10:30", "11:45", "23:59"]),
        values(37800, 42300, 86340, notes="units"),
    ),
    Case(
        "places on a map",
        column(["47.37,8.54", "46.95,7.45", "46.2,6.14"]),
        Loads((3, 2), ("k", "x"), {"x": "nominal"}),
    ),
    Case(
        "hexadecimal",
        column(["0x1A", "0xFF", "0x03"]),
        values("0x1A", "0xFF", "0x03", kind="nominal"),
    ),
    Case(
        "digits of another script",
        column(["٣", "٤٥", "١٢"]),
        values("٣", "٤٥", "١٢", kind="nominal"),
    ),
    Case(
        "digits of full width",
        column(["１２", "３４", "５６"]),
        Loads((3, 2), ("k", "x"), {"x": "nominal"}),
    ),
    Case("Roman numerals", column(["I", "IV", "IX"]), values("I", "IV", "IX", kind="nominal")),
    # --- missing values
)
