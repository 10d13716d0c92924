// The common list of drivers in Java, for Microsoft's and for jTDS: run by test_tds_programs.py, prints a line for each item.
// java -cp driver.jar DriverList.java microsoft|jtds port password types.tsv rows

import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;

public class DriverList {
    static boolean isJtds;
    static String port, password;
    static int rows;
    static List<String[]> types = new ArrayList<>(); // SQL type, kind, text, literal, type to compare as

    interface Item { Object run() throws Exception; }

    static Connection connect(boolean encrypted, String password) throws SQLException {
        String url = isJtds
            ? "jdbc:jtds:sqlserver://127.0.0.1:" + port + "/shop;ssl=" + (encrypted ? "require" : "off")
            : "jdbc:sqlserver://127.0.0.1:" + port + ";databaseName=shop;trustServerCertificate=true;encrypt=" + encrypted;
        return DriverManager.getConnection(url, "sa", password);
    }

    static void item(String name, Item what) {
        try {
            System.out.println(name + "\t" + what.run());
        } catch (Exception error) {
            System.out.println(name + "\tfailed: " + String.valueOf(error).replace('\n', ' '));
        }
    }

    static String first(Connection c, String text) throws SQLException {
        try (Statement s = c.createStatement(); ResultSet found = s.executeQuery(text)) {
            return row(found);
        }
    }

    static String row(ResultSet found) throws SQLException {
        found.next();
        StringBuilder text = new StringBuilder(String.valueOf(found.getString(1)));
        for (int i = 2; i <= found.getMetaData().getColumnCount(); i++) text.append(' ').append(found.getString(i));
        return text.toString();
    }

    static void execute(Connection c, String text) throws SQLException {
        try (Statement s = c.createStatement()) { s.execute(text); }
    }

    static String fault(Connection c, String text) throws SQLException {
        try {
            execute(c, text);
            return "none";
        } catch (SQLException error) {
            return String.valueOf(error.getErrorCode());
        }
    }

    public static void main(String[] arguments) throws Exception {
        isJtds = arguments[0].equals("jtds");
        Class.forName(isJtds ? "net.sourceforge.jtds.jdbc.Driver" : "com.microsoft.sqlserver.jdbc.SQLServerDriver");
        port = arguments[1];
        password = arguments[2];
        for (String line : Files.readAllLines(Path.of(arguments[3]))) types.add(line.split("\t", -1));
        rows = Integer.parseInt(arguments[4]);
        try (Connection c = connect(false, password)) {
            item("version", () -> c.getMetaData().getDriverVersion());
            item("connects", () -> first(c, "SELECT DB_NAME(), SUSER_SNAME(), N'ж漢'"));
            item("encrypted", () -> {
                try (Connection e = connect(true, password)) {
                    return first(e, "SELECT encrypt_option, LEN(REPLICATE('x', 8000)) FROM sys.dm_exec_connections WHERE session_id = @@SPID");
                }
            });
            item("refuses_a_wrong_password", () -> {
                try (Connection e = connect(false, "no")) { return "let in"; } catch (SQLException error) { return error.getErrorCode(); }
            });
            item("every_type_comes", () -> comes(c));
            item("datetimeoffset_comes", () -> first(c, "SELECT CAST('2024-02-29 01:02:03.1234560 +05:30' AS datetimeoffset(6))"));
            item("every_type_goes", () -> goes(c));
            item("null_goes_into_every_type", () -> nulls(c));
            item("parameters", () -> parameters(c));
            item("guid_parameters", () -> {
                try (PreparedStatement p = c.prepareStatement("SELECT CAST(? AS uniqueidentifier)")) {
                    p.setString(1, "00112233-4455-6677-8899-AABBCCDDEEFF");
                    return row(p.executeQuery());
                }
            });
            item("outputs", () -> outputs(c));
            if (!isJtds) item("tables_as_parameters", () -> tables(c));
            item("several_results", () -> several(c));
            item("counts", () -> {
                try (Statement s = c.createStatement()) {
                    s.execute("CREATE TABLE #c (a int)");
                    return s.executeUpdate("INSERT INTO #c VALUES (1), (2), (3)") + " " + s.executeUpdate("UPDATE #c SET a = 0 WHERE a > 1");
                }
            });
            item("errors", () -> fault(c, "SELECT 1/0") + " " + fault(c, "SELECT * FROM nowhere") + " " + first(c, "SELECT 5"));
            item("numbers_of_errors", () -> fault(c, "\nRAISERROR('bad', 16, 3)"));
            item("messages", () -> messages(c));
            item("transactions", () -> transactions());
            item("many_rows", () -> many(c));
            item("bulk", () -> batches(c));
            item("a_result_that_is_left", () -> left(c));
            item("cancels", () -> cancels(c));
            item("receives_what_another_connection_sends", () -> receives(c));
        }
    }

    static String trimmed(String text) { return text == null || text.indexOf('.') < 0 ? text : text.replaceAll("0+$", "").replaceAll("\\.$", ""); }

    static String got(ResultSet found, String kind) throws SQLException {
        switch (kind) {
            case "int": return String.valueOf(found.getLong(1));
            case "bit": return found.getBoolean(1) ? "1" : "0";
            case "float": return String.valueOf(found.getDouble(1));
            case "decimal": return found.getBigDecimal(1).toPlainString();
            case "bytes": return HexFormat.of().formatHex(found.getBytes(1));
            case "guid": return found.getString(1).toUpperCase();
            case "date": case "time": case "datetime": return trimmed(found.getString(1));
            default: return found.getString(1);
        }
    }

    static void give(PreparedStatement p, String[] type) throws SQLException {
        String kind = type[1], text = type[2];
        boolean isText = isJtds && (type[0].startsWith("datetime2") || kind.equals("time")); // which it does not know
        if (isText) { p.setString(1, text); return; }
        switch (kind) {
            case "int": p.setLong(1, Long.parseLong(text)); break;
            case "bit": p.setBoolean(1, text.equals("1")); break;
            case "float": p.setDouble(1, Double.parseDouble(text)); break;
            case "decimal": p.setBigDecimal(1, new BigDecimal(text)); break;
            case "bytes": p.setBytes(1, HexFormat.of().parseHex(text)); break;
            case "date": p.setDate(1, Date.valueOf(text)); break;
            case "time": p.setObject(1, LocalTime.parse(text)); break;
            case "datetime": p.setTimestamp(1, Timestamp.valueOf(text)); break;
            default: p.setString(1, text);
        }
    }

    static int code(String kind) {
        switch (kind) {
            case "int": return Types.BIGINT;
            case "bit": return Types.BIT;
            case "float": return Types.DOUBLE;
            case "decimal": return Types.DECIMAL;
            case "bytes": return Types.VARBINARY;
            case "date": return isJtds ? Types.VARCHAR : Types.DATE;
            case "time": return isJtds ? Types.VARCHAR : Types.TIME;
            case "datetime": return Types.TIMESTAMP;
            default: return Types.VARCHAR;
        }
    }

    static String comes(Connection c) throws SQLException {
        List<String> faults = new ArrayList<>();
        for (String[] type : types) {
            try (Statement s = c.createStatement();
                 ResultSet found = s.executeQuery("SELECT CAST(" + type[3] + " AS " + type[0] + "), CAST(NULL AS " + type[0] + ")")) {
                found.next();
                String text = got(found, type[1]);
                if (!text.equals(type[2]) || found.getObject(2) != null) faults.add(type[0] + " " + text);
            }
        }
        return faults.isEmpty() ? "all" : String.valueOf(faults);
    }

    static String goes(Connection c) throws SQLException {
        List<String> faults = new ArrayList<>();
        for (String[] type : types) {
            execute(c, "DROP TABLE IF EXISTS #v; CREATE TABLE #v (v " + type[0] + ")");
            try (PreparedStatement p = c.prepareStatement("INSERT INTO #v VALUES (?)")) {
                give(p, type);
                p.executeUpdate();
            } catch (SQLException error) { faults.add(type[0] + " " + error.getMessage()); }
            String same = "CAST(v AS " + type[4] + ") = CAST(" + type[3] + " AS " + type[4] + ")";
            if (!first(c, "SELECT COUNT(*) FROM #v WHERE " + same).equals("1")) faults.add(type[0] + " " + first(c, "SELECT v FROM #v"));
        }
        return faults.isEmpty() ? "all" : String.valueOf(faults);
    }

    static String nulls(Connection c) throws SQLException {
        List<String> faults = new ArrayList<>();
        for (String[] type : types) {
            execute(c, "DROP TABLE IF EXISTS #n; CREATE TABLE #n (n " + type[0] + ")");
            try (PreparedStatement p = c.prepareStatement("INSERT INTO #n VALUES (?)")) {
                p.setNull(1, code(type[1]));
                p.executeUpdate();
            } catch (SQLException error) { faults.add(type[0] + " " + error.getMessage()); }
            if (!first(c, "SELECT COUNT(*) FROM #n WHERE n IS NULL").equals("1")) faults.add(type[0]);
        }
        return faults.isEmpty() ? "all" : String.valueOf(faults);
    }

    static String parameters(Connection c) throws SQLException {
        StringBuilder seen = new StringBuilder();
        try (PreparedStatement p = c.prepareStatement("SELECT ? + 1, ? + N'!'")) {
            for (int times = 0; times < 3; times++) { // the third time with a handle
                p.setInt(1, 41 + times);
                p.setString(2, "ж");
                try (ResultSet found = p.executeQuery()) { seen.append(row(found)).append(' '); }
            }
        }
        return seen.toString().trim();
    }

    static String outputs(Connection c) throws SQLException {
        execute(c, "CREATE OR ALTER PROCEDURE twice @a int, @b int OUTPUT AS SET @b = @a * 2; RETURN 7;");
        try (CallableStatement call = c.prepareCall("{? = call twice(?, ?)}")) {
            call.registerOutParameter(1, Types.INTEGER);
            call.setInt(2, 21);
            call.registerOutParameter(3, Types.INTEGER);
            call.execute();
            return call.getInt(3) + " " + call.getInt(1);
        }
    }

    /** By reflection: this file is compiled with the jar of jTDS, too. */
    static String tables(Connection c) throws Exception {
        execute(c, "CREATE TYPE Rows AS TABLE (n int, s nvarchar(20))");
        try (Connection other = connect(false, password); Statement s = other.createStatement();
             ResultSet given = s.executeQuery("SELECT value, CONCAT(N'ж', value) AS s FROM GENERATE_SERIES(1, 1000)");
             PreparedStatement p = c.prepareStatement("SELECT COUNT(*), SUM(n), MAX(s) FROM ?")) {
            p.getClass().getMethod("setStructured", int.class, String.class, ResultSet.class).invoke(p, 1, "dbo.Rows", given);
            try (ResultSet found = p.executeQuery()) { return row(found); }
        }
    }

    static String several(Connection c) throws SQLException {
        try (Statement s = c.createStatement()) {
            s.execute("SELECT 1 AS a; SELECT N'two' AS b, 3 AS c");
            String seen = row(s.getResultSet());
            seen += s.getMoreResults() ? "; " + s.getResultSet().getMetaData().getColumnName(2) + " " + row(s.getResultSet()) : "";
            return seen + (!s.getMoreResults() && s.getUpdateCount() == -1 ? "; end" : "");
        }
    }

    static String messages(Connection c) throws SQLException {
        try (Statement s = c.createStatement()) {
            s.execute("PRINT N'hello ж'; RAISERROR('note', 5, 1)");
            StringBuilder seen = new StringBuilder();
            for (SQLWarning said = s.getWarnings(); said != null; said = said.getNextWarning()) seen.append(said.getMessage()).append(' ');
            return seen.toString().trim();
        }
    }

    static String transactions() throws SQLException {
        String seen;
        try (Connection c = connect(false, password)) {
            c.setAutoCommit(false);
            execute(c, "CREATE TABLE tx (a int)");
            c.commit();
            execute(c, "INSERT INTO tx VALUES (1)");
            c.rollback();
            execute(c, "INSERT INTO tx VALUES (2)");
            c.commit();
            seen = first(c, "SELECT COUNT(*), MAX(a) FROM tx");
            execute(c, "INSERT INTO tx VALUES (3)");
            c.rollback();
        }
        try (Connection c = connect(false, password)) {
            seen += " " + first(c, "SELECT COUNT(*), MAX(a) FROM tx");
            execute(c, "DROP TABLE tx");
        }
        return seen;
    }

    static String many(Connection c) throws SQLException {
        try (Statement s = c.createStatement(); ResultSet found = s.executeQuery(
                "SELECT value, NEWID(), CAST('x' AS varchar(20)) FROM GENERATE_SERIES(1, " + rows + ")")) {
            int count = 0;
            long sum = 0;
            for (; found.next(); count++) sum += found.getLong(1);
            return count + " " + sum;
        }
    }

    static String batches(Connection c) throws SQLException {
        execute(c, "DROP TABLE IF EXISTS loaded; CREATE TABLE loaded (n int, s nvarchar(20), x float, b varbinary(10), at datetime2(3))");
        try (PreparedStatement p = c.prepareStatement("INSERT INTO loaded VALUES (?, ?, ?, ?, ?)")) {
            for (int n = 0; n < 1000; n++) {
                p.setInt(1, n); p.setString(2, "ж" + n); p.setDouble(3, n / 4.0); p.setBytes(4, new byte[] {(byte) n});
                p.setTimestamp(5, Timestamp.valueOf("2024-02-29 01:02:03"));
                p.addBatch();
            }
            p.executeBatch();
        }
        String seen = first(c, "SELECT COUNT(*), SUM(n), MAX(s), MAX(x), CONVERT(varchar(9), MAX(b), 2), CONVERT(varchar(19), MIN(at), 126) FROM loaded");
        execute(c, "DROP TABLE loaded");
        return seen;
    }

    static String left(Connection c) throws SQLException {
        try (Statement s = c.createStatement(); ResultSet found = s.executeQuery("SELECT value FROM GENERATE_SERIES(1, 50000)")) { found.next(); }
        return first(c, "SELECT 7");
    }

    static String cancels(Connection c) throws SQLException {
        long began = System.nanoTime();
        try (Statement s = c.createStatement()) {
            new Timer(true).schedule(new TimerTask() {
                public void run() { try { s.cancel(); } catch (SQLException error) { System.err.println(error); } }
            }, 100);
            s.execute("WAITFOR DELAY '00:01:00'");
            return "not cancelled";
        } catch (SQLException error) {
            return (System.nanoTime() - began < 10_000_000_000L ? "soon " : "late ") + first(c, "SELECT 7");
        }
    }

    static String receives(Connection c) throws Exception {
        Thread sender = new Thread(() -> {
            try (Connection other = connect(false, password)) {
                execute(other, "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE Wire TO SERVICE 'Wire' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (N'ж')");
            } catch (SQLException error) { System.err.println(error); }
        });
        sender.start();
        String seen = first(c, "WAITFOR (RECEIVE TOP (1) CAST(message_body AS nvarchar(100)) AS body FROM WireQueue), TIMEOUT 20000");
        sender.join();
        return seen;
    }
}
