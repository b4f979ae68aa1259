import { beforeAll, expect, it } from 'vitest';
import { use } from '../support/use.ts';
import { newApplication, openClient } from './aggregate/aggregate-client.ts';
import { modernRequest } from './connect-fixture.ts';
import { type Answer, clientOf, startGateway, useFixture } from './fixture.ts';

const fixture = useFixture();
const send = clientOf(() => fixture.server.owner);
const narrow = use(() => startGateway(fixture.server.store, { limits: { streamsOfPerson: 6 } }));

let pair: string;
let one: string;

beforeAll(async () => {
  const applicationId = await newApplication(fixture);
  const id = await fixture.integrate();
  await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
  one = `/mcp/${applicationId}`;
  pair = `${one}/${id}`;
  fixture.upstream.otherwise((exchange) => {
    if (exchange.request.method === 'GET') return exchange.startSse();
    const version = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} };
    const headers = { 'Mcp-Session-Id': `upstream-${Math.random()}` };
    exchange.respondResult(version, exchange.message?.method === 'initialize' ? headers : {});
  });
});

const begin = async (path: string) =>
  (await openClient(narrow.origin + path, fixture.server.owner, 'legacy')).headers;
const listen = (path: string, headers: Record<string, string>) =>
  send(narrow.origin + path, {
    method: 'GET',
    headers: { ...headers, accept: 'text/event-stream' },
  });

async function refusalOf(answer: Answer): Promise<unknown> {
  const { status, headers } = answer;
  if (status === 200) return { status };
  const { code, detail } = JSON.parse(await answer.text());
  return { status, code, detail, isLater: Number(headers['retry-after']) > 0 };
}
const refused = (detail: string) => ({
  status: 429,
  code: 'rate_limited',
  detail: `${detail} Close one of them first.`,
  isLater: true,
});

it.each([
  ['of an integration', () => pair],
  ['of an application', () => one],
])('streams that are open to listen are bounded for a session, at the URL %s', async (_, path) => {
  const headers = await begin(path());
  const open: Answer[] = [];
  for (let n = 0; n < 4; n += 1) open.push(await listen(path(), headers));
  expect(open.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await refusalOf(await listen(path(), headers))).toEqual(
    refused('One session may keep 4 event streams open.'),
  );
  open[0]?.abort();
  const again = async () => {
    const answer = await listen(path(), headers);
    open.push(answer);
    return answer.status;
  };
  await expect.poll(again).toBe(200);
  for (const { abort } of open) abort();
});

it('streams that are open to listen are bounded for a person, at all URLs together', async () => {
  const open: Answer[] = [];
  const [inPair, inOne] = [await begin(pair), await begin(one)];
  const tries = async () => {
    for (const { abort } of open.splice(0)) abort();
    for (let n = 0; n < 3; n += 1) open.push(await listen(pair, inPair), await listen(one, inOne));
    return open.map(({ status }) => status);
  };
  await expect.poll(tries).toEqual([200, 200, 200, 200, 200, 200]);
  const sentence = refused('One person may keep 6 event streams open.');
  expect(await refusalOf(await listen(pair, inPair))).toEqual(sentence);
  const listening = modernRequest('subscriptions/listen', { notifications: {} });
  expect(await refusalOf(await send(narrow.origin + one, listening))).toEqual(sentence);
  for (const { abort } of open) abort();
});
