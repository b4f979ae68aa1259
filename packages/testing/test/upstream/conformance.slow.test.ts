import {
  type BearerForwarder,
  CONFORMANCE_RUNS,
  type ConformanceRun,
  conformanceVerdicts,
  findFreePort,
  passedScenarios,
  requiredScenarios,
  runAuthorizationConformance,
  runConformance,
  startBearerForwarder,
} from '@gatehouse/harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startUpstream, type Upstream } from '../../src/upstream/start-upstream.ts';

let open: Upstream;
let guarded: Upstream;
let forwarder: BearerForwarder;

beforeAll(async () => {
  open = await startUpstream();
  guarded = await startUpstream({ requireBearer: 'the-token' });
  forwarder = await startBearerForwarder({ target: guarded.url, token: 'the-token' });
});

afterAll(async () => {
  await Promise.all([open.close(), guarded.close(), forwarder.close()]);
});

describe.each(CONFORMANCE_RUNS)('conformance $tool $args', ({ tool, args, scored }) => {
  let direct: ConformanceRun;
  let forwarded: ConformanceRun;

  beforeAll(async () => {
    [direct, forwarded] = await Promise.all([
      runConformance({ tool, args, url: open.url }),
      runConformance({ tool, args, url: forwarder.url }),
    ]);
  }, 180_000);

  it('is passed by the reference upstream in every scored scenario', async () => {
    const [option, value] = args;
    const names = option === '--requirements' ? await requiredScenarios(value) : undefined;
    expect(passedScenarios(direct, names)).toHaveLength(scored);
    expect(direct.exitCode, direct.output).toBe(0);
  });

  it('finds through the bearer forwarder exactly what it finds directly', () => {
    expect(conformanceVerdicts(direct).length).toBeGreaterThan(scored);
    expect(conformanceVerdicts(forwarded)).toEqual(conformanceVerdicts(direct));
    expect(forwarded.exitCode).toBe(0);
  });
});

it('reports the failures of a server that refuses every request', async () => {
  const [first] = CONFORMANCE_RUNS;
  const run = await runConformance({ ...first, args: ['--scenario', 'ping'], url: guarded.url });
  expect(run.exitCode).not.toBe(0);
  expect(passedScenarios(run)).toEqual([]);
});

it('reports the failures of a server that is no authorization server', async () => {
  const run = await runAuthorizationConformance({
    issuer: new URL(open.url).origin,
    clientId: 'client',
    resource: open.url,
    port: await findFreePort(),
    visit: () => Promise.reject(new Error('There is nothing to visit.')),
  });
  expect(run.exitCode).not.toBe(0);
  expect(run.scenarios).toHaveLength(2);
  expect(passedScenarios(run)).toEqual([]);
});
