import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * An MCP server that says in each result which `Authorization` it got, and opens a session at `initialize`.
 * It never closes an idle connection: a call that is just being sent on one would be lost.
 */
export async function startEchoUpstream(): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { id, method } = JSON.parse(Buffer.concat(chunks).toString() || '{}');
    const { authorization } = request.headers;
    response.writeHead(200, {
      'content-type': 'application/json',
      ...(method === 'initialize' && { 'mcp-session-id': `session-${crypto.randomUUID()}` }),
    });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { authorization } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
