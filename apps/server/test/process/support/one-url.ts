import { setTimeout as delay } from 'node:timers/promises';
import type { LaunchedGatehouse } from '@gatehouse/harness';
import pg from 'pg';
import {
  type ScriptedServer,
  startScriptedServer,
} from '../../gateway/aggregate/scripted-server.ts';
import { type Api, createApi } from './api.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { addMember, randomSecret, type TestMember } from './routes.ts';
import { startServer } from './servers.ts';
import { createEmptyPostgresql } from './stores.ts';

export const ALIASES = ['one', 'two'] as const;

/** Two nodes behind a balancer, and an application with two integrations, of which each has its own server. */
export interface OneUrl {
  readonly nodes: [LaunchedGatehouse, LaunchedGatehouse];
  readonly balancer: Balancer;
  /** The owner, at either node. */
  readonly api: Api;
  readonly applicationId: string;
  /** Of the application, at the balancer. */
  readonly url: string;
  readonly people: readonly TestMember[];
  readonly servers: readonly ScriptedServer[];
  /** A server that speaks both eras, attached. */
  attach(name: string): Promise<ScriptedServer>;
  /** At the same port as before. */
  startAgain(index: 0 | 1): Promise<void>;
  close(): Promise<void>;
}

export async function startOneUrl(): Promise<OneUrl> {
  const database = await createEmptyPostgresql();
  const { databaseUrl } = database.config;
  const balancer = await startBalancer();
  const bootstrapToken = randomSecret();
  const env = { GATEHOUSE_PUBLIC_URL: balancer.origin };
  const start = (port?: number) =>
    startServer({ databaseUrl, bootstrapToken, env, ...(port !== undefined && { port }) });
  const nodes: OneUrl['nodes'] = [await start(), await start()];
  balancer.setPorts(nodes.map(({ port }) => port));
  const api = createApi({ baseUrl: `${balancer.origin}/api/v1`, bootstrapToken });
  const created = await api.expect(201, 'POST', '/applications', {
    body: { name: 'All', oauth: { type: 'public', redirectUris: ['http://localhost/cb'] } },
  });
  const applicationId: string = created.body.application.id;
  const rows = new pg.Client({ connectionString: databaseUrl });
  await rows.connect();
  const servers: ScriptedServer[] = [];
  const attach: OneUrl['attach'] = async (name) => {
    const server = await startScriptedServer(name, ANNOUNCED);
    servers.push(server);
    echoAndStream(server);
    const { url } = server;
    const { body } = await api.expect(201, 'POST', '/integrations', { body: { name, url } });
    const { id } = body.integration;
    const eras = JSON.stringify({ url, legacy: '2025-11-25', modern: '2026-07-28' });
    await rows.query('UPDATE "Integration" SET "spokenEras" = $2 WHERE "id" = $1', [id, eras]);
    await api.expect(204, 'POST', `/applications/${applicationId}/integrations/${id}`);
    return server;
  };
  for (const alias of ALIASES) await attach(alias);
  const people = [await addMember(api), await addMember(api)];
  return {
    ...{ nodes, balancer, api, applicationId, people, servers, attach },
    url: `${balancer.origin}/mcp/${applicationId}`,
    async startAgain(index) {
      nodes[index] = await start(nodes[index].port);
    },
    async close() {
      await Promise.all(nodes.map((node) => node.kill9()));
      await Promise.all([...servers.map((server) => server.close()), rows.end()]);
      await balancer.close();
      await database.drop();
    },
  };
}

/** Modern clients listen only to servers that announce what they ask for. */
const ANNOUNCED = { tools: { listChanged: true }, prompts: { listChanged: true } };

/** It opens the streams of its clients, and answers a call with its arguments, which say when. */
function echoAndStream(server: ScriptedServer): void {
  for (const method of ['GET', 'subscriptions/listen']) {
    server.on(method, ({ startSse }) => startSse());
  }
  server.on('tools/call', async ({ request, respondResult }) => {
    const { params } = JSON.parse(request.body.toString());
    await delay(params.arguments.takes);
    respondResult({ content: [{ type: 'text', text: JSON.stringify(params.arguments) }] });
  });
}
