import type { Exchange } from '@gatehouse/testing';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { use } from '../../support/use.ts';
import { newApplication, openClient } from '../aggregate/aggregate-client.ts';
import { startScriptedServer } from '../aggregate/scripted-server.ts';
import { BOTH, clientOf, STATELESS, useFixture } from '../fixture.ts';
import { bodyOf, markerOf, type Said, said } from './answer.ts';
import { expectedOf, type Way } from './oracle.ts';

const ANSWERS = Number(process.env.GATEHOUSE_FUZZ_ANSWERS ?? 2_000);
const SEED = Number(process.env.GATEHOUSE_FUZZ_SEED ?? 40);

/** Answers that are under way at once. */
const AT_ONCE = 40;

const fixture = useFixture();
const server = use(() => startScriptedServer('any'));
const cases = new Map<string, Said>();

interface Target {
  readonly name: string;
  /** Undefined where every byte passes. */
  readonly way: Way | undefined;
  ask(key: string): Promise<string>;
}

const targets: Target[] = [];

const toolResult = (marker: string) => `{"content":[{"type":"text","text":"${marker}"}]}`;
const listResult = (marker: string) =>
  `{"tools":[{"name":"denied","description":"DENIED"},{"name":"fine","description":"${marker}"}]}`;

async function answer(exchange: Exchange, key: unknown, resultOf: (marker: string) => string) {
  const one = cases.get(String(key));
  if (one === undefined) return exchange.respondResult({ tools: [] });
  const body = Buffer.from(bodyOf(one, JSON.stringify(exchange.message?.id), resultOf));
  exchange.sendHead(200, { 'Content-Type': one.type });
  await exchange.send(body.subarray(0, one.cut));
  await exchange.send(body.subarray(one.cut));
  exchange.end();
}

beforeAll(async () => {
  const paramsOf = ({ request }: Exchange) => JSON.parse(request.body.toString()).params ?? {};
  server.on('tools/call', (exchange) =>
    answer(exchange, paramsOf(exchange).arguments?.case, toolResult),
  );
  server.on('tools/list', (exchange) => answer(exchange, paramsOf(exchange).cursor, listResult));
  const { owner, origin, store } = fixture.server;
  const applicationId = await newApplication(fixture);
  const eras = { both: BOTH, old: { legacy: '2025-11-25' }, new: { modern: '2026-07-28' } };
  for (const [name, spoken] of Object.entries(eras)) {
    const url = `${server.url}/${name}`;
    const id = await fixture.integrate({ name, url }, spoken);
    const spokenEras = { url, legacy: null, modern: null, ...spoken };
    await store.db.integration.update({ where: { id }, data: { spokenEras } });
    await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
  }
  for (const [era, alias] of [
    ['legacy', 'both'],
    ['modern', 'both'],
    ['legacy', 'new'],
    ['modern', 'old'],
  ] as const) {
    const client = await openClient(`${origin}/mcp/${applicationId}`, owner, era);
    targets.push({
      name: `${era} ${alias}`,
      way: alias === 'both' ? 'same era' : 'translated',
      ask: async (key) => (await client.call(`${alias}__echo`, { case: key })).text,
    });
  }
  const send = clientOf(owner);
  for (const way of ['rules', undefined] as const) {
    const id = await fixture.integrate({ name: `pair ${way}`, url: `${server.url}/pair` });
    const rules = { tools: { deny: ['denied'] } };
    if (way === 'rules') await fixture.api('PUT', `/integrations/${id}/policy`, rules);
    for (const method of ['tools/list', 'tools/call']) {
      const params = (key: string) =>
        method === 'tools/list' ? { cursor: key } : { name: 'fine', arguments: { case: key } };
      targets.push({
        name: `pair ${way} ${method}`,
        way,
        ask: async (key) => {
          const body = { jsonrpc: '2.0', id: 5, method, params: params(key) };
          return (await send(fixture.urlOf(id), { headers: STATELESS, body })).text();
        },
      });
    }
  }
});

/** @returns how what the client gets differs from what the model says */
async function differenceOf(one: Said, target: Target, key: string): Promise<string | undefined> {
  cases.set(key, one);
  // A body that is cut off is no message.
  const text = await target.ask(key).catch(() => '');
  cases.delete(key);
  const all = one.form === 'json' ? one.kinds.slice(0, 1) : one.kinds;
  const seen = all.flatMap((_, index) => (text.includes(`"${markerOf(index)}"`) ? [index] : []));
  const resultOf = target.name.endsWith('list') ? listResult : toolResult;
  if (target.way === undefined) {
    return text === bodyOf(one, '5', resultOf) ? undefined : `changed: ${text}`;
  }
  const { may, must } = expectedOf(one, target.way);
  const wrong = seen.filter((index) => !may.has(index));
  const missing = [...must].filter((index) => !seen.includes(index));
  const isListed =
    target.way === 'rules' && target.name.endsWith('list') && text.includes('DENIED');
  if (wrong.length === 0 && missing.length === 0 && !isListed) return undefined;
  return JSON.stringify({ target: target.name, one, wrong, missing, isListed, text }, null, 1);
}

it(`of ${ANSWERS} answers, clients read what the model says (seed ${SEED})`, async () => {
  const runs = fc.sample(fc.tuple(said, fc.nat()), { numRuns: ANSWERS, seed: SEED });
  const differences: string[] = [];
  for (let start = 0; start < runs.length && differences.length === 0; start += AT_ONCE) {
    const found = await Promise.all(
      runs.slice(start, start + AT_ONCE).map(([one, pick], index) => {
        const target = targets[pick % targets.length] as Target;
        return differenceOf(one, target, `case-${start + index}`);
      }),
    );
    differences.push(...found.flatMap((difference) => difference ?? []));
  }
  expect(differences.slice(0, 3).join('\n')).toBe('');
}, 3_600_000);
