import { beforeAll, describe, expect, it } from 'vitest';
import { use } from '../../support/use.ts';
import { useFixture } from '../fixture.ts';
import { newApplication, openClient } from './aggregate-client.ts';
import { startScriptedServer } from './scripted-server.ts';

const UI = 'io.modelcontextprotocol/ui';
const TASKS = 'io.modelcontextprotocol/tasks';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

const fixture = useFixture();
const servers = {
  legacy: use(() => startScriptedServer('legacy')),
  modern: use(() => startScriptedServer('modern')),
};
let url: string;

beforeAll(async () => {
  const applicationId = await newApplication(fixture);
  url = `${fixture.server.origin}/mcp/${applicationId}`;
  const both = { legacy: '2025-11-25', modern: '2026-07-28' };
  for (const era of ['legacy', 'modern'] as const) {
    const only = { ...both, [era === 'legacy' ? 'modern' : 'legacy']: null };
    const id = await fixture.integrate({ name: era, url: servers[era].url }, only);
    await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
    servers[era].speakOnly(era);
  }
});

/** What a client declares, tasks in the forms of both eras among it. */
const DECLARED = {
  sampling: {},
  tasks: { requests: { tools: { call: {} } } },
  extensions: { [TASKS]: {}, [UI]: { mimeTypes: ['text/html'] }, 'com.example/x': {} },
};
const CARRIED = { sampling: {}, extensions: { [UI]: { mimeTypes: ['text/html'] } } };

describe.each(['legacy', 'modern'] as const)('a call of a client of the %s era', (era) => {
  it.each(['legacy', 'modern'] as const)(
    'takes no tasks and no unknown extensions to a server of the %s era',
    async (spoken) => {
      const server = servers[spoken];
      const name = `${spoken}__echo`;
      const client = await openClient(url, fixture.server.owner, era, DECLARED);
      const task = '{"ttl":9007199254740993}';
      const related = `"io.modelcontextprotocol/related-task":{"taskId":"t"}`;
      const more = `"task":${task},"arguments":{"n":9007199254740993,"task":1}`;
      const meta =
        era === 'legacy'
          ? `{${related},"x":1}`
          : `{${related},"x":1,"io.modelcontextprotocol/protocolVersion":"2026-07-28","${CAPABILITIES}":${JSON.stringify(DECLARED)}}`;
      const body = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"${name}",${more},"_meta":${meta}}}`;
      const modern = {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': name,
      };
      const answer = await client.send({
        body,
        headers: era === 'legacy' ? client.headers : modern,
      });
      expect(await answer.text()).toContain(`"text":"${spoken}"`);
      const sent = server.received('tools/call').at(-1)?.request.body.toString() ?? '';
      expect(sent).toContain('"arguments":{"n":9007199254740993,"task":1}');
      const { params } = JSON.parse(sent);
      expect(params.task).toBeUndefined();
      expect(params._meta).toMatchObject({ x: 1 });
      expect(params._meta).not.toHaveProperty('io.modelcontextprotocol/related-task');
      if (spoken === 'modern') expect(params._meta[CAPABILITIES]).toEqual(CARRIED);
    },
  );
});

it('a session of a legacy client begins at a server without tasks and unknown extensions', async () => {
  const client = await openClient(url, fixture.server.owner, 'legacy', DECLARED);
  await client.call('legacy__echo');
  const { params } = JSON.parse(
    servers.legacy.received('initialize').at(-1)?.request.body.toString() ?? '{}',
  );
  expect(params.capabilities).toEqual(CARRIED);
});

it('a request with two of what says how it is read is refused', async () => {
  const { received } = servers.legacy;
  const before = received('tools/call').length;
  const client = await openClient(url, fixture.server.owner, 'legacy');
  const body =
    '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"legacy__echo","task":{},"task":{}}}';
  const answer = await client.send({ body, headers: client.headers });
  expect(answer.status).toBe(400);
  expect(received('tools/call').length).toBe(before);
});
