import {
  type BearerForwarder,
  CONFORMANCE_RUNS,
  type ConformanceRun,
  conformanceVerdicts,
  passedScenarios,
  requiredScenarios,
  runConformance,
  startBearerForwarder,
  startUpstream,
  type Upstream,
} from '@gatehouse/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { useServer } from '../support/server.ts';

const SERVER_TOKEN = 'the-token-of-the-organization';

const server = useServer();

/** The gateway's URL of an upstream that wants the server token, behind a forwarder that adds the caller's. */
async function throughGateway(upstream: Upstream): Promise<BearerForwarder> {
  const { body: made } = await server.call('POST', '/integrations', {
    body: { name: 'I', url: upstream.url, authMode: 'server_token', serverToken: SERVER_TOKEN },
  });
  const { body: created } = await server.call('POST', '/applications', {
    body: { name: 'A', oauth: { type: 'public', redirectUris: ['https://a.example/cb'] } },
  });
  const [integration, application] = [made.integration.id, created.application.id];
  await server.call('POST', `/applications/${application}/integrations/${integration}`);
  return startBearerForwarder({
    target: `${server.origin}/mcp/${application}/${integration}`,
    token: server.owner,
  });
}

describe.each(CONFORMANCE_RUNS)('conformance $tool $args', ({ tool, args, scored }) => {
  let direct: ConformanceRun;
  let proxied: ConformanceRun;

  beforeAll(async () => {
    const open = await startUpstream();
    const guarded = await startUpstream({ requireBearer: SERVER_TOKEN });
    const forwarder = await throughGateway(guarded);
    [direct, proxied] = await Promise.all([
      runConformance({ tool, args, url: open.url }),
      runConformance({ tool, args, url: forwarder.url }),
    ]);
    await Promise.all([open.close(), guarded.close(), forwarder.close()]);
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
