import { expect, it } from 'vitest';
import type { CallOutcome, CallRecord } from '../../src/gateway/call-record.ts';
import { createIntegrationCounter } from '../../src/gateway/integration-metrics.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { readExposition, valueIn } from '../support/exposition.ts';

const RESULTS = ['ok', 'refused', 'credential', 'failed'];
const NAME = 'gatehouse_integration_calls_total';

function recordOf(integrationId: string | undefined, outcome: CallOutcome, status: number) {
  const record: CallRecord = {
    isOpenEnded: false,
    requestId: 'r',
    method: 'POST',
    era: 'modern',
    outcome,
    status,
    startedAt: 0,
    endedAt: 1,
    ms: 1,
    caller: undefined,
    applicationId: undefined,
    integrationId,
    credentialSource: integrationId === undefined ? undefined : 'none',
    messages: [],
    bytesIn: 0,
    bytesOut: 0,
    reasons: [],
    sessionId: undefined,
    address: undefined,
  };
  return record;
}

function counter() {
  const metrics = createMetrics();
  const { ended } = createIntegrationCounter(metrics);
  const text = () => metrics.registry.getSingleMetricAsString(NAME);
  const count = async (integration: string) => {
    const scraped = await text();
    const results = RESULTS;
    return results.map((result) =>
      valueIn(scraped, `${NAME}{integration="${integration}",result="${result}"}`),
    );
  };
  return { ended, count, text };
}

it.each<[CallOutcome, number, string]>([
  ['relayed', 200, 'ok'],
  ['relayed', 404, 'ok'],
  ['relayed', 503, 'failed'],
  ['refused', 413, 'refused'],
  ['refused', 503, 'refused'],
  ['credential', 200, 'credential'],
  ['connect', 200, 'ok'],
  ['upstream_failed', 502, 'failed'],
  ['upstream_failed', 200, 'failed'],
  ['too_large', 413, 'refused'],
  ['too_large', 502, 'failed'],
  ['deadline', 504, 'failed'],
  ['client_left', 0, 'ok'],
  ['cut', 503, 'ok'],
])('a call that ended as %s with %i is counted for its integration as %s', async (...given) => {
  const [outcome, status, result] = given;
  const { ended, count } = counter();
  ended(recordOf('one', outcome, status));
  const expected = RESULTS.map((each) => Number(each === result));
  expect(await count('one')).toEqual(expected);
  expect(await count('one'), 'a scrape takes nothing away').toEqual(expected);
});

it('a call that was not admitted is counted for no integration', async () => {
  const { ended, text } = counter();
  ended(recordOf(undefined, 'refused', 401));
  expect(readExposition(await text())).toMatchObject([{ name: NAME, samples: [] }]);
});

it('the first 200 integrations have their own label value, and the rest share one', async () => {
  const { ended, count, text } = counter();
  for (let number = 1; number <= 1_000; number += 1) {
    ended(recordOf(`id-${number}`, 'relayed', 200));
  }
  for (const id of ['id-200', 'id-900']) ended(recordOf(id, 'upstream_failed', 502));
  expect(await count('id-1')).toEqual([1, 0, 0, 0]);
  expect(await count('id-200')).toEqual([1, 0, 0, 1]);
  expect(await count('id-201')).toEqual(RESULTS.map(() => undefined));
  expect(await count('other')).toEqual([800, 0, 0, 1]);
  const [metric] = readExposition(await text());
  expect(new Set(metric?.samples.map(({ integration }) => integration)).size).toBe(201);
});
