import { expect, it } from 'vitest';
import { longestHold } from '../../support/holds.ts';
import { useRules } from './fixture.ts';

const { fixture, setRules, post } = useRules();

/** As slow to match as patterns can be: each piece is nearly found, again and again. */
const hostile = Array.from(
  { length: 500 },
  (_, index) => `*${'a'.repeat(60)}b*${'a'.repeat(60)}${String(index).padStart(3, '0')}*`,
);
const NAME = 'a'.repeat(2_000);

/** Milliseconds that a list may hold the process longer than one that is relayed, or filtered by names alone. */
const LIST_HOLD = 20;

/** Milliseconds that a batch may: a free machine needs 20, and this leaves room for a slow one. */
const HOLD = 50;

it('a list of 2,000 entries under the slowest rules lets others have their turn', async () => {
  const description = 'd'.repeat(1_000);
  const tools = Array.from({ length: 2_000 }, (_, index) => ({ name: `t${index}`, description }));
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools } });
  const headers = { 'content-type': 'application/json' };
  fixture.upstream.otherwise(({ respond }) => respond({ body, headers }));
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  // Client and upstream are in this process too.
  await post(list);
  const relayed = await longestHold(() => post(list));
  await setRules({ tools: { deny: hostile } });
  // Compiled first: that is no part of a hold.
  await post(list);
  let text = '';
  const limit = relayed + LIST_HOLD;
  const filtered = await longestHold(async () => ({ text } = await post(list)), limit);
  expect(JSON.parse(text).result.tools).toHaveLength(2_000);
  expect(filtered).toBeLessThanOrEqual(limit);
});

it('a batch of long names under the slowest rules lets others have their turn', async () => {
  await setRules({ tools: { deny: hostile } });
  fixture.upstream.otherwise(({ respond }) => respond({ body: [] }));
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: NAME } };
  const hold = await longestHold(() => post(Array.from({ length: 100 }, () => call)), HOLD);
  expect(hold).toBeLessThanOrEqual(HOLD);
});

it('a list of the slowest definitions lets others have their turn while tools are pinned', async () => {
  const keys = Array.from({ length: 7_000 }, (_, index) => `"${index.toString(36)}":1`).join();
  let version = 0;
  fixture.upstream.otherwise(({ respond }) => {
    version += 1;
    const tools = Array.from(
      { length: 10 },
      (_, index) => `{"name":"k${index}","title":"${version}","inputSchema":{${keys}}}`,
    );
    const headers = { 'content-type': 'application/json' };
    respond({ headers, body: `{"jsonrpc":"2.0","id":1,"result":{"tools":[${tools}]}}` });
  });
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  await setRules({ tools: { deny: ['x'] } });
  await post(list);
  const byName = await longestHold(() => post(list));
  await setRules({ tools: { pinned: 'definition' } });
  await post(list);
  const limit = byName + LIST_HOLD;
  expect(await longestHold(() => post(list), limit)).toBeLessThanOrEqual(limit);
});
