"""XQuery: the expressions inside the xml methods, rewritten as XPath 3.1 and run by elementpath over our own trees.

- `programs` reads and runs a whole text;
- `reader` reads tokens; `expressions`, `paths` and `constructors` write XPath for them and check what SQL Server checks
  before it runs anything; `pieces` is what they know of each part;
- `functions` has the functions, `templates` what constructors make, `documents` trees and node references, `items` the
  results, `shortcuts` reads plain paths.

Nothing is imported here: programs without XML start without it. docs/xml-and-json.md says what is supported.
"""
