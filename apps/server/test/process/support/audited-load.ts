import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

/** A request by the id that the audit knows it by. */
export interface SentRequest {
  readonly requestId: string;
  /** How many events it leaves. */
  readonly events: number;
  /** Epoch milliseconds; undefined if no answer came, so that it may have been done or not. */
  readonly answeredAt: number | undefined;
  readonly status: number | undefined;
}

/** Sends one request with this id. @throws Error if it is not answered */
export type Send = (origin: string, requestId: string) => Promise<{ readonly status: number }>;

/** Of one client, which sends one request after the other. */
export interface LoadClient {
  readonly send: Send;
  readonly events: number;
}

/** Requests to a node, which go on until they are stopped or the node dies. */
export interface AuditedLoad {
  readonly sent: readonly SentRequest[];
  /** Resolves when each client has its answer, or will not get one. */
  stop(): Promise<void>;
}

/** Milliseconds between an answer and the next request of a client. */
const PAUSE = 5;

export function startAuditedLoad(origin: string, clients: readonly LoadClient[]): AuditedLoad {
  const sent: SentRequest[] = [];
  let isStopped = false;
  const run = async ({ send, events }: LoadClient): Promise<void> => {
    while (!isStopped) {
      const requestId = randomUUID();
      const answer = await send(origin, requestId).catch(() => undefined);
      const answeredAt = answer === undefined ? undefined : Date.now();
      sent.push({ requestId, events, answeredAt, status: answer?.status });
      if (answer === undefined) return;
      await delay(PAUSE);
    }
  };
  const running = Promise.all(clients.map(run));
  return {
    sent,
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

/** A client that posts to the gateway. @param messages as many requests in each body, as a batch if several */
export function callingClient(path: string, token: string, messages = 1): LoadClient {
  const params = { name: 'echo', arguments: {} };
  const message = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params });
  const body =
    messages === 1 ? message(1) : Array.from({ length: messages }, (_, id) => message(id));
  const send: Send = (origin, requestId) =>
    sendJson('POST', origin + path, { token, requestId, body });
  return { send, events: messages };
}

/** A client that gives its integration another name again and again. */
export function writingClient(integrationId: string, token: string): LoadClient {
  const send: Send = (origin, requestId) => {
    const url = `${origin}/api/v1/integrations/${integrationId}`;
    return sendJson('PATCH', url, { token, requestId, body: { name: requestId } });
  };
  return { send, events: 1 };
}

/** Sends a request with this id as JSON, and reads its answer. */
export async function sendJson(
  method: string,
  url: string,
  sent: { readonly token: string; readonly requestId: string; readonly body: unknown },
): Promise<{ status: number }> {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${sent.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-request-id': sent.requestId,
    },
    body: JSON.stringify(sent.body),
  });
  await response.text();
  return { status: response.status };
}
