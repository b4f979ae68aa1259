import { Browser } from '../lib/browser.mjs';
import { copyServer, openRoute, startGatehouse } from '../lib/gatehouse.mjs';
import { check, echoCall, modernEchoCall } from '../lib/mcp.mjs';
import { startProvider } from '../lib/provider.mjs';
import { Stage } from '../lib/stage.mjs';
import { measureCell } from './gateway.mjs';

const SERVER_TOKEN = 'server_token';
const USER_TOKEN = 'user_token';
const OAUTH = 'oauth';
const CONNECTIONS = 32;
const PASSWORD = 'a few words in a row';

/** The same calls through integrations of three auth modes: what a person's own credential costs. */
export async function measureCredentials({ postgresql, settings }) {
  const stage = new Stage(postgresql);
  const upstream = await stage.startUpstream();
  const provider = await startProvider(upstream.token);
  const databaseUrl = await postgresql.createDatabase();
  const gatehouse = await startGatehouse({ main: copyServer('server'), databaseUrl });
  const { pid, port, token } = gatehouse;
  const endpoints = [];
  for (const [name, open] of [
    [SERVER_TOKEN, () => openRoute(gatehouse, upstream)],
    [USER_TOKEN, () => openTokenRoute(gatehouse, upstream)],
    [OAUTH, () => openOauthRoute(gatehouse, upstream, provider)],
  ]) {
    endpoints.push({ name, pid, port, token, path: await open() });
  }
  const cells = [];
  for (const [title, make] of [
    ['tools/call by auth mode, 32 connections', echoCall],
    ['tools/call of MCP 2026-07-28 by auth mode, 32 connections', modernEchoCall],
  ]) {
    cells.push(await measureCalls({ title, make, endpoints, settings, postgresql }));
    settings.report(cells.at(-1));
  }
  provider.close();
  await gatehouse.stop();
  await stage.close();
  return { part: 'credentials', cells };
}

async function measureCalls({ title, make, endpoints, settings, postgresql }) {
  const operate = async ({ endpoint, sessionId, connection }) => {
    const { bytes, expected } = make(endpoint, sessionId);
    check(await connection.exchange(bytes), expected);
  };
  const given = { operate, settings, postgresqlPid: postgresql.pid, reference: USER_TOKEN };
  const rows = await measureCell(endpoints, CONNECTIONS, given);
  return { title, kind: 'calls', reference: USER_TOKEN, rows };
}

/** Every user enters their own token. */
async function openTokenRoute(gatehouse, upstream) {
  const path = await openRoute(gatehouse, upstream, { authMode: USER_TOKEN });
  const { token } = upstream;
  await gatehouse.api('POST', `/integrations/${integrationOf(path)}/connection`, { token });
  return path;
}

/** Everybody has an account at the provider; the caller connects theirs with the pages. */
export async function openOauthRoute(gatehouse, upstream, { issuer }) {
  const path = await openRoute(gatehouse, upstream, { authMode: OAUTH });
  const id = integrationOf(path);
  const client = { clientId: 'bench', clientSecret: 'secret-of-the-bench' };
  const oauth = { provider: 'bench', issuer, scopes: [], ...client };
  await gatehouse.api('PUT', `/integrations/${id}/oauth`, oauth);
  const browser = await signIn(gatehouse);
  const page = await browser.open(`/connect?integration=${id}`);
  const connected = await browser.submit(page, { decision: 'connect' });
  if (!connected.includes('onnected')) throw new Error(`Not connected: ${connected}`);
  return path;
}

/** A browser in which the caller is signed in. */
export async function signIn({ api }) {
  const me = await api('GET', '/me');
  const { url } = await api('POST', `/members/${me.user.id}/sign-in-link`);
  const browser = new Browser(new URL(url).origin);
  await browser.submit(await browser.open(url), { password: PASSWORD, repeated: PASSWORD });
  return browser;
}

const integrationOf = (path) => path.split('/')[3];
