import { startUpstream } from '@gatehouse/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Era } from '../../../src/mcp/era.ts';
import { use } from '../../support/use.ts';
import { initializeBody, modernRequest } from '../connect-fixture.ts';
import { clientOf, useFixture } from '../fixture.ts';
import { newApplication } from './aggregate-client.ts';
import { type ScriptedServer, startScriptedServer } from './scripted-server.ts';

const fixture = useFixture();
const reference = use(() => startUpstream());
const scripted: ScriptedServer = use(() => startScriptedServer('scripted'));
let applicationId: string;
let referenceId: string;
let scriptedId: string;

beforeAll(async () => {
  applicationId = await newApplication(fixture);
  const attach = async (name: string, url: string) => {
    const id = await fixture.integrate({ name, url });
    await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
    return id;
  };
  referenceId = await attach('Ref', reference.url);
  scriptedId = await attach('Odd', scripted.url);
  scripted.on('tools/list', answering(`{"tools":[${ODD_ENTRY}]}`));
  scripted.on('tools/call', answering(ODD_RESULT));
});

function answering(result: string): Parameters<ScriptedServer['on']>[1] {
  const headers = { 'Content-Type': 'application/json' };
  return ({ respond, message }) => {
    const id = JSON.stringify(message?.id);
    respond({ headers, body: `{"jsonrpc":"2.0","id":${id},"result":${result}}` });
  };
}

/** Sends a request, and answers the message that came back, in JSON or in an event stream. */
type Ask = (method: string, params?: object | string) => Promise<string>;

async function openAt(path: string, era: Era): Promise<Ask> {
  const url = `${fixture.server.origin}/mcp/${applicationId}${path}`;
  const send = clientOf(fixture.server.owner);
  let session: Record<string, string> = {};
  if (era === 'legacy') {
    const { headers } = await send(url, { body: initializeBody() });
    const id = String(headers['mcp-session-id']);
    session = { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' };
  }
  return async (method, params = {}) => {
    const parsed = typeof params === 'string' ? JSON.parse(params) : params;
    const modern = modernRequest(method, parsed);
    const raw = typeof params === 'string' ? params : JSON.stringify(params);
    const body =
      era === 'modern'
        ? JSON.stringify(modern.body)
        : `{"jsonrpc":"2.0","id":5,"method":"${method}","params":${raw}}`;
    const headers = era === 'modern' ? modern.headers : session;
    const answer = await send(url, { headers, body });
    return lastMessage(Buffer.from(await answer.text(), 'latin1').toString());
  };
}

function lastMessage(text: string): string {
  if (text.startsWith('{')) return text;
  const data = text.split('\n').filter((line) => line.startsWith('data: {'));
  return (data.at(-1) ?? '').slice('data: '.length);
}

/** The texts of the objects in the one array of a result. */
function entriesOf(text: string, key: string): string[] {
  const entries: string[] = [];
  const start = text.indexOf(`"${key}":[`) + key.length + 4;
  let depth = 0;
  let from = 0;
  let isText = false;
  for (let i = start; i < text.length; i += 1) {
    const char = text[i];
    if (isText) {
      if (char === '\\') i += 1;
      else if (char === '"') isText = false;
    } else if (char === '"') isText = true;
    else if (char === '{' || char === '[') {
      if (depth === 0) from = i;
      depth += 1;
    } else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth < 0) break;
      if (depth === 0) entries.push(text.slice(from, i + 1));
    }
  }
  return entries;
}

/** Takes back what the aggregate has changed in an entry. */
function restored(entry: string, alias: string, integrationId: string): string {
  const mark = `"gatehouse/integration":{"id":"${integrationId}","alias":"${alias}","name":"${
    alias === 'ref' ? 'Ref' : 'Odd'
  }"}`;
  expect(entry).toContain(mark);
  return entry
    .replace(`,"_meta":{${mark}}`, '')
    .replace(`${mark},`, '')
    .replace(mark, '')
    .replace(`"name":"${alias}__`, '"name":"');
}

const LISTS = [
  ['tools/list', 'tools', true],
  ['prompts/list', 'prompts', true],
  ['resources/list', 'resources', false],
  ['resources/templates/list', 'resourceTemplates', false],
] as const;

describe.each(['legacy', 'modern'] as const)('the reference server in the %s era', (era) => {
  let direct: Ask;
  let aggregate: Ask;

  beforeAll(async () => {
    direct = await openAt(`/${referenceId}`, era);
    aggregate = await openAt('', era);
  });

  it.each(LISTS)('%s has the same entries', async (method, key) => {
    const own = entriesOf(await direct(method), key);
    const listed = entriesOf(await aggregate(method), key);
    expect(own.length).toBeGreaterThan(0);
    const ofReference = listed.filter((entry) => entry.includes(`"id":"${referenceId}"`));
    expect(ofReference.map((entry) => restored(entry, 'ref', referenceId))).toEqual(own);
  });

  it('every tool that it lists can be called, with the same result', async () => {
    const { result } = JSON.parse(await direct('tools/list'));
    for (const { name } of result.tools as { name: string }[]) {
      if (WAITS.test(name)) continue;
      const own = await direct('tools/call', { name, arguments: {} });
      const called = await aggregate('tools/call', { name: `ref__${name}`, arguments: {} });
      expect(unvaried(called), name).toBe(unvaried(own));
    }
  });

  it('every prompt can be got, with the same result', async () => {
    const { result } = JSON.parse(await direct('prompts/list'));
    const args = { arg1: 'a', arg2: 'b', resourceUri: 'test://static-text' };
    for (const { name } of result.prompts as { name: string }[]) {
      const own = await direct('prompts/get', { name, arguments: args });
      const got = await aggregate('prompts/get', { name: `ref__${name}`, arguments: args });
      expect(unvaried(got), name).toBe(unvaried(own));
    }
  });

  it('every resource can be read, with the same result', async () => {
    const { result } = JSON.parse(await direct('resources/list'));
    const templates = JSON.parse(await direct('resources/templates/list')).result.resourceTemplates;
    const uris = [
      ...result.resources.map(({ uri }: { uri: string }) => uri),
      ...templates.map(({ uriTemplate }: { uriTemplate: string }) =>
        uriTemplate.replace(/\{\w+\}/g, '123'),
      ),
    ];
    expect(uris.length).toBeGreaterThan(1);
    for (const uri of uris) {
      expect(await aggregate('resources/read', { uri }), uri).toBe(
        await direct('resources/read', { uri }),
      );
    }
  });

  it('a prompt and a template complete in the same way', async () => {
    const argument = { name: 'arg1', value: 'p' };
    const own = await direct('completion/complete', {
      ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' },
      argument,
    });
    const completed = await aggregate('completion/complete', {
      ref: { type: 'ref/prompt', name: 'ref__test_prompt_with_arguments' },
      argument,
    });
    expect(completed).toBe(own);
    expect(JSON.parse(own).result.completion).toBeDefined();
  });
});

/** These ask the client during the call, or end the connection. */
const WAITS = /elicit|sampling|roots|reconnect|input_required|mrtr|incomplete/;

/** Without what differs from call to call, such as times and ids. */
function unvaried(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID');
}

/** Entries and results that a parser would not give back as they were. */
const ODD_ENTRY =
  '{ "x-unknown" : 12345678901234567890.10 ,\n"name":"odd", "inputSchema":{"type":"object","maximum":1e400, "\\u0061":1},"_meta" : { "a":0.1000, "gatehouse/integration":"forged", "b" : [1 , 2]} , "last":-0}';
const ODD_RESULT =
  '{"content":[ ] ,"structuredContent":{"n":12345678901234567890,"e":1E+2,"s":"\\u00e9\\/"},"_meta":{"k":-0.0}, "unknown":[{}]}';

describe('bytes that a parser would change', () => {
  it.each(['legacy', 'modern'] as const)(
    'stay as they are in entries, but for the name and one key of _meta, in the %s era',
    async (era) => {
      const listed = await (await openAt('', era))('tools/list');
      const integration = `{"id":"${scriptedId}","alias":"odd","name":"Odd"}`;
      const expected = ODD_ENTRY.replace('"name":"odd"', '"name":"odd__odd"')
        .replace('{ "a":0.1000', `{ "gatehouse/integration":${integration},"a":0.1000`)
        .replace(', "gatehouse/integration":"forged"', '');
      expect(entriesOf(listed, 'tools').at(-1)).toBe(expected);
    },
  );

  it('stay as they are in requests and results', async () => {
    const ask = await openAt('', 'legacy');
    const params = '{"name" : "odd__odd","arguments":{"n":12345678901234567890, "m" :1.0}}';
    expect(await ask('tools/call', params)).toBe(`{"jsonrpc":"2.0","id":5,"result":${ODD_RESULT}}`);
    const sent = scripted.received('tools/call').at(-1)?.request.body.toString();
    expect(sent).toContain(`"params":${params.replace('odd__odd', 'odd')}`);
  });
});
