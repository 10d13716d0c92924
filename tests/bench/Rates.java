import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;

/** What bench_tds.py measures, through JDBC: `java -cp JAR Rates.java URL PASSWORD SECONDS ROWS`. Prints the cells of one line of its table. */
public class Rates {
    interface Work {
        void run() throws SQLException;
    }

    static double aSecond(Work work, double seconds) throws SQLException {
        long since = System.nanoTime(), count = 0;
        while ((System.nanoTime() - since) / 1e9 < seconds) {
            work.run();
            count++;
        }
        return count / ((System.nanoTime() - since) / 1e9);
    }

    static int rowsOf(Statement statement, String text) throws SQLException {
        int count = 0;
        try (ResultSet rows = statement.executeQuery(text)) {
            for (int columns = rows.getMetaData().getColumnCount(); rows.next(); count++) {
                for (int place = 1; place <= columns; place++) {
                    rows.getObject(place);
                }
            }
        }
        return count;
    }

    static double ofEight(String url, String password, double seconds) throws Exception {
        double[] found = new double[8];
        Thread[] threads = new Thread[8];
        for (int i = 0; i < 8; i++) {
            final int place = i;
            threads[i] = new Thread(() -> {
                try (Connection one = DriverManager.getConnection(url, "sa", password); Statement statement = one.createStatement()) {
                    found[place] = aSecond(() -> rowsOf(statement, "SELECT 1 AS x"), seconds);
                } catch (SQLException error) {
                    throw new RuntimeException(error);
                }
            });
            threads[i].start();
        }
        double sum = 0;
        for (int i = 0; i < 8; i++) {
            threads[i].join();
            sum += found[i];
        }
        return sum;
    }

    public static void main(String[] arguments) throws Exception {
        String url = arguments[0], password = arguments[1], down = arguments[4];
        double seconds = Double.parseDouble(arguments[2]);
        int rows = Integer.parseInt(arguments[3]);
        if (url.startsWith("jdbc:jtds:")) {
            Class.forName("net.sourceforge.jtds.jdbc.Driver"); // too old to be found by itself
        }
        double connects = aSecond(() -> DriverManager.getConnection(url, "sa", password).close(), seconds);
        double eight = ofEight(url, password, seconds);
        try (Connection connection = DriverManager.getConnection(url, "sa", password); Statement statement = connection.createStatement()) {
            double one = aSecond(() -> rowsOf(statement, "SELECT 1 AS x"), seconds);
            String handle;
            try (ResultSet found = statement.executeQuery("SET NOCOUNT ON; DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE Bench TO SERVICE N'Bench' "
                    + "WITH ENCRYPTION = OFF; SELECT CAST(@h AS varchar(36))")) {
                found.next();
                handle = found.getString(1);
            }
            String send = "SEND ON CONVERSATION '" + handle + "' (0x" + "41".repeat(100) + ")";
            double sent = aSecond(() -> statement.execute(send), seconds);
            double received = aSecond(() -> rowsOf(statement, "RECEIVE TOP (1) conversation_handle, message_body FROM BenchQueue"), seconds);
            long since = System.nanoTime();
            if (rowsOf(statement, down) != rows) {
                throw new IllegalStateException("rows are missing");
            }
            double read = rows / ((System.nanoTime() - since) / 1e9);
            int count = Math.max(1, rows / 50);
            since = System.nanoTime();
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO Moved (n) VALUES (?)")) {
                for (int i = 0; i < count; i++) {
                    insert.setLong(1, i);
                    insert.addBatch();
                }
                insert.executeBatch();
            }
            double written = count / ((System.nanoTime() - since) / 1e9);
            System.out.printf(Locale.ROOT, "%s %s | %.1f ms | %,.0f | %,.0f | %,.0f | %,.0f | %,.0f | %,.0f%n", connection.getMetaData().getDriverName(),
                    connection.getMetaData().getDriverVersion(), 1000 / connects, one, eight, sent, received, read, written);
        }
    }
}
