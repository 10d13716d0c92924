"""Documents: XML, XQuery, XML schemas and JSON as values, and rows written as either.

It decides what the xml methods, OPENXML, OPENJSON, FOR XML and FOR JSON give, which paths and XQuery texts are right,
and what a schema collection accepts. Everything is text, trees or rows of Python values. It must not know tables,
queries or DuckDB; where expressions are needed (`sql:variable`, arguments) it asks `scalars`.

Data flows in as text or rows and out as text, values or rows. All of it is loaded when a document is first met.
"""
