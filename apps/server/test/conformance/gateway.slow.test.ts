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

const TOKENS = ['personal token', 'OAuth token'] as const;

/** The gateway's URL of an upstream that wants the server token, behind a forwarder that adds the caller's. */
async function throughGateway(
  upstream: Upstream,
  kind: (typeof TOKENS)[number],
): Promise<BearerForwarder> {
  const { url } = upstream;
  const mode = { authMode: 'server_token', serverToken: SERVER_TOKEN };
  const client = await createClient(server, { url, ...mode });
  const { body } = await obtainTokens(server, await signedInBrowser(server), client);
  const token = kind === 'OAuth token' ? body.access_token : server.owner;
  return startBearerForwarder({ target: client.mcpUrl, token });
}

async function runThroughGateway(
  kind: (typeof TOKENS)[number],
  options: Pick<ConformanceOptions, 'tool' | 'args'>,
): Promise<ConformanceRun> {
  const guarded = await startUpstream({ requireBearer: SERVER_TOKEN });
  const forwarder = await throughGateway(guarded, kind);
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

  describe.each(TOKENS)('with a %s', (kind) => {
    let proxied: ConformanceRun;

    beforeAll(async () => {
      proxied = await runThroughGateway(kind, { tool, args });
    }, 180_000);

    it('is passed through the gateway in every scored scenario', async () => {
      const [option, value] = args;
      const names = option === '--requirements' ? await requiredScenarios(value) : undefined;
      expect(passedScenarios(proxied, names)).toHaveLength(scored);
      expect(proxied.exitCode, proxied.output).toBe(0);
    });

    it('finds through the gateway exactly what it finds directly, check by check', () => {
      expect(conformanceVerdicts(direct).length).toBeGreaterThan(scored);
      expect(conformanceVerdicts(proxied)).toEqual(conformanceVerdicts(direct));
    });
  });
});
