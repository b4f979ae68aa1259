import { describe, expect, it } from 'vitest';
import {
  carriedCapabilities,
  withoutExtensions,
} from '../../../src/mcp/aggregate/without-extensions.ts';

const UI = 'io.modelcontextprotocol/ui';
const TASKS = 'io.modelcontextprotocol/tasks';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** What a client declares, tasks in the forms of both eras among it. */
const DECLARED = {
  sampling: {},
  tasks: { requests: { tools: { call: {} } } },
  extensions: { [TASKS]: {}, [UI]: { mimeTypes: ['text/html'] }, 'com.example/x': {} },
};
const CARRIED = { sampling: {}, extensions: { [UI]: { mimeTypes: ['text/html'] } } };

async function sent(body: string): Promise<string | undefined> {
  return (await withoutExtensions(Buffer.from(body)))?.toString();
}

describe.each(['legacy', 'modern'] as const)('a call of a client of the %s era', (era) => {
  it('keeps neither tasks nor unknown extensions, and every other byte', async () => {
    const more = `"task":{"ttl":9007199254740993},"arguments":{"n":9007199254740993,"task":1}`;
    const ofEra = `,"io.modelcontextprotocol/protocolVersion":"2026-07-28","${CAPABILITIES}":${JSON.stringify(DECLARED)}`;
    const meta = `{"io.modelcontextprotocol/related-task":{"taskId":"t"},"x":1${era === 'legacy' ? '' : ofEra}}`;
    const text = await sent(
      `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo",${more},"_meta":${meta}}}`,
    );
    expect(text).toContain('"arguments":{"n":9007199254740993,"task":1}');
    const { params } = JSON.parse(text ?? '');
    expect(params.task).toBeUndefined();
    expect(params._meta).toMatchObject({ x: 1 });
    expect(params._meta).not.toHaveProperty('io.modelcontextprotocol/related-task');
    if (era === 'modern') expect(params._meta[CAPABILITIES]).toEqual(CARRIED);
  });
});

it('capabilities are carried without tasks and unknown extensions', () => {
  expect(carriedCapabilities(DECLARED)).toEqual(CARRIED);
  expect(carriedCapabilities({ sampling: {} })).toEqual({ sampling: {} });
});

it('a request with two of what says how it is read has no other form', async () => {
  expect(
    await sent(
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","task":{},"task":{}}}',
    ),
  ).toBeUndefined();
});
