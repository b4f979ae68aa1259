import {
  type BearerForwarder,
  CONFORMANCE_RUNS,
  type ConformanceOptions,
  type ConformanceRun,
  conformanceVerdicts,
  passedScenarios,
  requiredScenarios,
  runConformance,
  startBearerForwarder,
} from '@gatehouse/harness';
import { startUpstream, type Upstream } from '@gatehouse/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { createClient, obtainTokens, signedInBrowser } from '../authorization-server/fixture.ts';
import { useServer } from '../support/server.ts';

const SERVER_TOKEN = 'the-token-of-the-organization';

const server = useServer();

const RULED = 'with a personal token, under rules that allow all';
const WAYS = ['with an OAuth token', RULED] as const;

/** Rules about names refuse `tasks/list` where the upstream takes everyone for one caller. */
const REFUSED = 'tasks-removed-tasks-list';

const ALL = { allow: ['*'] };

/** The gateway's URL of an upstream that wants the server token, behind a forwarder that adds the caller's. */
async function throughGateway(
  upstream: Upstream,
  way: (typeof WAYS)[number],
): Promise<BearerForwarder> {
  const { url } = upstream;
  const mode = { authMode: 'server_token', serverToken: SERVER_TOKEN };
  const client = await createClient(server, { url, ...mode });
  const { body } = await obtainTokens(server, await signedInBrowser(server), client);
  const token = way === 'with an OAuth token' ? body.access_token : server.owner;
  if (way === RULED) {
    const integrationId = client.mcpUrl.split('/').at(-1);
    const rules = { roles: ['owner'], tools: ALL, prompts: ALL, resources: ALL };
    await server.call('PUT', `/integrations/${integrationId}/policy`, { token, body: rules });
  }
  return startBearerForwarder({ target: client.mcpUrl, token });
}

async function runThroughGateway(
  way: (typeof WAYS)[number],
  options: Pick<ConformanceOptions, 'tool' | 'args'>,
): Promise<ConformanceRun> {
  const guarded = await startUpstream({ requireBearer: SERVER_TOKEN });
  const forwarder = await throughGateway(guarded, way);
  const run = await runConformance({ ...options, url: forwarder.url });
  await Promise.all([guarded.close(), forwarder.close()]);
  return run;
}

describe.each(CONFORMANCE_RUNS)('conformance $tool $args', ({ tool, args, scored }) => {
  let direct: ConformanceRun;

  beforeAll(async () => {
    const open = await startUpstream();
    direct = await runConformance({ tool, args, url: open.url });
    await open.close();
  }, 180_000);

  describe.each(WAYS)('%s', (way) => {
    let proxied: ConformanceRun;

    beforeAll(async () => {
      proxied = await runThroughGateway(way, { tool, args });
    }, 180_000);

    it('is passed through the gateway in every scored scenario', async () => {
      const [option, value] = args;
      const names = option === '--requirements' ? await requiredScenarios(value) : undefined;
      expect(passedScenarios(proxied, names)).toHaveLength(scored);
      expect(proxied.exitCode, proxied.output).toBe(0);
    });

    it('finds through the gateway exactly what it finds directly, check by check', () => {
      expect(conformanceVerdicts(direct).length).toBeGreaterThan(scored);
      const isSame = (verdict: string) => way !== RULED || !verdict.includes(REFUSED);
      expect(conformanceVerdicts(proxied).filter(isSame)).toEqual(
        conformanceVerdicts(direct).filter(isSame),
      );
    });
  });
});
