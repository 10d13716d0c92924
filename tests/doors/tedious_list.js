// The list of tedious, the driver of Node: run by test_tds_tools.py with port and password; prints a line for each thing that works.
const { Connection, Request, TYPES, ISOLATION_LEVEL } = require('tedious');

const [port, password] = [Number(process.argv[2]), process.argv[3]];

function connect(options) {
  return new Promise((resolve, reject) => {
    const connection = new Connection({
      server: '127.0.0.1',
      authentication: { type: 'default', options: { userName: 'sa', password } },
      options: { port, trustServerCertificate: true, database: 'master', ...options },
    });
    connection.connect((error) => (error ? reject(error) : resolve(connection)));
  });
}

function run(connection, sql, parameters = [], how = 'execSql') {
  return new Promise((resolve, reject) => {
    const found = { rows: [], outputs: {} };
    const request = new Request(sql, (error) => (error ? reject(error) : resolve(found)));
    for (const [name, type, value, options, isOutput] of parameters) {
      if (isOutput) request.addOutputParameter(name, type, value, options);
      else request.addParameter(name, type, value, options);
    }
    request.on('row', (columns) => found.rows.push(columns.map((column) => column.value)));
    request.on('returnValue', (name, value) => { found.outputs[name] = value; });
    request.on('doneProc', (count, more, status) => { if (status !== undefined) found.status = status; });
    connection[how](request);
  });
}

const done = (call) => new Promise((resolve, reject) => call((error) => (error ? reject(error) : resolve())));
const say = (name, value) => console.log(name, JSON.stringify(value));

async function main() {
  const encrypted = await connect({ encrypt: true });
  say('encrypted', (await run(encrypted, 'SELECT 1')).rows);
  encrypted.close();

  const c = await connect({ encrypt: false });
  const messages = [];
  c.on('infoMessage', (info) => messages.push(info.message));
  say('types', (await run(c, 'SELECT @i, @s, @d, @b, @g, @n, @t', [
    ['i', TYPES.Int, 5], ['s', TYPES.NVarChar, 'ж'], ['d', TYPES.DateTime2, new Date(Date.UTC(2024, 1, 29, 1, 2, 3, 456))],
    ['b', TYPES.VarBinary, Buffer.from('ab')], ['g', TYPES.UniqueIdentifier, '00112233-4455-6677-8899-AABBCCDDEEFF'],
    ['n', TYPES.Decimal, 12.34, { precision: 9, scale: 2 }], ['t', TYPES.Bit, true],
  ])).rows);
  await run(c, "CREATE PROCEDURE #p @a int, @b int OUTPUT AS PRINT 'said'; SET @b = @a * 2; SELECT @a; RETURN 7", [], 'execSqlBatch');
  const called = await run(c, '#p', [['a', TYPES.Int, 21], ['b', TYPES.Int, null, undefined, true]], 'callProcedure');
  say('procedure', [called.rows, called.outputs.b, called.status]);
  say('message', messages.includes('said'));
  await run(c, '\nSELECT 1/0').catch((error) => say('error', [error.number, error.state, error.class, error.lineNumber]));
  await done((next) => c.beginTransaction(next, 'tx', ISOLATION_LEVEL.READ_COMMITTED));
  await run(c, 'CREATE TABLE gone (a int)');
  await done((next) => c.rollbackTransaction(next));
  say('rollback', (await run(c, "SELECT OBJECT_ID('gone')")).rows);
  await run(c, 'CREATE TABLE bulked (a int, s nvarchar(20))', [], 'execSqlBatch');
  await new Promise((resolve, reject) => {
    const load = c.newBulkLoad('bulked', (error, count) => (error ? reject(error) : resolve(say('bulk', count))));
    load.addColumn('a', TYPES.Int, { nullable: true });
    load.addColumn('s', TYPES.NVarChar, { length: 20, nullable: true });
    c.execBulkLoad(load, Array.from({ length: 500 }, (_, n) => [n, `ж${n}`]));
  });
  say('loaded', (await run(c, 'SELECT SUM(a), MAX(s) FROM bulked')).rows);
  await run(c, 'CREATE TYPE Ids AS TABLE (id int, s nvarchar(10))', [], 'execSqlBatch');
  const table = { schema: 'dbo', name: 'Ids', columns: [{ name: 'id', type: TYPES.Int }, { name: 's', type: TYPES.NVarChar, length: 10 }], rows: [[1, 'a'], [2, 'b']] };
  say('table', (await run(c, 'SELECT SUM(id) FROM @t', [['t', TYPES.TVP, table]])).rows);
  await new Promise((resolve) => {
    c.execSql(new Request("WAITFOR DELAY '00:01:00'", (error) => resolve(say('cancel', error && error.code))));
    setTimeout(() => c.cancel(), 50);
  });
  await done((next) => c.reset(next));
  say('reset', (await run(c, 'SELECT @@TRANCOUNT')).rows);
  c.close();
}

main().catch((error) => { console.error(error); process.exit(1); });
