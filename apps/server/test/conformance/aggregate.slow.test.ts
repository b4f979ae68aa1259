import {
  CONFORMANCE_RUNS,
  type ConformanceRun,
  conformanceVerdicts,
  runConformance,
  startBearerForwarder,
} from '@gatehouse/harness';
import { startUpstream } from '@gatehouse/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { useFixture } from '../gateway/fixture.ts';
import { use } from '../support/use.ts';

const SECRET = 'the-token-of-the-organization';

const fixture = useFixture();
const other = use(() => startUpstream({ requireBearer: SECRET }));

/** A new upstream, attached without a prefix, beside another one. */
async function throughAggregate(
  options: Pick<Parameters<typeof runConformance>[0], 'tool' | 'args'>,
) {
  const upstream = await startUpstream({ requireBearer: SECRET });
  const mode = { authMode: 'server_token', serverToken: SECRET };
  const { server, applicationId, integrate, api } = fixture;
  const id = await integrate({ ...mode, name: 'Reference', url: upstream.url });
  const path = `/applications/${applicationId}/integrations/${id}`;
  await api('PATCH', path, { alias: '' });
  const forwarder = await startBearerForwarder({
    target: `${server.origin}/mcp/${applicationId}`,
    token: server.owner,
  });
  const run = await runConformance({ ...options, url: forwarder.url });
  await api('DELETE', path);
  await Promise.all([upstream.close(), forwarder.close()]);
  return run;
}

beforeAll(async () => {
  const mode = { authMode: 'server_token', serverToken: SECRET };
  await fixture.integrate({ ...mode, name: 'Other', url: other.url });
});

/** Lists are JSON, and so no streams that this check could look at. */
const NOT_REACHED = 'server-sse-streams-functional';

describe.each(CONFORMANCE_RUNS)('conformance $tool $args', ({ tool, args, scored }) => {
  let direct: ConformanceRun;
  let aggregated: ConformanceRun;

  beforeAll(async () => {
    const open = await startUpstream();
    direct = await runConformance({ tool, args, url: open.url });
    await open.close();
    aggregated = await throughAggregate({ tool, args });
  }, 360_000);

  it('finds at the one URL what it finds directly, check by check', () => {
    const isSame = (verdict: string) => !verdict.includes(NOT_REACHED);
    expect(conformanceVerdicts(direct).length).toBeGreaterThan(scored);
    expect(conformanceVerdicts(aggregated)).toEqual(conformanceVerdicts(direct).filter(isSame));
  });
});
