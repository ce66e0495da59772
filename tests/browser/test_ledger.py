"""The ledger writes only what has changed, and says the same as one that is written anew."""

import itertools

import pytest

from tests.browser.modules import call

pytestmark = pytest.mark.browser


def table(rows, title="", head=("a", "b"), **fields):
    return {
        "title": title,
        "head": head,
        "rows": rows,
        "emphasis": [],
        "classes": None,
        "of": None,
    } | fields


LEDGERS = [
    [],
    [{"text": "1 + 1 = 2"}],
    [{"text": "1 + 1 = 3"}, table([[1, "x"], [None, 0.5]], "Numbers")],
    [table([[1, "x"], [2, "y"], [3, "z"]], "Rows", of="row", numbers=[7, 8, 9], emphasis=[1])],
    [table([["one", 2.0]], of="row", numbers=[8], emphasis=[0])],
    [table([[1, 2], [3, 4]], "Rows", of="row", numbers=[None, 8])],
    [table([[5, 0.25, "c"]], "By class", ("rows", "share", "name"), classes=True)],
    [table([[5, 0.25], [6, 0.75], [0, 0.0]], "By class", classes=True, emphasis=[2])],
    [table([[1], [2]], "Few", ("a",)), {"text": "and"}, table([], "None")],
]
DESCRIBE = """
  const theme = { background: '#fff', colorOf: (i) => `rgb(${i}, 0, 0)` };
  // Which row of a table is the stop of the Tab key is the reader's choice, and stays.
  const attribute = ({ name, value }) => {
    if (name === 'tabindex') return name;
    return name === 'class' && !value ? '' : `${name}=${value}`;
  };
  const describe = (node) => (node.nodeType === 3 ? node.data : [
    node.tagName,
    [...node.attributes].map(attribute).filter(Boolean).sort().join(' '),
    [...node.childNodes].map(describe).filter((text) => text !== ''),
  ]);
"""


def test_what_is_written_over_another_ledger_is_what_is_written_anew(modules):
    pairs = [list(pair) for pair in itertools.permutations(LEDGERS, 2)]
    body = """
      return argument.map((ledgers) => {
        const [over, anew] = [document.createElement('div'), document.createElement('div')];
        ledgers.forEach((ledger) => m.renderLedger(over, ledger, theme));
        m.renderLedger(anew, ledgers.at(-1), theme);
        return [describe(over)[2], describe(anew)[2]];
      });
    """
    results = call(modules, "stage/ledger.js", DESCRIBE + body, pairs)
    assert len(results) == len(pairs)
    for pair, (over, anew) in zip(pairs, results, strict=True):
        assert over == anew, pair
    assert len({str(anew) for _, anew in results}) == len(LEDGERS)


def test_what_stays_is_not_touched_and_keeps_the_focus(modules):
    before = [table([[1, "x"], [2, "y"], [3, "z"]], "First", of="row", numbers=[7, 8, 9])]
    after = [table([[1, "x"], [5, "y"]], "Second", of="row", numbers=[7, 4])]
    body = """
      const element = document.body.appendChild(document.createElement('div'));
      m.renderLedger(element, argument.before, theme);
      const line = element.querySelectorAll('tbody tr')[1];
      line.focus();
      await new Promise((resolve) => setTimeout(resolve));
      const observer = new MutationObserver(() => {});
      observer.observe(element, { subtree: true, childList: true, characterData: true });
      m.renderLedger(element, argument.after, theme);
      const texts = ({ addedNodes }) => [...addedNodes].map(({ data }) => data);
      const added = observer.takeRecords().flatMap(texts);
      const same = document.activeElement === line
        && element.querySelectorAll('tbody tr')[1] === line;
      element.remove();
      return { added, same };
    """
    result = call(modules, "stage/ledger.js", DESCRIBE + body, {"before": before, "after": after})
    assert result == {"added": ["Second", "5"], "same": True}


def test_a_table_is_one_stop_of_the_tab_key_however_its_rows_change(modules):
    body = """
      const element = document.createElement('div');
      return argument.map((ledger) => {
        m.renderLedger(element, ledger, theme);
        const tables = [...element.querySelectorAll('.dm-table')];
        const isStop = ({ tabIndex }) => tabIndex === 0;
        const stops = (table) => [table, ...table.querySelectorAll('tr')].filter(isStop);
        return tables.map((table) => stops(table).length);
      });
    """
    for order in itertools.permutations([ledger for ledger in LEDGERS if ledger], 3):
        for stops in call(modules, "stage/ledger.js", DESCRIBE + body, list(order)):
            assert set(stops) <= {1}, order
