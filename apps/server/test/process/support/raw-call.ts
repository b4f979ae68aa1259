import { type Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';

/** Options of {@link openCall}. */
export interface RawCallOptions {
  readonly method?: 'POST' | 'GET' | 'DELETE';
  readonly token: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent whole; without one a POST stays open for the test to write to. */
  readonly body?: string;
  /** Default: a new connection. */
  readonly agent?: Agent;
}

/** A request at the level of sockets: nothing is read before the test reads it. */
export interface RawCall {
  readonly request: ClientRequest;
  /** Rejects when the connection breaks before the head. */
  readonly response: Promise<IncomingMessage>;
}

/** Sends a request to the gateway. */
export function openCall(url: string, options: RawCallOptions): RawCall {
  const { method = 'POST', token, headers = {}, body, agent = false } = options;
  const sent = request(url, {
    method,
    agent,
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      ...(method === 'POST' && { 'content-type': 'application/json' }),
      ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
      ...headers,
    },
  });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject);
  });
  response.catch(() => undefined);
  if (body !== undefined || method !== 'POST') sent.end(body);
  else sent.flushHeaders();
  return { request: sent, response };
}

/** Reads to the end; rejects when the connection breaks before it. */
export async function readAll(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
