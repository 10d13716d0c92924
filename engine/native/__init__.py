"""Native: T-SQL's functions, operators and conversions as DuckDB's SQL, where it means the same.

It decides the text of a form, and for which rows it does not hold: those are odd, and Python's form computes them. It
must not know queries, columns or names; a form has places for its operands.

A table of forms says for each function and kinds of arguments the SQL and what is odd. `forms` puts both forms
together; `query` asks for them (`query.native_calls`, `query.conversions`, `query.expressions`).

| module | forms of |
|---|---|
| `forms` | none: what a form is, and how it stands beside Python's |
| `arithmetic`, `decimals`, `numbers` | numbers |
| `number_texts` | numbers as text |
| `bits`, `binary`, `checksums` | bits, binary strings, GUIDs, CHECKSUM |
| `moments` | none: how a date is counted, rounded and stored |
| `dates`, `date_sums`, `date_conversions` | functions of dates, DATEADD, conversions between dates and from numbers |
| `date_texts`, `text_dates` | dates to text and from it |
| `offsets`, `offset_texts` | datetimeoffset |
| `texts`, `characters`, `names`, `formats` | text, single characters, names of things, FORMAT and STR |
| `json_values`, `json_texts`, `openjson` | JSON, the rows of OPENJSON |
| `variants` | sql_variant |
| `conversions` | conversions |
| `text_values` | conversions from text to anything but text |
| `checks` | ISNUMERIC, ISDATE |
| `no_values` | none: which texts are certainly no number, no date, no GUID |
"""
