import { beforeEach, expect, it } from 'vitest';
import { useRules } from './fixture.ts';

const { fixture, setRules, post, send } = useRules();

beforeEach(() => {
  fixture.upstream.otherwise((exchange) => exchange.respond({ body: { sent: true } }));
});

it.each([
  ['the role', { roles: ['owner'] }],
  ['no rule about people', { tools: { allow: ['echo'] } }],
  ['no rule', {}],
])('%s lets a person in', async (_, rules) => {
  await setRules(rules);
  const { status } = await post({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'echo' },
  });
  expect(status).toBe(200);
});

it.each([
  ['another role', { roles: ['admin'] }, 'role_or_group'],
  ['nobody', { userIds: [] }, 'person'],
])('%s keeps a person out, before the body is read', async (_, rules, code) => {
  await setRules(rules);
  const before = fixture.upstream.requests.length;
  const { status, text } = await post('not JSON');
  expect({ status, body: JSON.parse(text) }).toMatchObject({
    status: 403,
    body: { code: 'policy_refused', reasons: [{ code, level: 'integration' }] },
  });
  expect(fixture.upstream.requests).toHaveLength(before);
});

it('a rule that shuts a person out ends their open stream', async () => {
  await setRules(null);
  fixture.upstream.once((exchange) => {
    exchange.sendHead(200, { 'content-type': 'text/event-stream' });
    void exchange.send('data: {}\n\n');
  });
  const headers = { 'mcp-protocol-version': '2025-11-25' };
  const stream = await send({ method: 'GET', headers });
  await stream.received('data: {}');
  await setRules({ roles: ['admin'] });
  await stream.text();
  expect(stream.stream.complete).toBe(true);
});
