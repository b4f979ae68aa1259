import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, type RequestOptions, request } from 'node:https';
import { authorityFile } from './start-proxy.ts';

export const authority = readFileSync(authorityFile);

/** One connection for each call, so that the proxy sees every call as new. */
const agent = new Agent({ ca: authority, keepAlive: false });

/** Sends a request over TLS and checks the certificate; resolves with the head of the response. */
export function sendSecurely(
  url: string,
  { body, ...options }: RequestOptions & { readonly body?: string | Buffer } = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url, { agent, ...options })
      .once('response', resolve)
      .once('error', reject)
      .end(body);
  });
}

/** A call of an MCP tool without a session, with a body of at least this many bytes. */
export function callBody(bytes = 0): string {
  const start =
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"text":"';
  const end = '"}}}';
  return start + 'x'.repeat(Math.max(0, bytes - start.length - end.length)) + end;
}

export function callHeaders(token: string): Record<string, string> {
  return {
    authorization: `Bearer ${token}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };
}
