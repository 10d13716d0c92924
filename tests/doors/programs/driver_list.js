// The common list, for the module mssql of Node, which stands on tedious: run by test_tds_programs.py, prints a line for each item.
// node driver_list.js port password types.tsv rows
const fs = require('fs');
const sql = require('mssql');

const [port, password, typesFile, rowCount] = process.argv.slice(2);

async function open(options = {}, given = password) {
  const pool = new sql.ConnectionPool({
    server: '127.0.0.1', port: Number(port), user: 'sa', password: given, database: 'shop', pool: { max: 1 },
    options: { encrypt: false, trustServerCertificate: true, useUTC: true, ...options },
  });
  return pool.connect();
}

const row = (found) => Object.values(found).map((value) => (Array.isArray(value) ? value.join(' ') : String(value))).join(' ');
const first = async (pool, text) => row((await pool.request().query(text)).recordset[0]);
const fault = (pool, text) => pool.request().query(text).then(() => 'none', (error) => [error.number, error.state, error.class, error.lineNumber].join(' '));

async function item(name, what) {
  try {
    console.log(`${name}\t${await what()}`);
  } catch (error) {
    console.log(`${name}\tfailed: ${String(error && error.stack).replace(/\n/g, ' ')}`);
  }
}

const trimmed = (text) => (text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text);
// It keeps the seven digits of a time beside a Date, which has three.
const fraction = (value) => String(Math.round(value.getUTCMilliseconds() * 1e4 + (value.nanosecondsDelta || 0) * 1e7)).padStart(7, '0');
const clock = (value) => trimmed(`${value.toISOString().slice(11, 19)}.${fraction(value)}`);

function shown(value, kind) {
  if (kind === 'bit') return value ? '1' : '0';
  if (kind === 'bytes') return value.toString('hex');
  if (kind === 'guid') return value.toUpperCase();
  if (kind === 'date') return value.toISOString().slice(0, 10);
  if (kind === 'time') return clock(value);
  if (kind === 'datetime') return `${value.toISOString().slice(0, 10)} ${clock(value)}`;
  return String(value);
}

function given(type, kind, text) {
  const arguments_ = (/\((.*)\)/.exec(type) || [null, ''])[1].split(',').filter(Boolean).map((one) => (one === 'max' ? sql.MAX : Number(one)));
  const name = type.replace(/\(.*/, '');
  const known = {
    tinyint: sql.TinyInt, smallint: sql.SmallInt, int: sql.Int, bigint: sql.BigInt, bit: sql.Bit, float: sql.Float, real: sql.Real, decimal: sql.Decimal,
    date: sql.Date, time: sql.Time, datetime: sql.DateTime, smalldatetime: sql.SmallDateTime, datetime2: sql.DateTime2, uniqueidentifier: sql.UniqueIdentifier,
    varchar: sql.VarChar, char: sql.Char, nvarchar: sql.NVarChar, nchar: sql.NChar, varbinary: sql.VarBinary, binary: sql.Binary, text: sql.Text, ntext: sql.NText,
    image: sql.Image, xml: sql.NVarChar, money: sql.Money, smallmoney: sql.SmallMoney,
  }[name];
  const value = {
    int: () => (type === 'bigint' ? text : Number(text)), bit: () => text === '1', float: () => Number(text), decimal: () => Number(text),
    bytes: () => Buffer.from(text, 'hex'), date: () => new Date(`${text}T00:00:00Z`), time: () => new Date(`1970-01-01T${text}Z`),
    datetime: () => new Date(`${text.replace(' ', 'T')}Z`),
  }[kind];
  return [name === 'xml' ? sql.NVarChar(sql.MAX) : arguments_.length ? known(...arguments_) : known, value ? value() : text];
}

// Numbers of JavaScript have 15 digits, its dates milliseconds.
const TOO_LONG = ['decimal(38,10)', 'money', 'datetime2(6)'];

async function comes(pool, types) {
  const faults = [];
  for (const [type, kind, text, literal] of types) {
    const { a, b } = (await pool.request().query(`SELECT CAST(${literal} AS ${type}) AS a, CAST(NULL AS ${type}) AS b`)).recordset[0];
    if ((!TOO_LONG.includes(type) && shown(a, kind) !== text) || b !== null) faults.push(`${type} ${shown(a, kind)}`);
  }
  return faults.join('; ') || 'all';
}

async function goes(pool, types) {
  const faults = [];
  for (const [type, kind, text, literal, comparable] of types) {
    if (TOO_LONG.includes(type)) continue;
    await pool.request().batch(`DROP TABLE IF EXISTS #v; CREATE TABLE #v (v ${type})`);
    await pool.request().input('v', ...given(type, kind, text)).query('INSERT INTO #v VALUES (@v)');
    const same = await first(pool, `SELECT COUNT(*) FROM #v WHERE CAST(v AS ${comparable}) = CAST(${literal} AS ${comparable})`);
    if (same !== '1') faults.push(`${type} ${await first(pool, 'SELECT v FROM #v')}`);
  }
  return faults.join('; ') || 'all';
}

async function nulls(pool, types) {
  const faults = [];
  for (const [type, kind, text] of types) {
    await pool.request().batch(`DROP TABLE IF EXISTS #n; CREATE TABLE #n (n ${type})`);
    await pool.request().input('n', given(type, kind, text)[0], null).query('INSERT INTO #n VALUES (@n)');
    if (await first(pool, 'SELECT COUNT(*) FROM #n WHERE n IS NULL') !== '1') faults.push(type);
  }
  return faults.join('; ') || 'all';
}

async function parameters(pool) {
  const statement = new sql.PreparedStatement(pool);
  statement.input('a', sql.Int).input('b', sql.NVarChar(10));
  await statement.prepare("SELECT @a + 1 AS a, @b + N'!' AS b");
  const seen = [];
  for (const a of [41, 42, 43]) seen.push(row((await statement.execute({ a, b: 'ж' })).recordset[0]));
  await statement.unprepare();
  return seen.join(' ');
}

async function messages(pool) {
  const request = pool.request();
  const seen = [];
  request.on('info', (said) => seen.push(said.message));
  await request.query("PRINT N'hello ж'; RAISERROR('note', 5, 1)");
  return seen.join(' ');
}

async function transactions(pool) {
  await pool.request().batch('CREATE TABLE tx (a int)');
  for (const n of [1, 2, 3]) {
    const transaction = pool.transaction();
    await transaction.begin();
    await transaction.request().query(`INSERT INTO tx VALUES (${n})`);
    await (n === 2 ? transaction.commit() : transaction.rollback());
  }
  const other = await open();
  const text = 'SELECT COUNT(*) AS a, MAX(a) AS b FROM tx';
  const seen = `${await first(pool, text)} ${await first(other, text)}`;
  await other.close();
  await pool.request().batch('DROP TABLE tx');
  return seen;
}

async function many(pool) {
  const found = (await pool.request().query(`SELECT value, NEWID() AS id, CAST('x' AS varchar(20)) AS t FROM GENERATE_SERIES(1, ${rowCount})`)).recordset;
  return `${found.length} ${found.reduce((sum, one) => sum + one.value, 0)}`;
}

async function bulk(pool) {
  await pool.request().batch('CREATE TABLE loaded (n int, s nvarchar(20), x float, b varbinary(10), at datetime2(3))');
  const table = new sql.Table('loaded');
  const types = { n: sql.Int, s: sql.NVarChar(20), x: sql.Float, b: sql.VarBinary(10), at: sql.DateTime2(3) };
  for (const [name, type] of Object.entries(types)) table.columns.add(name, type, { nullable: true });
  for (let n = 0; n < 1000; n++) table.rows.add(n, `ж${n}`, n / 4, Buffer.from([n % 256]), new Date('2024-02-29T01:02:03Z'));
  await pool.request().bulk(table);
  const seen = await first(pool, 'SELECT COUNT(*) AS a, SUM(n) AS b, MAX(s) AS c, MAX(x) AS d, CONVERT(varchar(9), MAX(b), 2) AS e, CONVERT(varchar(19), MIN(at), 126) AS f FROM loaded');
  await pool.request().batch('DROP TABLE loaded');
  return seen;
}

async function left(pool) {
  const request = pool.request();
  request.stream = true;
  await new Promise((resolve) => {
    request.on('row', () => request.cancel());
    request.on('error', () => {});
    request.on('done', resolve);
    request.query('SELECT value FROM GENERATE_SERIES(1, 50000)');
  });
  return first(pool, 'SELECT 7 AS a');
}

async function cancels(pool) {
  const began = Date.now();
  const request = pool.request();
  setTimeout(() => request.cancel(), 100);
  const how = await request.query("WAITFOR DELAY '00:01:00'").then(() => 'not cancelled', (error) => error.code);
  if (how !== 'ECANCEL') return how;
  return `${Date.now() - began < 10000 ? 'soon' : 'late'} ${await first(pool, 'SELECT 7 AS a')}`;
}

async function receives(pool) {
  const other = await open();
  const waiting = first(pool, 'WAITFOR (RECEIVE TOP (1) CAST(message_body AS nvarchar(100)) AS body FROM WireQueue), TIMEOUT 20000');
  await other.request().batch("DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE Wire TO SERVICE 'Wire' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (N'ж')");
  await other.close();
  return waiting;
}

async function outputs(pool) {
  await pool.request().batch('CREATE OR ALTER PROCEDURE twice @a int, @b int OUTPUT AS SET @b = @a * 2; RETURN 7;');
  const found = await pool.request().input('a', sql.Int, 21).output('b', sql.Int).execute('twice');
  return `${found.output.b} ${found.returnValue}`;
}

async function tables(pool) {
  await pool.request().batch('CREATE TYPE RowsOfNode AS TABLE (n int, s nvarchar(20))');
  const table = new sql.Table('dbo.RowsOfNode');
  table.columns.add('n', sql.Int);
  table.columns.add('s', sql.NVarChar(20));
  for (let n = 1; n <= 1000; n++) table.rows.add(n, `ж${n}`);
  return row((await pool.request().input('t', table).query('SELECT COUNT(*) AS a, SUM(n) AS b, MAX(s) AS c FROM @t')).recordset[0]);
}

async function several(pool) {
  const [one, two, ...more] = (await pool.request().query("SELECT 1 AS a; SELECT N'two' AS b, 3 AS c")).recordsets;
  return `${row(one[0])}; ${Object.keys(two.columns)[1]} ${row(two[0])}${more.length ? '' : '; end'}`;
}

async function main() {
  const types = fs.readFileSync(typesFile, 'utf8').trimEnd().split('\n').map((line) => line.split('\t'));
  const pool = await open();
  console.log(`version\t${require('mssql/package.json').version}, tedious ${require('tedious/package.json').version}`);
  await item('connects', () => first(pool, "SELECT DB_NAME() AS a, SUSER_SNAME() AS b, N'ж漢' AS c"));
  await item('encrypted', async () => {
    const other = await open({ encrypt: true });
    const seen = await first(other, "SELECT encrypt_option AS a, LEN(REPLICATE('x', 8000)) AS b FROM sys.dm_exec_connections WHERE session_id = @@SPID");
    await other.close();
    return seen;
  });
  await item('refuses_a_wrong_password', () => open({}, 'no').then(() => 'let in', (error) => error.originalError.info?.number ?? error.originalError.number ?? error.message));
  await item('every_type_comes', () => comes(pool, types));
  await item('datetimeoffset_comes', async () => (await pool.request().query("SELECT CAST('2024-02-29 01:02:03.1234560 +05:30' AS datetimeoffset(6)) AS a")).recordset[0].a.toISOString());
  await item('every_type_goes', () => goes(pool, types));
  await item('null_goes_into_every_type', () => nulls(pool, types));
  await item('parameters', () => parameters(pool));
  await item('guid_parameters', async () => row((await pool.request().input('a', sql.UniqueIdentifier, '00112233-4455-6677-8899-AABBCCDDEEFF').query('SELECT @a AS a')).recordset[0]));
  await item('outputs', () => outputs(pool));
  await item('tables_as_parameters', () => tables(pool));
  await item('several_results', () => several(pool));
  await item('counts', async () => (await pool.request().query('CREATE TABLE #c (a int); INSERT INTO #c VALUES (1), (2), (3); UPDATE #c SET a = 0 WHERE a > 1')).rowsAffected.join(' '));
  await item('errors', async () => `${(await fault(pool, 'SELECT 1/0')).split(' ')[0]} ${(await fault(pool, 'SELECT * FROM nowhere')).split(' ')[0]} ${await first(pool, 'SELECT 5 AS a')}`);
  await item('numbers_of_errors', () => fault(pool, "\nRAISERROR('bad', 16, 3)"));
  await item('messages', () => messages(pool));
  await item('transactions', () => transactions(pool));
  await item('many_rows', () => many(pool));
  await item('bulk', () => bulk(pool));
  await item('a_result_that_is_left', () => left(pool));
  await item('cancels', () => cancels(pool));
  await item('receives_what_another_connection_sends', () => receives(pool));
  await pool.close();
}

main().catch((error) => { console.error(error); process.exit(1); });
