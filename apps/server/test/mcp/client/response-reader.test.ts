import { describe, expect, it } from 'vitest';
import { createRpcResponseReader } from '../../../src/mcp/client/response-reader.ts';

const sse = { 'content-type': 'text/event-stream; charset=utf-8' };
const json = { 'content-type': 'application/json' };
const result = { jsonrpc: '2.0', id: 1, result: { ok: 'ü' } };

describe('reading the answer to a JSON-RPC request', () => {
  it('takes a whole JSON body', () => {
    const reader = createRpcResponseReader(1);
    expect(reader.read(Buffer.from(JSON.stringify(result)), json)).toBe(false);
    expect(reader.response()).toEqual({ result: { ok: 'ü' } });
  });

  it.each(['\n', '\r\n', '\r'])(
    'stops a stream at the event that answers, with lines ended by %j',
    (end) => {
      const lines = [
        ': comment',
        'id: 0',
        'data:',
        '',
        'event: message',
        `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message' })}`,
        '',
        `data: ${JSON.stringify({ ...result, id: 7 })}`,
        '',
        'data: {"jsonrpc":"2.0",',
        'data:"id":1,"result":{"ok":"ü"}}',
        '',
        '',
      ];
      const bytes = Buffer.from(`${lines.join(end)}${end}: later`);
      for (const size of [1, 2, 7, bytes.length]) {
        const reader = createRpcResponseReader(1);
        let isDone = false;
        for (let at = 0; at < bytes.length && !isDone; at += size) {
          isDone = reader.read(bytes.subarray(at, at + size), sse);
        }
        expect(isDone).toBe(true);
        expect(reader.response()).toEqual({ result: { ok: 'ü' } });
      }
    },
  );

  it('keeps the code of an error and nothing of its text', () => {
    for (const id of [1, null, undefined]) {
      const reader = createRpcResponseReader(1);
      const error = { code: -32000, message: 'Bad token hunter2', data: { token: 'hunter2' } };
      reader.read(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, error })), json);
      expect(reader.response()).toEqual({ errorCode: -32000 });
    }
  });

  it.each([
    '',
    '<html></html>',
    '[]',
    'null',
    '{"id":1,"result":{}}',
    '{"jsonrpc":"2.0","id":2,"result":{}}',
    '{"jsonrpc":"2.0","id":1,"result":1}',
  ])('finds no answer in %j', (text) => {
    const reader = createRpcResponseReader(1);
    reader.read(Buffer.from(text), json);
    expect(reader.response()).toBeUndefined();
  });

  it('reads a long line in many small pieces without rereading it', () => {
    const reader = createRpcResponseReader(1);
    const piece = Buffer.from('x');
    const start = process.cpuUsage();
    reader.read(Buffer.from('data: '), sse);
    for (let count = 0; count < 200_000; count += 1) reader.read(piece, sse);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(2000);
  });
});
