"""Spark's own parser, taught the statements of Service Broker at run time: an experiment, off unless asked for.

A statement that Spark has none of becomes a call of the table function `sbql`, wherever one statement is parsed:
spark.sql, EXECUTE IMMEDIATE, views. Everything else goes to Spark's parser as it is, so that its errors stay its own.
The parser is an object of the JVM: a class of a few lines is compiled there in memory, by the compiler that Spark
brings along, and stands in front of it as a proxy. This touches what Spark calls internal, and is kept apart for that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sbql.spark_udfs.options import option_error

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["install_parser", "uninstall_parser"]

STATEMENTS: Final = (
    "RECEIVE", "SEND ON", "WAITFOR", "BEGIN DIALOG", "BEGIN CONVERSATION TIMER", "END CONVERSATION", "GET CONVERSATION GROUP",
    "MOVE CONVERSATION", *(
        f"{verb} {kind}" for verb in ("CREATE", "ALTER", "DROP")
        for kind in ("QUEUE", "SERVICE", "CONTRACT", "MESSAGE TYPE", "ROUTE", "REMOTE SERVICE BINDING", "BROKER PRIORITY")
    ),
)  # fmt: skip
"""What a text begins with, after comments, to be sbql's. Transactions are left out: each
call is a transaction of its own."""

_SOURCE: Final = r"""
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

public class SbqlParser implements InvocationHandler {
    private final Object original;
    private final String[] statements;

    public SbqlParser(Object original, String[] statements) {
        this.original = original;
        this.statements = statements;
    }

    public Object original() { return original; }

    public Object invoke(Object proxy, Method method, Object[] given) throws Throwable {
        Object[] arguments = given;
        String name = method.getName();
        if (given != null && given.length > 0 && given[0] instanceof String
                && (name.startsWith("parsePlan") || name.equals("parseQuery")) && isOurs((String) given[0])) {
            arguments = (Object[]) given.clone();
            String text = ((String) given[0]).replace("\\", "\\\\").replace("'", "\\'");
            arguments[0] = "SELECT * FROM sbql('" + text + "')";
        }
        try {
            return method.invoke(original, arguments);
        } catch (InvocationTargetException error) {
            throw error.getTargetException();
        }
    }

    private boolean isOurs(String text) {
        int at = 0;
        while (at < text.length()) {
            if (Character.isWhitespace(text.charAt(at))) {
                at++;
            } else if (text.startsWith("--", at)) {
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end;
            } else if (text.startsWith("/*", at)) {
                int end = text.indexOf("*/", at + 2);
                at = end < 0 ? text.length() : end + 2;
            } else {
                break;
            }
        }
        String rest = text.substring(at).toUpperCase().replaceAll("\\s+", " ");
        for (int i = 0; i < statements.length; i++) {
            String start = statements[i];
            if (rest.startsWith(start)
                    && (rest.length() == start.length() || !Character.isJavaIdentifierPart(rest.charAt(start.length())))) {
                return true;
            }
        }
        return false;
    }
}
"""


def install_parser(spark: SparkSession) -> None:
    """Let `spark.sql("RECEIVE …")` and the like be `SELECT * FROM sbql('RECEIVE …')` in this session,
    with its laziness: a statement runs at the first action, once for a DataFrame.
    `register_table_functions` comes first. Twice is harmless.

    Raises SqlError 87 for Spark Connect, whose parser is in another process, and where this
    release of Spark is built otherwise.
    """
    jvm = getattr(spark, "_jvm", None)
    if jvm is None:
        raise option_error(
            "Spark Connect parses in its server: use the table function sbql('…'), or install() in the client."
        )
    state, field = _place(spark)
    parser = field.get(state)
    if _handler_of(jvm, parser) is not None:
        return
    compiler = jvm.org.codehaus.janino.SimpleCompiler()
    compiler.setParentClassLoader(parser.getClass().getClassLoader())
    compiler.cook(_SOURCE)
    loader = compiler.getClassLoader()
    words = _array(spark, jvm.java.lang.String, STATEMENTS)
    handler = loader.loadClass("SbqlParser").getConstructors()[0].newInstance(
        _array(spark, jvm.java.lang.Object, (parser, words))
    )  # fmt: skip
    kind = loader.loadClass("org.apache.spark.sql.catalyst.parser.ParserInterface")
    proxy = jvm.java.lang.reflect.Proxy.newProxyInstance(loader, _array(spark, jvm.java.lang.Class, (kind,)), handler)
    field.set(state, proxy)


def uninstall_parser(spark: SparkSession) -> None:
    """Give the session its own parser back."""
    state, field = _place(spark)
    handler = _handler_of(spark._jvm, field.get(state))
    if handler is not None:
        field.set(state, handler.original())


def _place(spark: Any) -> tuple[Any, Any]:
    """The session's state, and its field for the parser."""
    state = spark._jsparkSession.sessionState()
    found = [field for field in state.getClass().getDeclaredFields() if field.getName() == "sqlParser"]
    if not found:
        raise option_error(
            "This release of Spark keeps its parser elsewhere: use the table function sbql('…'), or install()."
        )
    found[0].setAccessible(True)
    return state, found[0]


def _handler_of(jvm: Any, parser: Any) -> Any:
    """Ours in front of the parser, or None."""
    proxies = jvm.java.lang.reflect.Proxy
    if not proxies.isProxyClass(parser.getClass()):
        return None
    handler = proxies.getInvocationHandler(parser)
    return handler if handler.getClass().getName() == "SbqlParser" else None


def _array(spark: Any, kind: Any, values: tuple[Any, ...]) -> Any:
    found = spark.sparkContext._gateway.new_array(kind, len(values))
    for number, value in enumerate(values):
        found[number] = value
    return found
