import { type FaultProxy, type LaunchedGatehouse, startFaultProxy } from '@gatehouse/harness';
import { type ScriptedUpstream, startScriptedUpstream } from '@gatehouse/testing';
import pg from 'pg';
import { createPostgresqlDatabase } from '../../support/database.ts';
import { type Api, createApi } from './api.ts';
import { type ListenerProxy, startListenerProxy } from './listener-proxy.ts';
import { startServer } from './servers.ts';

/** Two nodes on one PostgreSQL, the second behind proxies. */
export interface TwoNodes {
  /** Makes the changes. */
  readonly first: LaunchedGatehouse;
  /** Is to hold them. */
  readonly second: LaunchedGatehouse;
  /** The owner, at either node. */
  readonly api: { readonly first: Api; readonly second: Api };
  /** Answers every request with an empty result. */
  readonly upstream: ScriptedUpstream;
  /** Another origin that does the same. */
  readonly otherUpstream: ScriptedUpstream;
  readonly listenerProxy: ListenerProxy;
  /** Between the second node and the database, for all of its connections. */
  readonly databaseProxy: FaultProxy;
  /** Of the database itself. */
  readonly databaseUrl: string;
  /** The administrator's own connection to the database. */
  readonly database: pg.Client;
  /** Ends the second node's listening connections from the database's side. */
  terminateListener(): Promise<void>;
  close(): Promise<void>;
}

const SECOND_NODE = 'second-node';

/** Under which clients would reach both: the audience of OAuth tokens. */
const env = { GATEHOUSE_PUBLIC_URL: 'http://127.0.0.1:1' };

/** @param ofSecond further settings of the second node */
export async function startTwoNodes(
  ofSecond: Readonly<Record<string, string>> = {},
): Promise<TwoNodes> {
  const created = await createPostgresqlDatabase();
  const { databaseUrl } = created.config;
  const url = new URL(databaseUrl);
  const databaseProxy = await startFaultProxy({
    target: { host: url.hostname, port: Number(url.port || 5432) },
  });
  const listenerProxy = await startListenerProxy({
    host: databaseProxy.host,
    port: databaseProxy.port,
  });
  url.host = `127.0.0.1:${listenerProxy.port}`;
  url.searchParams.set('application_name', SECOND_NODE);

  const first = await startServer({ databaseUrl, env });
  const second = await startServer({
    databaseUrl: url.href,
    bootstrapToken: first.bootstrapToken,
    env: { ...env, ...ofSecond },
  });
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  const [upstream, otherUpstream] = await Promise.all([startAnswering(), startAnswering()]);
  return {
    first,
    second,
    api: { first: createApi(first), second: createApi(second) },
    upstream,
    otherUpstream,
    listenerProxy,
    databaseProxy,
    databaseUrl,
    database,
    async terminateListener() {
      const { rowCount } = await database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name = $1 AND query LIKE 'LISTEN%'`,
        [SECOND_NODE],
      );
      if (rowCount !== 1) throw new Error(`${rowCount} connections were terminated, not one`);
    },
    async close() {
      await Promise.all([first.stop(), second.stop()]);
      await Promise.all([upstream.close(), otherUpstream.close(), database.end()]);
      await Promise.all([listenerProxy.close(), databaseProxy.close()]);
      await created.drop();
    },
  };
}

async function startAnswering(): Promise<ScriptedUpstream> {
  const upstream = await startScriptedUpstream();
  upstream.otherwise((exchange) => {
    const { method } = exchange.message ?? {};
    if (method === 'initialize') {
      exchange.respondResult({}, { 'Mcp-Session-Id': `upstream-session-${crypto.randomUUID()}` });
    } else if (method === 'stream') exchange.startSse();
    else exchange.respondResult({});
  });
  return upstream;
}
