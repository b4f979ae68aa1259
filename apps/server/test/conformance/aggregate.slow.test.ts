import {
  CONFORMANCE_RUNS,
  type ConformanceOptions,
  type ConformanceRun,
  conformanceVerdicts,
  runConformance,
  startBearerForwarder,
} from '@gatehouse/harness';
import { startUpstream, type UpstreamOptions } from '@gatehouse/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { useFixture } from '../gateway/fixture.ts';
import { use } from '../support/use.ts';
import { differencesOf, EXPECTED_DIFFERENCES, UNDECIDED } from './between-eras.ts';

const SECRET = 'the-token-of-the-organization';
const MODE = { authMode: 'server_token', serverToken: SECRET };

type Tool = Pick<ConformanceOptions, 'tool' | 'args'>;
type Spoken = Pick<UpstreamOptions, 'era'>;

const fixture = useFixture();
const other = use(() => startUpstream({ requireBearer: SECRET }));

/** A new upstream, attached without a prefix, beside another one. One that speaks both eras is not validated before. */
async function throughAggregate(options: Tool, spoken: Spoken): Promise<ConformanceRun> {
  const upstream = await startUpstream({ ...spoken, requireBearer: SECRET });
  const { server, applicationId, integrate, api } = fixture;
  const id = await integrate({ ...MODE, name: 'Reference', url: upstream.url }, {});
  if (spoken.era !== undefined) await api('POST', `/integrations/${id}/validate`);
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

/** @param client the era of the suite's clients */
function expectedOf({ tool }: Tool, client: 'legacy' | 'modern', { era = client }: Spoken) {
  const { inOneEra, legacyClient, modernClient } = EXPECTED_DIFFERENCES;
  if (era !== client) return client === 'legacy' ? legacyClient[tool] : modernClient;
  // The suite of the modern era does not have that scenario.
  return client === 'legacy' ? inOneEra : {};
}

beforeAll(async () => {
  const id = await fixture.integrate({ ...MODE, name: 'Other', url: other.url });
  // It has the same resources, which would be its own.
  await fixture.api('PUT', `/integrations/${id}/policy`, { resources: { deny: ['*'] } });
});

describe.each(CONFORMANCE_RUNS)('conformance $tool $args', ({ tool, args, scored }) => {
  const client = args[1] === '2026-07-28' ? 'modern' : 'legacy';
  let direct: ConformanceRun;

  beforeAll(async () => {
    const open = await startUpstream();
    direct = await runConformance({ tool, args, url: open.url });
    await open.close();
    expect(conformanceVerdicts(direct).length).toBeGreaterThan(scored);
  }, 180_000);

  it.each([
    ['the legacy era', { era: 'legacy' }],
    ['the modern era', { era: 'modern' }],
    ['both eras', {}],
  ] as const)(
    'finds at the one URL of a server of %s what it finds directly, but for what is listed',
    async (_, spoken) => {
      const run = await throughAggregate({ tool, args }, spoken);
      const expected = expectedOf({ tool, args }, client, spoken);
      const isTranslated = client === 'modern' && 'era' in spoken && spoken.era === 'legacy';
      const undecided: ReadonlySet<string> = isTranslated ? UNDECIDED : new Set();
      expect(differencesOf(run, direct, undecided), run.output).toEqual(expected);
    },
    180_000,
  );
});
