import { describe, expect, it } from 'vitest';
import { differingHeader, missingHeader } from '../../../src/mcp/envelope/mirror-headers.ts';
import { readEnvelope } from '../../../src/mcp/envelope/read-envelope.ts';

function messageOf(text: string) {
  const envelope = readEnvelope(Buffer.from(text));
  if (envelope.kind !== 'message') throw new Error('no message');
  return envelope.message;
}

const call = messageOf('{"id":1,"method":"tools/call","params":{"name":"é"}}');
const read = messageOf('{"id":1,"method":"resources/read","params":{"uri":"a:b","name":"x"}}');
const list = messageOf('{"id":1,"method":"tools/list"}');

const subscribe = messageOf('{"id":1,"method":"resources/subscribe","params":{"uri":"a:b"}}');
const task = messageOf('{"id":1,"method":"tasks/get","params":{"taskId":"an-id"}}');

const encoded = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;
const headers = (method?: string | string[], name?: string | string[]) => ({
  ...(method === undefined ? {} : { 'mcp-method': [method].flat() }),
  ...(name === undefined ? {} : { 'mcp-name': [name].flat() }),
});

describe('the headers that mirror a message', () => {
  it('may be absent', () => {
    expect(differingHeader(call, {})).toBeUndefined();
  });

  it('agree with it after decoding', () => {
    expect(differingHeader(call, headers('tools/call', encoded('é')))).toBeUndefined();
    expect(differingHeader(read, headers('resources/read', 'a:b'))).toBeUndefined();
    expect(differingHeader(subscribe, headers('resources/subscribe', 'a:b'))).toBeUndefined();
  });

  it('may name a task', () => {
    expect(differingHeader(task, headers('tasks/get', 'an-id'))).toBeUndefined();
  });

  it('name nothing that the message does not name', () => {
    expect(differingHeader(list, headers('tools/list', 'a'))).toBe('Mcp-Name');
    expect(differingHeader(list, headers(undefined, 'a'))).toBe('Mcp-Name');
    expect(differingHeader(subscribe, headers('resources/subscribe', 'b:c'))).toBe('Mcp-Name');
    expect(differingHeader(messageOf('{"id":1,"result":{}}'), headers(undefined, 'a'))).toBe(
      'Mcp-Name',
    );
  });

  it.each([
    [headers('tools/list'), 'Mcp-Method'],
    [headers('Tools/call'), 'Mcp-Method'],
    [headers(['tools/call', 'tools/call']), 'Mcp-Method'],
    [headers('tools/call', 'e'), 'Mcp-Name'],
    [headers('tools/call', 'é'.normalize('NFD')), 'Mcp-Name'],
    [headers('tools/call', [encoded('é'), encoded('é')]), 'Mcp-Name'],
    [headers('tools/call', '=?base64?6Q==?='), 'Mcp-Name'],
    [headers('tools/call', '=?base64?w6k?='), 'Mcp-Name'],
    [headers('tools/call', encoded('é').replace('base64', 'BASE64')), 'Mcp-Name'],
  ])('differ in %j', (mirrors, header) => {
    expect(differingHeader(call, mirrors)).toBe(header);
  });

  it('differ from a response', () => {
    const response = messageOf('{"id":1,"result":{}}');
    expect(differingHeader(response, headers('tools/call'))).toBe('Mcp-Method');
  });

  it('are missing from a modern request, but from no notification', () => {
    expect(missingHeader(call, {})).toBe('Mcp-Method');
    expect(missingHeader(call, headers('tools/call'))).toBe('Mcp-Name');
    expect(missingHeader(call, headers('tools/call', 'x'))).toBeUndefined();
    expect(missingHeader(list, headers('tools/list'))).toBeUndefined();
    expect(missingHeader(messageOf('{"method":"notifications/x"}'), {})).toBeUndefined();
  });
});
