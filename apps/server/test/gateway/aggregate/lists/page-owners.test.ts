import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Answering,
  fails,
  hangs,
  lists,
  stopTime,
  TestApplication,
  type TestIntegration,
  timed,
} from './application.ts';

const PAGE = 'ui://bank/main.html';

/** The bank's tool names the page. The other one was attached before it. */
let stranger: TestIntegration;
let bank: TestIntegration;
let application: TestApplication;

interface Offered {
  /** The `_meta` of its tool, as JSON. */
  readonly meta?: string;
  readonly resources?: readonly string[];
  readonly templates?: readonly string[];
}

function offer(integration: TestIntegration, { meta, resources = [], templates = [] }: Offered) {
  const tool = `{"name":"pay","inputSchema":{"type":"object"},"_meta":${meta ?? '{}'}}`;
  const message = Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{"tools":[${tool}]}}`);
  integration.on('tools', () => ({ kind: 'message', status: 200, message }));
  const listed = resources.map((uri) => ({ uri, name: uri }));
  integration.on('resources', lists('resources', ...listed));
  const listedTemplates = templates.map((uriTemplate) => ({ uriTemplate, name: uriTemplate }));
  integration.on('resourceTemplates', lists('resourceTemplates', ...listedTemplates));
}

const pageOf = (uri: string) => JSON.stringify({ ui: { resourceUri: uri } });

beforeEach(() => {
  stopTime();
  application = new TestApplication();
  stranger = application.attach('stranger');
  bank = application.attach('bank');
  offer(stranger, {});
  offer(bank, { meta: pageOf(PAGE) });
});
afterEach(() => void vi.useRealTimers());

type Era = 'legacy' | 'modern';

/** The integration at which a page is read; undefined where the client learns that there is no such resource. */
async function readAt(uri = PAGE, era: Era = 'legacy', method = 'resources/read') {
  const [target] = await timed(application.target(application.client(era), method, { uri }));
  return target?.alias;
}

async function listed(era: Era = 'legacy', list: 'resources' | 'resourceTemplates' = 'resources') {
  const [{ names }] = await timed(application.list(application.client(era), list));
  return names;
}

const listTools = () => timed(application.list(application.client(), 'tools'));

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
    expect(await readAt(PAGE, era)).toBe('bank');
    expect(await listed(era)).toEqual(['ui://stranger/own.html', 'x:1']);
    expect(await listed(era, 'resourceTemplates')).toEqual([]);
  });

  it('is not read at an integration with a template for it', async () => {
    offer(stranger, { templates: ['ui://bank/{file}', 'ui://{+any}'] });
    expect(await readAt(PAGE, era)).toBe('bank');
  });

  it('is of nobody if tools of two integrations name it', async () => {
    offer(stranger, { meta: pageOf(PAGE), resources: [PAGE] });
    offer(bank, { meta: pageOf(PAGE), resources: [PAGE] });
    expect(await readAt(PAGE, era)).toBeUndefined();
    expect(await listed(era)).toEqual([]);
  });

  it('is of nobody if a tool of another integration names it beside another page', async () => {
    offer(stranger, {
      meta: '{"ui":{"resourceUri":"ui://bank/main.html","resourceUri":"ui://stranger/x"}}',
    });
    expect(await readAt(PAGE, era)).toBeUndefined();
  });
});

it('a page that no tool names is read at the integration that lists it', async () => {
  offer(stranger, { resources: ['ui://stranger/own.html'] });
  expect(await readAt('ui://stranger/own.html')).toBe('stranger');
});

it('a URI of another scheme that a tool names stays with the integration that lists it', async () => {
  offer(bank, { meta: pageOf('file:///readme') });
  offer(stranger, { resources: ['file:///readme'] });
  expect(await readAt('file:///readme')).toBe('stranger');
});

it('a subscription to a page goes to the integration with the tool', async () => {
  offer(stranger, { resources: [PAGE] });
  expect(await readAt(PAGE, 'legacy', 'resources/subscribe')).toBe('bank');
});

describe('while the tools of an integration cannot be read', () => {
  const troubles: [string, Answering][] = [
    ['fail', fails],
    ['hang', hangs],
  ];

  it.each(troubles)('and %s, a page is not read where it is only listed', async (_how, answer) => {
    offer(stranger, { resources: [PAGE, 'x:1'] });
    bank.on('tools', answer);
    expect(await readAt()).toBeUndefined();
    expect(await listed()).toEqual(['x:1']);
    expect(await readAt('x:1')).toBe('stranger');
  });

  it.each(troubles)('and %s, a page that they named before stays theirs', async (_how, answer) => {
    offer(stranger, { meta: pageOf('ui://stranger/own.html'), resources: [PAGE] });
    await listTools();
    bank.on('tools', answer);
    await vi.advanceTimersByTimeAsync(60 * 60_000);
    expect(await readAt()).toBe('bank');
    expect(await readAt('ui://stranger/own.html')).toBe('stranger');
  });
});

it('a page stays with its integration once the caller may not use that any more', async () => {
  offer(stranger, { meta: pageOf(PAGE) });
  offer(bank, { resources: [PAGE] });
  await listTools();
  stranger.setRules({ roles: [] });
  expect(await readAt()).not.toBe('bank');
  expect(await listed()).toEqual([]);
});

it('a node that has listed nothing reads a page at the integration with the tool', async () => {
  offer(stranger, { resources: [PAGE] });
  await listTools();
  application.lists = application.newNode();
  expect(await readAt()).toBe('bank');
});

it('a page that is left out is named among what is left out', async () => {
  offer(stranger, { resources: [PAGE] });
  await listed();
  const { integrationId } = stranger;
  expect((await application.state()).leftOut).toEqual([
    { integrationId, kind: 'resource', name: PAGE, reason: 'offered_by_another' },
  ]);
});
