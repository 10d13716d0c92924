"""The syntax tree: frozen nodes with a source span and no behaviour.

One file per part of the grammar; node names are the vendor's own (ScriptDOM) where it has one. Two trees are
equal when they mean the same text up to blanks, comments and letter case of keywords: spans do not count.
"""

from sbql.grammar.ast.administration import *
from sbql.grammar.ast.backup import *
from sbql.grammar.ast.base import *
from sbql.grammar.ast.broker import *
from sbql.grammar.ast.bulk import *
from sbql.grammar.ast.ddl import *
from sbql.grammar.ast.expressions import *
from sbql.grammar.ast.modification import *
from sbql.grammar.ast.modules import *
from sbql.grammar.ast.partitions import *
from sbql.grammar.ast.procedural import *
from sbql.grammar.ast.queries import *
from sbql.grammar.ast.security import *
