import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import type { FuzzAnswer, FuzzRequest } from './request.ts';

/** Sends requests byte for byte: `fetch` would mend or refuse the more interesting ones. */
export interface Sender {
  send(request: FuzzRequest): Promise<FuzzAnswer>;
  close(): void;
}

/** @param baseUrl ends in `/api/v1` */
export function createSender(baseUrl: string): Sender {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port, host, pathname } = new URL(baseUrl);
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        const { method, path, search, body } = request;
        const target = `${pathname}${path}${search === '' ? '' : `?${search}`}`;
        const headers = rawHeaders(request, host);
        const sent = httpRequest({ agent, hostname, port, method, path: target, headers });
        sent.on('response', (response) => answerOf(response).then(resolve, reject));
        sent.on('error', reject);
        sent.end(body);
      }),
    close: () => agent.destroy(),
  };
}

function rawHeaders(
  { hosts, bearer, headers, body, isChunked, method }: FuzzRequest,
  host: string,
) {
  const length = isChunked ? ['transfer-encoding', 'chunked'] : ['content-length', lengthOf(body)];
  return [
    ...(hosts ?? [host]).flatMap((value) => ['host', value]),
    ...(bearer === undefined ? [] : ['authorization', `Bearer ${bearer}`]),
    ...headers.flatMap(([name, value]) => [name, Buffer.from(value).toString('latin1')]),
    ...(method === 'GET' && body === undefined ? [] : length),
  ];
}

function lengthOf(body: Buffer | undefined): string {
  return String(body?.length ?? 0);
}

async function answerOf(response: IncomingMessage): Promise<FuzzAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, value?.toString()]),
  );
  return { status: response.statusCode ?? 0, headers, text, body: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
