import { expect, test } from 'vitest';
import { SeenLines } from '../../../src/mcp/sse/seen-lines.ts';

function scan(chunks: readonly (string | Buffer)[]): boolean {
  const lines = new SeenLines('event:endpoint', false);
  for (const chunk of chunks) lines.feed(Buffer.from(chunk));
  return lines.isFound;
}

test.each([
  'event: endpoint\ndata: /x\n\n',
  'event:endpoint\n',
  'event: endpoint',
  '\ufeffevent: endpoint\n',
  ': ok\n\nevent: endpoint\n',
  'data: /x\nevent: endpoint\n\n',
  'data: /x\revent: endpoint\r\r',
  'data: /x\r\nevent: endpoint\r\n',
  'data: /x\u2028event: endpoint\n',
  'data: /x\u0085event: endpoint\n',
  'data: /x\fevent: endpoint\n',
  'Event : \t EndPoint \n',
])('%j begins an endpoint event, also byte by byte', (text) => {
  expect(scan([text])).toBe(true);
  expect(scan([...Buffer.from(text)].map((byte) => Buffer.of(byte)))).toBe(true);
});

test.each([
  'event: message\ndata: {"event":"endpoint"}\n\n',
  'data: event: endpoint\n\n',
  'data: an event: endpoint\n\n',
  'event: end\ndata: point\n\n',
  'event: end\npoint\n\n',
  'eventevent: endpoint\n',
  'id: event\n\n: endpoint\n\n',
])('%j does not', (text) => {
  expect(scan([text])).toBe(false);
  expect(scan([...text])).toBe(false);
});
