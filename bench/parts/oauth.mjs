import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { bundleTarget } from '../lib/bundle.mjs';
import { copyServer, openRoute, startGatehouse } from '../lib/gatehouse.mjs';
import { Connection, requestBytes } from '../lib/http-client.mjs';
import { check, echoCall, modernEchoCall } from '../lib/mcp.mjs';
import { Stage } from '../lib/stage.mjs';
import { measureCell } from './gateway.mjs';

const PERSONAL = 'personal access token';
const OAUTH = 'OAuth access token';
const CONNECTIONS = 32;

/** Requests to the token endpoint, and sign-ins, of which the median is taken. */
const TOKEN_REQUESTS = 400;
const SIGN_INS = 12;

/** Calls with an OAuth token compared with the same calls with a personal one, and what tokens and sign-in cost. */
export async function measureOauth({ postgresql, settings }) {
  const stage = new Stage(postgresql);
  const upstream = await stage.startUpstream();
  const databaseUrl = await postgresql.createDatabase();
  const gatehouse = await startGatehouse({ main: copyServer('server'), databaseUrl });
  const path = await openRoute(gatehouse, upstream);
  const client = await makeConfidential(gatehouse, path);
  const { access_token: oauthToken } = await requestToken(gatehouse, client);
  const endpoint = { pid: gatehouse.pid, port: gatehouse.port, path };
  const endpoints = [
    { ...endpoint, name: PERSONAL, token: gatehouse.token },
    { ...endpoint, name: OAUTH, token: oauthToken },
  ];
  const cells = [];
  for (const [title, make] of [
    ['tools/call, 32 connections', echoCall],
    ['tools/call of MCP 2026-07-28, 32 connections', modernEchoCall],
  ]) {
    cells.push(await measureCalls({ title, make, endpoints, settings, postgresql }));
    settings.report(cells.at(-1));
  }
  const notes = [
    await tokenNote(gatehouse, client),
    await signInNote(gatehouse),
    await sweepNote(databaseUrl),
  ];
  await gatehouse.stop();
  await stage.close();
  return { part: 'oauth', cells, notes };
}

async function measureCalls({ title, make, endpoints, settings, postgresql }) {
  const operate = async ({ endpoint, sessionId, connection }) => {
    const { bytes, expected } = make(endpoint, sessionId);
    check(await connection.exchange(bytes), expected);
  };
  const given = { operate, settings, postgresqlPid: postgresql.pid, reference: PERSONAL };
  const rows = await measureCell(endpoints, CONNECTIONS, given);
  return { title, kind: 'calls', reference: PERSONAL, rows };
}

/** The application of a gateway URL gets a secret, by which it acts for itself. */
async function makeConfidential({ api }, path) {
  const [, , id] = path.split('/');
  await api('PATCH', `/applications/${id}/oauth`, { type: 'confidential' });
  const { oauth } = await api('POST', `/applications/${id}/rotate-secret`);
  return { id, secret: oauth.clientSecret };
}

async function requestToken({ port }, { id, secret }) {
  const response = await fetch(`http://127.0.0.1:${port}/oauth/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  if (response.status !== 200) throw new Error(`token: ${await response.text()}`);
  return response.json();
}

async function tokenNote(gatehouse, { id, secret }) {
  const connection = new Connection(gatehouse.port);
  const body = 'grant_type=client_credentials';
  const bytes = requestBytes(
    'POST',
    '/oauth/token',
    [
      `Authorization: Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
      'Content-Type: application/x-www-form-urlencoded',
    ],
    body,
  );
  const times = [];
  for (let count = 0; count < TOKEN_REQUESTS; count += 1) {
    const start = performance.now();
    const { status } = await connection.exchange(bytes);
    if (status !== 200) throw new Error(`token: ${status}`);
    times.push(performance.now() - start);
  }
  connection.close();
  return `A token request takes ${medianOf(times).toFixed(1)} ms, one after another.`;
}

/** With a wrong password, which takes as long as with the right one. */
async function signInNote({ port }) {
  const origin = `http://127.0.0.1:${port}`;
  const times = [];
  for (let count = 0; count < SIGN_INS; count += 1) {
    const page = await fetch(`${origin}/sign-in`);
    const cookie = page.headers.getSetCookie().map((one) => one.split(';')[0]);
    const [, token] = /name="form_token" value="([^"]*)"/.exec(await page.text()) ?? [];
    const start = performance.now();
    const response = await fetch(`${origin}/sign-in`, {
      method: 'POST',
      headers: { Origin: origin, Cookie: cookie.join('; ') },
      body: new URLSearchParams({
        form_token: token,
        email: `nobody-${count}@example.com`,
        password: 'not the right one',
      }),
    });
    if (response.status !== 403) throw new Error(`sign-in: ${response.status}`);
    times.push(performance.now() - start);
  }
  return `A sign-in takes ${medianOf(times).toFixed(0)} ms, nearly all of it scrypt.`;
}

async function sweepNote(databaseUrl) {
  const target = await bundleTarget('sweep');
  const { stdout } = await promisify(execFile)(process.execPath, [target, databaseUrl]);
  return stdout.trim();
}

function medianOf(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
