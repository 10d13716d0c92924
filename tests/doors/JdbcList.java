// The list of Microsoft's JDBC driver: run by test_tds_tools.py with URL and password; prints a line for each thing that works.
// java -cp mssql-jdbc.jar JdbcList.java jdbc:sqlserver://127.0.0.1:1433 password

import com.microsoft.sqlserver.jdbc.SQLServerBulkCopy;
import com.microsoft.sqlserver.jdbc.SQLServerDataTable;
import com.microsoft.sqlserver.jdbc.SQLServerPreparedStatement;
import java.math.BigDecimal;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;

public class JdbcList {
    static String url, password;

    static Connection connect(String options) throws SQLException {
        return DriverManager.getConnection(url + ";user=sa;trustServerCertificate=true;" + options, "sa", password);
    }

    static void say(String name, Object value) {
        System.out.println(name + " " + value);
    }

    static String rows(ResultSet found) throws SQLException {
        ResultSetMetaData columns = found.getMetaData();
        StringBuilder text = new StringBuilder();
        while (found.next()) {
            text.append(text.length() == 0 ? "" : "; ");
            for (int i = 1; i <= columns.getColumnCount(); i++) text.append(i == 1 ? "" : ", ").append(found.getString(i));
        }
        return text.toString();
    }

    public static void main(String[] arguments) throws Exception {
        url = arguments[0];
        password = arguments[1];
        Class.forName("com.microsoft.sqlserver.jdbc.SQLServerDriver");
        try (Connection c = connect("encrypt=true"); Statement s = c.createStatement()) {
            say("encrypted", rows(s.executeQuery("SELECT 1")));
            say("version", c.getMetaData().getDriverVersion());
        }
        try (Connection c = connect("encrypt=false")) {
            types(c);
            calls(c);
            transactions(c);
            scrolls(c);
            bulk(c);
            metadata(c);
            cancels(c);
            dialogs(c);
        }
        try (Connection c = connect("encrypt=false;selectMethod=cursor"); Statement s = c.createStatement()) {
            s.setFetchSize(10);
            ResultSet found = s.executeQuery("SELECT value FROM GENERATE_SERIES(1, 95)");
            int count = 0, sum = 0;
            while (found.next()) { count++; sum += found.getInt(1); }
            say("cursor", count + ", " + sum);
        }
    }

    static void types(Connection c) throws SQLException {
        String text = "SELECT ?, ?, ?, ?, ?, ?, ?, CAST(? AS uniqueidentifier), CAST(? AS date), CAST(? AS time(3)), CAST(? AS datetimeoffset(3)), CAST('<a/>' AS xml)";
        try (PreparedStatement p = c.prepareStatement(text)) {
            p.setInt(1, 5); p.setNString(2, "ж"); p.setTimestamp(3, Timestamp.valueOf("2024-02-29 01:02:03.456"));
            p.setBytes(4, new byte[] {97, 98}); p.setBigDecimal(5, new BigDecimal("12.34")); p.setBoolean(6, true); p.setNull(7, Types.VARCHAR);
            p.setString(8, "00112233-4455-6677-8899-AABBCCDDEEFF"); p.setString(9, "2024-02-29"); p.setString(10, "01:02:03.456");
            p.setString(11, "2024-02-29 01:02:03.456 +02:00");
            for (int times = 0; times < 3; times++) { // the third time with a handle
                String found = rows(p.executeQuery());
                if (times == 2) say("types", found);
            }
        }
    }

    static void calls(Connection c) throws SQLException {
        try (Statement s = c.createStatement()) {
            s.execute("CREATE PROCEDURE twice @a int, @b int OUTPUT AS PRINT 'said'; SET @b = @a * 2; SELECT @a; SELECT @b; RETURN 7");
        }
        try (CallableStatement call = c.prepareCall("{? = call twice(?, ?)}")) {
            call.registerOutParameter(1, Types.INTEGER); call.setInt(2, 21); call.registerOutParameter(3, Types.INTEGER);
            List<String> results = new ArrayList<>();
            boolean isResult = call.execute();
            SQLWarning said = call.getWarnings();
            while (isResult || call.getUpdateCount() != -1) {
                if (isResult) results.add(rows(call.getResultSet()));
                isResult = call.getMoreResults();
            }
            say("procedure", results + " " + call.getInt(3) + " " + call.getInt(1) + " " + (said == null ? null : said.getMessage()));
        }
        try (Statement s = c.createStatement()) {
            s.execute("\nSELECT 1/0");
        } catch (SQLException error) {
            com.microsoft.sqlserver.jdbc.SQLServerException raised = (com.microsoft.sqlserver.jdbc.SQLServerException) error;
            say("error", raised.getErrorCode() + " " + raised.getSQLState() + " " + raised.getSQLServerError().getLineNumber());
        }
    }

    static void transactions(Connection c) throws SQLException {
        c.setAutoCommit(false);
        try (Statement s = c.createStatement()) {
            s.execute("CREATE TABLE gone (a int)");
            c.rollback();
            String left = rows(s.executeQuery("SELECT OBJECT_ID('gone')"));
            c.commit();
            say("rollback", left);
        }
        c.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        c.setAutoCommit(true);
        c.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    }

    static void scrolls(Connection c) throws SQLException {
        try (PreparedStatement p = c.prepareStatement(
                "SELECT value, CONCAT('n', value) AS name FROM GENERATE_SERIES(1, ?)", ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY)) {
            p.setInt(1, 300);
            p.setFetchSize(7);
            StringBuilder seen = new StringBuilder();
            try (ResultSet found = p.executeQuery()) {
                for (int n = 0; n < 9; n++) found.next();
                seen.append(found.getInt(1)).append(' ');
                found.previous(); seen.append(found.getString("name")).append(' ');
                found.last(); seen.append(found.getInt(1)).append(' ').append(found.getRow()).append(' ');
                found.absolute(150); seen.append(found.getInt(1)).append(' ');
                found.absolute(-2); seen.append(found.getInt(1)).append(' ');
                found.relative(-10); seen.append(found.getInt(1)).append(' ');
                found.first(); seen.append(found.getInt(1)).append(' ').append(found.isFirst()).append(' ');
                found.beforeFirst(); found.next(); seen.append(found.getInt(1)).append(' ');
                found.afterLast(); found.previous(); seen.append(found.getInt(1)).append(' ').append(found.isLast());
            }
            say("scroll", seen);
        }
    }

    static void bulk(Connection c) throws SQLException {
        try (Statement s = c.createStatement()) {
            s.execute("CREATE TABLE bulked (a int, s nvarchar(20))");
            try (PreparedStatement p = c.prepareStatement("INSERT bulked VALUES (?, ?)")) {
                for (int n = 0; n < 50; n++) { p.setInt(1, n); p.setNString(2, "ж" + n); p.addBatch(); }
                say("batch", p.executeBatch().length);
            }
            try (Connection other = connect("encrypt=false"); Statement from = other.createStatement(); SQLServerBulkCopy copy = new SQLServerBulkCopy(c)) {
                copy.setDestinationTableName("bulked");
                copy.writeToServer(from.executeQuery("SELECT value, CONCAT(N'ж', value) FROM GENERATE_SERIES(50, 499)"));
            }
            say("bulk", rows(s.executeQuery("SELECT COUNT(*), SUM(a), MAX(s) FROM bulked")));
            s.execute("CREATE TYPE Ids AS TABLE (a int, s nvarchar(10))");
            SQLServerDataTable given = new SQLServerDataTable();
            given.addColumnMetadata("a", Types.INTEGER); given.addColumnMetadata("s", Types.NVARCHAR);
            given.addRow(1, "x"); given.addRow(2, "y");
            try (SQLServerPreparedStatement p = (SQLServerPreparedStatement) c.prepareStatement("SELECT SUM(a), MAX(s) FROM ?")) {
                p.setStructured(1, "dbo.Ids", given);
                say("table", rows(p.executeQuery()));
            }
        }
    }

    static void metadata(Connection c) throws SQLException {
        StringBuilder seen = new StringBuilder();
        try (ResultSet tables = c.getMetaData().getTables(null, "dbo", "bulked", new String[] {"TABLE"})) {
            while (tables.next()) seen.append(tables.getString("TABLE_NAME")).append(' ');
        }
        try (ResultSet columns = c.getMetaData().getColumns(null, "dbo", "bulked", "%")) {
            while (columns.next()) seen.append(columns.getString("COLUMN_NAME")).append(':').append(columns.getString("TYPE_NAME")).append(' ');
        }
        try (PreparedStatement p = c.prepareStatement("INSERT bulked VALUES (?, ?)")) {
            seen.append(p.getParameterMetaData().getParameterTypeName(2));
        }
        say("metadata", seen);
    }

    static void cancels(Connection c) throws SQLException {
        try (Statement s = c.createStatement()) {
            new Timer(true).schedule(new TimerTask() {
                public void run() { try { s.cancel(); } catch (SQLException error) { say("cancel", error); } }
            }, 100);
            s.execute("WAITFOR DELAY '00:01:00'");
        } catch (SQLException error) {
            say("cancel", error.getMessage().toLowerCase().contains("cancel"));
        }
        try (Statement s = c.createStatement()) {
            s.setQueryTimeout(1);
            s.execute("WAITFOR DELAY '00:01:00'");
        } catch (SQLException error) {
            say("timeout", error.getMessage().toLowerCase().contains("timed out"));
        }
    }

    static void dialogs(Connection c) throws Exception {
        try (Statement s = c.createStatement()) {
            s.execute("CREATE DATABASE jdbc_shop");
            s.execute("USE jdbc_shop; CREATE QUEUE q; CREATE SERVICE s ON QUEUE q ([DEFAULT])");
        }
        Thread sender = new Thread(() -> {
            try (Connection other = connect("encrypt=false;databaseName=jdbc_shop"); Statement s = other.createStatement()) {
                s.execute("DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (N'ж')");
            } catch (SQLException error) { say("send", error); }
        });
        sender.start();
        try (Statement s = c.createStatement()) {
            say("receive", rows(s.executeQuery("WAITFOR (RECEIVE TOP (1) CAST(message_body AS nvarchar(10)) AS body FROM q), TIMEOUT 30000")));
        }
        sender.join();
    }
}
