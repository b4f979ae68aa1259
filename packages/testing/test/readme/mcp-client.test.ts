import { startUpstream } from '@gatehouse/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';

it('adds two numbers', async () => {
  const upstream = await startUpstream();
  onTestFinished(upstream.close);

  const client = new Client({ name: 'my-client', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(upstream.url)));
  const { structuredContent } = await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } });
  expect(structuredContent).toEqual({ sum: 3 });
});
