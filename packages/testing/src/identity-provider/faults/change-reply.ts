import type { JsonObject, Reply } from '../http/reply.ts';
import type { FaultAfter, FaultBefore, ProviderFault } from './fault.ts';

const AFTER = ['lost-answer', 'malformed', 'wrong-issuer', 'private-addresses', 'iss', 'edit'];

/** Whether the fault is one of the response. */
export function isAfter(fault: ProviderFault): fault is FaultAfter {
  return AFTER.includes(fault.kind);
}

/** Whether the fault can change this response: `iss` a redirect, the others of content a JSON success. */
export function appliesTo({ kind }: FaultAfter, { status, headers }: Reply): boolean {
  if (kind === 'lost-answer') return true;
  if (kind === 'iss') return headers.Location !== undefined;
  return status < 300 && headers['Content-Type'] === 'application/json';
}

/** The response that the client gets; undefined if the connection is closed instead. */
export function changeReply(reply: Reply, fault: FaultAfter): Reply | undefined {
  switch (fault.kind) {
    case 'lost-answer':
      return undefined;
    case 'malformed':
      return { ...reply, body: reply.body.slice(0, Math.floor(reply.body.length / 2)) };
    case 'wrong-issuer':
      return editJson(reply, (body) => ({
        ...body,
        issuer: fault.issuer ?? 'https://wrong-issuer.example',
      }));
    case 'private-addresses':
      return editJson(reply, (body) => withHost(body, fault.host ?? '10.0.0.1'));
    case 'iss':
      return withIss(reply, fault.iss);
    case 'edit':
      return editJson(reply, fault.edit);
  }
}

/** What a fault answers instead of the endpoint; undefined if the endpoint answers. */
export function replyInstead(fault: FaultBefore): Reply | undefined {
  if (fault.kind === 'html') {
    const body = '<html><head><title>Bad Gateway</title></head><body>Bad Gateway</body></html>';
    return { status: fault.status ?? 502, headers: { 'Content-Type': 'text/html' }, body };
  }
  if (fault.kind !== 'status') return undefined;
  const { status, retryAfterSeconds } = fault;
  return {
    status,
    headers: {
      'Content-Type': 'application/json',
      ...(retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }),
    },
    body: '{}',
  };
}

function editJson(reply: Reply, edit: (body: JsonObject) => JsonObject): Reply {
  return { ...reply, body: JSON.stringify(edit(JSON.parse(reply.body))) };
}

/** The issuer keeps its host, because a document with a wrong issuer is refused for that alone. */
function withHost(body: JsonObject, host: string): JsonObject {
  const isEndpoint = (name: string) => name.endsWith('_endpoint') || name === 'jwks_uri';
  const entries = Object.entries(body).map(([name, value]) => {
    if (!isEndpoint(name)) return [name, value];
    const url = new URL(String(value));
    url.hostname = host;
    return [name, url.href];
  });
  return Object.fromEntries(entries);
}

function withIss(reply: Reply, iss: string | null): Reply {
  const url = new URL(reply.headers.Location ?? '');
  if (iss === null) url.searchParams.delete('iss');
  else url.searchParams.set('iss', iss);
  return { ...reply, headers: { ...reply.headers, Location: url.href } };
}
