"""How long documents of many rows take to make and to shred: `python tests/bench/bench_xml_json.py [rows]`.

Each figure is the best of three runs of one statement in memory, in seconds of processor time; the rows have an int, a
name, a decimal and a datetime2.
"""

from __future__ import annotations

import argparse
import time

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome

SETUP = """
CREATE TABLE src (id int, name nvarchar(50), price decimal(10, 2), d datetime2);
INSERT INTO src SELECT value, CONCAT('name ', value), value * 1.5, '2024-01-01T10:00:00' FROM GENERATE_SERIES(1, {rows});
CREATE TABLE doc (x xml, j nvarchar(max));
INSERT INTO doc (x) SELECT (SELECT id AS '@id', name, price, d FROM src FOR XML PATH ('row'), ROOT ('rows'), TYPE);
UPDATE doc SET j = (SELECT id, name, price, d FROM src FOR JSON PATH);
"""
XML = "DECLARE @x xml = (SELECT x FROM doc); "
JSON = "DECLARE @j nvarchar(max) = (SELECT j FROM doc); "
HANDLE = XML + "DECLARE @h int; EXEC sp_xml_preparedocument @h OUTPUT, @x; "
WORK = {
    "FOR XML PATH": "SELECT LEN((SELECT id AS '@id', name, price, d FROM src FOR XML PATH ('row'), ROOT ('rows')))",
    "FOR XML AUTO, TYPE": "SELECT DATALENGTH((SELECT id, name, price, d FROM src FOR XML AUTO, ELEMENTS, TYPE))",
    "FOR JSON PATH": "SELECT LEN((SELECT id, name, price, d FROM src FOR JSON PATH))",
    "nodes() and four value()": XML
    + "SELECT MAX(t.c.value('@id', 'int')), MAX(t.c.value('(name)[1]', 'nvarchar(50)')), MAX(t.c.value('(price/text())[1]', "
    "'decimal(10, 2)')), MAX(t.c.value('(d)[1]', 'datetime2')) FROM @x.nodes('/rows/row') AS t(c)",
    "nodes() with a predicate, exist()": XML
    + "SELECT COUNT(*) FROM @x.nodes('/rows/row[@id > 5000]') AS t(c) WHERE t.c.exist('.[price > 7500]') = 1",
    "OPENXML WITH three columns": HANDLE
    + "SELECT COUNT(*), SUM(id), MAX(name), MAX(price) FROM OPENXML(@h, '/rows/row', 3) WITH (id int, name nvarchar(50), price decimal(10, 2)); "
    "EXEC sp_xml_removedocument @h",
    "OPENXML, the edge table": HANDLE + "SELECT COUNT(*) FROM OPENXML(@h, '/rows/row'); EXEC sp_xml_removedocument @h",
    "OPENJSON WITH four columns": JSON
    + "SELECT COUNT(*), SUM(id), MAX(name), MAX(price) FROM OPENJSON(@j) WITH (id int, name nvarchar(50), price decimal(10, 2), d datetime2)",
    "OPENJSON and JSON_VALUE of each row": JSON + "SELECT MAX(JSON_VALUE(value, '$.name')) FROM OPENJSON(@j)",
    "modify() that deletes half of the rows": XML + "SET @x.modify('delete /rows/row[@id > 5000]')",
}


def main(rows: int) -> None:
    instance = Instance.open()
    try:
        session = instance.connect()
        ready = list(session.run(SETUP.format(rows=rows)))
        assert not any(isinstance(outcome, ErrorOutcome) for outcome in ready), ready
        for what, text in WORK.items():
            times = []
            for number in range(3):
                start = time.process_time()
                outcomes = list(session.run(f"{text} -- {number}"))
                times.append(time.process_time() - start)
                failed = [outcome for outcome in outcomes if isinstance(outcome, ErrorOutcome)]
                assert not failed, failed
            print(f"| {what} | {min(times):.3f} |")
    finally:
        instance.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rows", type=int, nargs="?", default=10_000, help="rows of a document (%(default)s)")
    main(parser.parse_args().rows)
