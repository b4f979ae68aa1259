import { describe, expect, it } from 'vitest';
import { callMessagesOf } from '../../src/gateway/call-messages.ts';
import { readEnvelope } from '../../src/mcp/envelope/read-envelope.ts';

const messagesOf = (body: unknown) =>
  callMessagesOf(readEnvelope(Buffer.from(JSON.stringify(body))));

const request = (method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params,
});

describe('what a record says of a message', () => {
  it.each([
    [request('ping'), { method: 'ping' }],
    [request('initialize', { name: 'secret' }), { method: 'initialize' }],
    [request('tools/call', { name: 'echo', uri: 'a://b' }), { method: 'tools/call', name: 'echo' }],
    [request('prompts/get', { name: 'draft' }), { method: 'prompts/get', name: 'draft' }],
    [request('secret/method', { name: 'secret' }), { method: 'other' }],
    [{ jsonrpc: '2.0', method: 'notifications/progress' }, { method: 'notifications/progress' }],
    [{ jsonrpc: '2.0', id: 1, result: {} }, { method: 'other' }],
    [request('tools/call', { name: 7 }), { method: 'other' }],
    ['ping', { method: 'other' }],
  ])('%j', (body, said) => {
    expect(messagesOf(body)).toEqual([said]);
  });

  it('each message of a batch', () => {
    const batch = [request('ping'), request('tools/call', { name: 'echo' })];
    expect(messagesOf(batch)).toEqual([{ method: 'ping' }, { method: 'tools/call', name: 'echo' }]);
  });

  it.each([
    ['file:///etc/passwd', 'file://'],
    ['https://user:secret@Example.com:8443/a?secret#b', 'https://example.com'],
    ['https://example.com?secret', 'https://example.com'],
    ['https://[2001:db8::1]:443/a', 'https://[2001:db8::1]'],
    ['ui://widget/secret', 'ui://widget'],
    ['urn:isbn:0451450523', 'urn:'],
    ['data:text/plain,secret', 'data:'],
    ['no uri', undefined],
    ['', undefined],
  ])('of the URI %s its scheme and host', (uri, said) => {
    const [message] = messagesOf(request('resources/read', { uri }));
    expect(message).toEqual({ method: 'resources/read', uri: said });
  });

  it('at most 128 characters of a name, which any database stores', () => {
    const nameOf = (name: string) => messagesOf(request('tools/call', { name }))[0]?.name;
    expect(nameOf('n'.repeat(200))).toBe('n'.repeat(128));
    expect(nameOf(`${'n'.repeat(127)}\u{1f600}`)).toBe('n'.repeat(127));
  });
});
