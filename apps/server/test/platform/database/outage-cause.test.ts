import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { findFreePort } from '@gatehouse/harness';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/platform/database/open-database.ts';

/** Answers every connection with an error, as PostgreSQL does (its protocol 3.0, `ErrorResponse`). */
async function startRefusing(sqlState: string): Promise<number> {
  const fields = Buffer.from(`SFATAL\0C${sqlState}\0Mpassword hunter2 of gatehouse\0\0`);
  const length = Buffer.alloc(4);
  length.writeInt32BE(fields.length + 4);
  const response = Buffer.concat([Buffer.from('E'), length, fields]);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function messageOf(host: string, port: number): Promise<string> {
  const databaseUrl = `postgresql://gatehouse:hunter2@${host}:${port}/gatehouse`;
  const start = openDatabase({ dataDir: '', databaseUrl }, { reachWithin: 0 });
  const error: unknown = await start.catch((failure: unknown) => failure);
  expect(error).toMatchObject({ name: 'DatabaseStartError', code: 'unreachable' });
  const message = error instanceof Error ? error.message : '';
  expect(message).not.toContain('hunter2');
  return message;
}

test.each([
  ['28P01', 'the user or the password is wrong', 'Check user and password.'],
  ['28000', 'it does not let the user in', 'Check that the role exists'],
  ['3D000', 'it has no database of that name', 'Check the name of the database'],
  ['53300', 'it has no connection left', 'Check max_connections'],
  ['57P03', 'it is starting or stopping', 'Look at the log of the server.'],
])('a server that refuses with %s is reported in words: %s', async (code, reason, advice) => {
  expect(await messageOf('127.0.0.1', await startRefusing(code))).toContain(
    `The database in DATABASE_URL cannot be used: ${reason} (${code}). ${advice}`,
  );
});

test('a port where nothing listens is reported in words', async () => {
  expect(await messageOf('127.0.0.1', await findFreePort())).toBe(
    'The database in DATABASE_URL cannot be used: the connection is refused (ECONNREFUSED). Check that the server runs, and that host and port are correct.',
  );
});

test('a host that no name server knows is reported in words', async () => {
  expect(await messageOf('nowhere.invalid', 5432)).toMatch(
    /cannot be used: the name of its host is unknown \((?:ENOTFOUND|EAI_\w+)\)\. Check the host/,
  );
});
