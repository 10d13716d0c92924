// The common list, for go-mssqldb: run by test_tds_programs.py, prints a line for each item.
// GO111MODULE=off GOPATH=/usr/share/gocode go run driver_list.go port password types.tsv rows

package main

import (
	"context"
	"database/sql"
	"encoding/hex"
	"fmt"
	"io/ioutil"
	"os"
	"strconv"
	"strings"
	"time"

	mssql "github.com/denisenkom/go-mssqldb"
)

var port, password string

func open(encrypted bool, password string) *sql.DB {
	how := "disable"
	if encrypted {
		how = "true;trustservercertificate=true"
	}
	found, err := sql.Open("mssql", fmt.Sprintf("server=127.0.0.1;port=%s;user id=sa;password=%s;database=shop;encrypt=%s", port, password, how))
	must(err)
	found.SetMaxOpenConns(1) // a connection each, so that temporary tables last
	return found
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func item(name string, what func() string) {
	defer func() {
		if fault := recover(); fault != nil {
			fmt.Printf("%s\tfailed: %v\n", name, fault)
		}
	}()
	fmt.Printf("%s\t%s\n", name, what())
}

func execute(db *sql.DB, text string, values ...interface{}) {
	_, err := db.Exec(text, values...)
	must(err)
}

// first is a query's first row, its values with spaces between.
func first(db *sql.DB, text string, values ...interface{}) string {
	rows, err := db.Query(text, values...)
	must(err)
	defer rows.Close()
	return row(rows)
}

func row(rows *sql.Rows) string {
	names, err := rows.Columns()
	must(err)
	if !rows.Next() {
		must(rows.Err())
		return "no row"
	}
	seen := make([]sql.NullString, len(names))
	places := make([]interface{}, len(names))
	for i := range seen {
		places[i] = &seen[i]
	}
	must(rows.Scan(places...))
	texts := make([]string, len(names))
	for i, one := range seen {
		texts[i] = one.String
	}
	return strings.Join(texts, " ")
}

func fault(db *sql.DB, text string) string {
	_, err := db.Exec(text)
	if found, ok := err.(mssql.Error); ok {
		return fmt.Sprint(found.Number, found.State, found.Class, found.LineNo)
	}
	return fmt.Sprint(err)
}

const moment = "2006-01-02 15:04:05.999999"

var layouts = map[string]string{"date": "2006-01-02", "time": "15:04:05.999999", "datetime": moment}

// shown is a value that came, as text of its kind.
func shown(value interface{}, kind string) string {
	switch found := value.(type) {
	case bool:
		if found {
			return "1"
		}
		return "0"
	case float64:
		return strconv.FormatFloat(found, 'f', -1, 64)
	case time.Time:
		return found.Format(layouts[kind])
	case []byte:
		if kind == "bytes" {
			return hex.EncodeToString(found)
		}
		if kind == "guid" {
			var guid mssql.UniqueIdentifier
			must(guid.Scan(found))
			return guid.String()
		}
		return string(found)
	}
	return fmt.Sprint(value)
}

// given is the value of a text, as a program would have it.
func given(kind, text string) interface{} {
	switch kind {
	case "int":
		found, err := strconv.ParseInt(text, 10, 64)
		must(err)
		return found
	case "bit":
		return text == "1"
	case "float":
		found, err := strconv.ParseFloat(text, 64)
		must(err)
		return found
	case "bytes":
		found, err := hex.DecodeString(text)
		must(err)
		return found
	case "guid":
		var guid mssql.UniqueIdentifier
		must(guid.Scan(text))
		return guid
	case "date", "time", "datetime":
		found, err := time.Parse(layouts[kind], text)
		must(err)
		if kind == "time" {
			found = found.AddDate(1, 0, 0) // Go's times of day are of the year 0
		}
		return found
	}
	return text
}

func listed(faults []string) string {
	if len(faults) == 0 {
		return "all"
	}
	return strings.Join(faults, "; ")
}

func comes(db *sql.DB, types [][]string) string {
	var faults []string
	for _, one := range types {
		var value, null interface{}
		err := db.QueryRow(fmt.Sprintf("SELECT CAST(%s AS %s), CAST(NULL AS %s)", one[3], one[0], one[0])).Scan(&value, &null)
		if err != nil {
			faults = append(faults, one[0]+" "+err.Error())
		} else if text := shown(value, one[1]); text != one[2] || null != nil {
			faults = append(faults, one[0]+" "+text)
		}
	}
	return listed(faults)
}

func goes(db *sql.DB, types [][]string) string {
	var faults []string
	for _, one := range types {
		execute(db, "DROP TABLE IF EXISTS keeps; CREATE TABLE keeps (v "+one[0]+")")
		if _, err := db.Exec("INSERT INTO keeps VALUES (?)", given(one[1], one[2])); err != nil {
			faults = append(faults, one[0]+" "+err.Error())
		} else if first(db, fmt.Sprintf("SELECT COUNT(*) FROM keeps WHERE CAST(v AS %s) = CAST(%s AS %s)", one[4], one[3], one[4])) != "1" {
			faults = append(faults, one[0]+" "+first(db, "SELECT v FROM keeps"))
		}
	}
	return listed(faults)
}

func nulls(db *sql.DB, types [][]string) string {
	var faults []string
	for _, one := range types {
		if one[1] == "bytes" {
			continue // it calls every NULL an nvarchar, which does not convert
		}
		execute(db, "DROP TABLE IF EXISTS keeps; CREATE TABLE keeps (v "+one[0]+")")
		if _, err := db.Exec("INSERT INTO keeps VALUES (?)", nil); err != nil {
			faults = append(faults, one[0]+" "+err.Error())
		} else if first(db, "SELECT COUNT(*) FROM keeps WHERE v IS NULL") != "1" {
			faults = append(faults, one[0])
		}
	}
	return listed(faults)
}

func several(db *sql.DB) string {
	rows, err := db.Query("SELECT 1 AS a; SELECT N'two' AS b, 3 AS c")
	must(err)
	defer rows.Close()
	seen := row(rows)
	for rows.Next() {
	}
	if rows.NextResultSet() {
		names, err := rows.Columns()
		must(err)
		seen += "; " + names[1] + " " + row(rows)
	}
	for rows.Next() {
	}
	if !rows.NextResultSet() {
		seen += "; end"
	}
	return seen
}

func counts(db *sql.DB) string {
	execute(db, "DROP TABLE IF EXISTS keeps; CREATE TABLE keeps (a int)")
	seen := ""
	for _, text := range []string{"INSERT INTO keeps VALUES (1), (2), (3)", "UPDATE keeps SET a = 0 WHERE a > 1"} {
		done, err := db.Exec(text)
		must(err)
		count, err := done.RowsAffected()
		must(err)
		seen += fmt.Sprint(count, " ")
	}
	return strings.TrimSpace(seen)
}

func transactions(db *sql.DB) string {
	execute(db, "CREATE TABLE tx (a int)")
	for n := 1; n <= 3; n++ {
		tx, err := db.Begin()
		must(err)
		_, err = tx.Exec("INSERT INTO tx VALUES (?)", n)
		must(err)
		if n == 2 {
			must(tx.Commit())
		} else {
			must(tx.Rollback())
		}
	}
	other := open(false, password)
	defer other.Close()
	seen := first(db, "SELECT COUNT(*), MAX(a) FROM tx") + " " + first(other, "SELECT COUNT(*), MAX(a) FROM tx")
	execute(db, "DROP TABLE tx")
	return seen
}

func many(db *sql.DB, count string) string {
	rows, err := db.Query("SELECT value, NEWID(), CAST('x' AS varchar(20)) FROM GENERATE_SERIES(1, " + count + ")")
	must(err)
	defer rows.Close()
	var number, sum, seen int64
	var id []byte
	var text string
	for rows.Next() {
		must(rows.Scan(&number, &id, &text))
		seen++
		sum += number
	}
	must(rows.Err())
	return fmt.Sprint(seen, sum)
}

func bulk(db *sql.DB) string {
	execute(db, "CREATE TABLE loaded (n int, s nvarchar(20), x float, b varbinary(10), at datetime2(3))")
	tx, err := db.Begin()
	must(err)
	load, err := tx.Prepare(mssql.CopyIn("loaded", mssql.MssqlBulkOptions{}, "n", "s", "x", "b", "at"))
	must(err)
	at, err := time.Parse(moment, "2024-02-29 01:02:03")
	must(err)
	for n := 0; n < 1000; n++ {
		_, err = load.Exec(n, fmt.Sprint("ж", n), float64(n)/4, []byte{byte(n)}, at)
		must(err)
	}
	_, err = load.Exec()
	must(err)
	must(load.Close())
	must(tx.Commit())
	seen := first(db, "SELECT COUNT(*), SUM(n), MAX(s), MAX(x), CONVERT(varchar(9), MAX(b), 2), CONVERT(varchar(19), MIN(at), 126) FROM loaded")
	execute(db, "DROP TABLE loaded")
	return seen
}

func left(db *sql.DB) string {
	rows, err := db.Query("SELECT value FROM GENERATE_SERIES(1, 50000)")
	must(err)
	rows.Next()
	must(rows.Close())
	return first(db, "SELECT 7")
}

func cancels(db *sql.DB) string {
	began := time.Now()
	ctx, stop := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer stop()
	if _, err := db.ExecContext(ctx, "WAITFOR DELAY '00:01:00'"); err == nil {
		return "not cancelled"
	}
	if time.Since(began) > 10*time.Second {
		return "late"
	}
	return "soon " + first(db, "SELECT 7")
}

func receives(db *sql.DB) string {
	done := make(chan bool)
	go func() {
		other := open(false, password)
		defer other.Close()
		execute(other, "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE Wire TO SERVICE 'Wire' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (N'ж')")
		done <- true
	}()
	seen := first(db, "WAITFOR (RECEIVE TOP (1) CAST(message_body AS nvarchar(100)) AS body FROM WireQueue), TIMEOUT 20000")
	<-done
	return seen
}

func main() {
	port, password = os.Args[1], os.Args[2]
	data, err := ioutil.ReadFile(os.Args[3])
	must(err)
	var types [][]string
	for _, line := range strings.Split(strings.TrimRight(string(data), "\n"), "\n") {
		types = append(types, strings.Split(line, "\t"))
	}
	db := open(false, password)
	defer db.Close()
	item("connects", func() string { return first(db, "SELECT DB_NAME(), SUSER_SNAME(), N'ж漢'") })
	item("encrypted", func() string {
		other := open(true, password) // not closed: its TLS of 2017 panics at that under a newer Go
		return first(other, "SELECT encrypt_option, LEN(REPLICATE('x', 8000)) FROM sys.dm_exec_connections WHERE session_id = @@SPID")
	})
	item("refuses_a_wrong_password", func() string {
		other := open(false, "no")
		defer other.Close()
		return fmt.Sprint(other.Ping()) // a text alone
	})
	item("every_type_comes", func() string { return comes(db, types) })
	item("datetimeoffset_comes", func() string {
		var found time.Time
		must(db.QueryRow("SELECT CAST('2024-02-29 01:02:03.1234560 +05:30' AS datetimeoffset(6))").Scan(&found))
		return found.Format(moment + " -07:00")
	})
	item("every_type_goes", func() string { return goes(db, types) })
	item("null_goes_into_every_type", func() string { return nulls(db, types) })
	item("parameters", func() string {
		seen := ""
		statement, err := db.Prepare("SELECT ? + 1, ? + N'!'")
		must(err)
		defer statement.Close()
		for n := 41; n < 44; n++ {
			rows, err := statement.Query(n, "ж")
			must(err)
			seen += row(rows) + " "
			must(rows.Close())
		}
		return strings.TrimSpace(seen)
	})
	item("guid_parameters", func() string {
		var found mssql.UniqueIdentifier
		must(db.QueryRow("SELECT CAST(? AS uniqueidentifier)", given("guid", "00112233-4455-6677-8899-AABBCCDDEEFF")).Scan(&found))
		return found.String()
	})
	item("several_results", func() string { return several(db) })
	item("counts", func() string { return counts(db) })
	item("errors", func() string {
		return strings.Fields(fault(db, "SELECT 1/0"))[0] + " " + strings.Fields(fault(db, "SELECT * FROM nowhere"))[0] + " " + first(db, "SELECT 5")
	})
	item("numbers_of_errors", func() string { return fault(db, "\nRAISERROR('bad', 16, 3)") })
	item("transactions", func() string { return transactions(db) })
	item("many_rows", func() string { return many(db, os.Args[4]) })
	item("bulk", func() string { return bulk(db) })
	item("a_result_that_is_left", func() string { return left(db) })
	item("cancels", func() string { return cancels(db) })
	item("receives_what_another_connection_sends", func() string { return receives(db) })
}
