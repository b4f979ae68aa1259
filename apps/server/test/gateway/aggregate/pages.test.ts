import { beforeEach, describe, expect, it } from 'vitest';
import { useStoppedClock } from '../../support/clock.ts';
import { use } from '../../support/use.ts';
import { useFixture } from '../fixture.ts';
import { type AggregateClient, newApplication, openClient } from './aggregate-client.ts';
import { useOtherNode } from './other-node.ts';
import { type ScriptedServer, startScriptedServer } from './scripted-server.ts';

const PAGE = 'ui://bank/main.html';

const clock = useStoppedClock();
const fixture = useFixture();
const other = useOtherNode(fixture);
/** The bank's tool names the page. The other one was attached before it. */
const [stranger, bank] = [
  use(() => startScriptedServer('stranger')),
  use(() => startScriptedServer('bank')),
];
let path: string;
let strangerId: string;

interface Offer {
  /** The `_meta` of its tool, as JSON. */
  readonly meta?: string;
  readonly resources?: readonly string[];
  readonly templates?: readonly string[];
}

function offer({ on }: ScriptedServer, { meta = '{}', resources = [], templates = [] }: Offer) {
  const tool = `{"name":"pay","inputSchema":{"type":"object"},"_meta":${meta}}`;
  on('tools/list', ({ message, respond }) => {
    const body = `{"jsonrpc":"2.0","id":${JSON.stringify(message?.id)},"result":{"tools":[${tool}]}}`;
    respond({ body, headers: { 'Content-Type': 'application/json' } });
  });
  on('resources/list', ({ respondResult }) =>
    respondResult({ resources: resources.map((uri) => ({ uri, name: uri })) }),
  );
  on('resources/templates/list', ({ respondResult }) =>
    respondResult({
      resourceTemplates: templates.map((uriTemplate) => ({ uriTemplate, name: uriTemplate })),
    }),
  );
}

const pageOf = (uri: string) => JSON.stringify({ ui: { resourceUri: uri } });

beforeEach(async () => {
  const applicationId = await newApplication(fixture);
  const attach = async (name: string, url: string) => {
    const id = await fixture.integrate({ name, url });
    await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
    return id;
  };
  strangerId = await attach('Stranger', stranger.url);
  await attach('Bank', bank.url);
  path = `/mcp/${applicationId}`;
  for (const [label, server] of [
    ['stranger', stranger],
    ['bank', bank],
  ] as const) {
    server.onAll(undefined);
    server.on('resources/read', ({ respondResult }) =>
      respondResult({ contents: [{ uri: PAGE, text: `page of ${label}` }] }),
    );
    server.on('resources/subscribe', ({ respondResult }) => respondResult({}));
  }
  offer(stranger, {});
  offer(bank, { meta: pageOf(PAGE) });
  // A call that begins at the instant of a change is admitted again, later.
  clock.pass(1);
});

const open = (era: 'legacy' | 'modern' = 'legacy', origin = fixture.server.origin) =>
  openClient(`${origin}${path}`, fixture.server.owner, era);

/** The text of the page; of a refusal its message. */
async function read(client: AggregateClient, uri = PAGE): Promise<string> {
  const { body } = await client.ask('resources/read', { uri });
  return body.error?.message ?? body.result.contents[0].text;
}

async function listed(client: AggregateClient): Promise<string[]> {
  const { body } = await client.ask('resources/list');
  return body.result.resources.map(({ uri }: { uri: string }) => uri);
}

describe.each(['legacy', 'modern'] as const)('a page that a tool names, in the %s era', (era) => {
  it.each([
    ['under `ui`', pageOf(PAGE)],
    ['under `ui/resourceUri`', JSON.stringify({ 'ui/resourceUri': PAGE })],
    ['as an output template', JSON.stringify({ 'openai/outputTemplate': PAGE })],
    [
      'with escapes in keys and slashes',
      '{"u\\u0069":{"resourceUri":"ui:\\/\\/bank\\/main.html"}}',
    ],
    ['twice, of which parsers take one', '{"ui":{"resourceUri":"ui://bank/main.html"},"ui":{}}'],
    ['in another spelling of the same URL', pageOf('UI://bank/./main.html')],
  ])('%s, is read at its integration alone', async (_how, meta) => {
    offer(bank, { meta });
    offer(stranger, { resources: [PAGE, 'ui://stranger/own.html', 'x:1'], templates: [PAGE] });
    const client = await open(era);
    expect(await read(client)).toBe('page of bank');
    expect(await listed(client)).toEqual(['ui://stranger/own.html', 'x:1']);
    const { body } = await client.ask('resources/templates/list');
    expect(body.result.resourceTemplates).toEqual([]);
  });

  it('is not read at an integration with a template for it', async () => {
    offer(stranger, { templates: ['ui://bank/{file}', 'ui://{+any}'] });
    expect(await read(await open(era))).toBe('page of bank');
  });

  it('is of nobody if tools of two integrations name it', async () => {
    offer(stranger, { meta: pageOf(PAGE), resources: [PAGE] });
    offer(bank, { meta: pageOf(PAGE), resources: [PAGE] });
    const client = await open(era);
    expect(await read(client)).toBe('Resource not found.');
    expect(await listed(client)).toEqual([]);
  });

  it('is of nobody if a tool of another integration names it beside another page', async () => {
    offer(stranger, {
      meta: '{"ui":{"resourceUri":"ui://bank/main.html","resourceUri":"ui://stranger/x"}}',
    });
    expect(await read(await open(era))).toBe('Resource not found.');
  });
});

it('a page that no tool names is read at the integration that lists it', async () => {
  offer(stranger, { resources: ['ui://stranger/own.html'] });
  expect(await read(await open(), 'ui://stranger/own.html')).toBe('page of stranger');
});

it('a URI of another scheme that a tool names stays with the integration that lists it', async () => {
  offer(bank, { meta: pageOf('file:///readme') });
  offer(stranger, { resources: ['file:///readme'] });
  expect(await read(await open(), 'file:///readme')).toBe('page of stranger');
});

it('a subscription to a page goes to the integration with the tool', async () => {
  offer(stranger, { resources: [PAGE] });
  const before = bank.received('resources/subscribe').length;
  const { body } = await (await open()).ask('resources/subscribe', { uri: PAGE });
  expect(body.result).toEqual({});
  expect(bank.received('resources/subscribe').length).toBe(before + 1);
});

describe('while the tools of an integration cannot be read', () => {
  const troubles: [string, Parameters<ScriptedServer['on']>[1]][] = [
    ['fail', ({ respond }) => respond({ status: 500 })],
    ['hang', () => {}],
  ];

  it.each(troubles)('and %s, a page is not read where it is only listed', async (_how, handler) => {
    offer(stranger, { resources: [PAGE, 'x:1'] });
    bank.on('tools/list', handler);
    const client = await open();
    expect(await read(client)).toBe('Resource not found.');
    expect(await listed(client)).toEqual(['x:1']);
    expect(await read(client, 'x:1')).toBe('page of stranger');
  });

  it.each(troubles)('and %s, a page that they named before stays theirs', async (_how, handler) => {
    offer(stranger, { meta: pageOf('ui://stranger/own.html'), resources: [PAGE] });
    const client = await open();
    await client.listTools();
    bank.on('tools/list', handler);
    clock.pass(60 * 60_000);
    const later = await open();
    expect(await read(later)).toBe('page of bank');
    expect(await read(later, 'ui://stranger/own.html')).toBe('page of stranger');
  });
});

it('a page stays with its integration once the caller may not use that any more', async () => {
  offer(stranger, { meta: pageOf(PAGE) });
  offer(bank, { resources: [PAGE] });
  const client = await open();
  await client.listTools();
  await fixture.api('PUT', `/integrations/${strangerId}/policy`, { roles: [] });
  clock.pass(1);
  expect(await read(client)).not.toBe('page of bank');
});

it('a node that has listed nothing reads a page at the integration with the tool', async () => {
  offer(stranger, { resources: [PAGE] });
  expect(await read(await open('legacy', other.origin))).toBe('page of bank');
});

it('a page that is left out is named among what is left out', async () => {
  offer(stranger, { resources: [PAGE] });
  await listed(await open());
  const { body } = await fixture.api('GET', `/applications/${path.slice(5)}/aggregate`);
  expect(body.leftOut).toEqual([
    { integrationId: strangerId, kind: 'resource', name: PAGE, reason: 'offered_by_another' },
  ]);
});
