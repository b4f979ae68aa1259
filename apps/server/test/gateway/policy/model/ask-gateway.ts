import type { DrawnPost } from './messages.ts';
import type { Outcome, Post } from './oracle/calls.ts';
import type { Message } from './oracle/messages.ts';
import type { Reason } from './oracle/rules.ts';
import { type Caller, isForItself, keyOf, type RunState, tokenOf, urlOf } from './run.ts';
import { at, type Worlds } from './world.ts';

/** What came of a call, and the bodies that the upstream got meanwhile. */
interface Asked {
  readonly outcome: Outcome;
  readonly sent: readonly string[];
}

/** A batch has no modern form. */
export const postOf = ({ era, ...rest }: DrawnPost): Post => ({
  ...rest,
  isModern: era === 'modern' && rest.messages.length === 1,
});

function bodyOf({ messages, isRepeated, isModern }: Post, statesVersion: boolean): string {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const stated = messages.map((message) =>
    isModern && statesVersion && message.params
      ? { ...message, params: { ...message.params, _meta } }
      : message,
  );
  const text = JSON.stringify(stated.length === 1 ? at(stated, 0) : stated);
  return isRepeated ? text.replace('{', '{"jsonrpc":"2.0",') : text;
}

/** Sends a call, and says in the words of the oracle what came of it. */
export async function askGateway(
  worlds: Worlds,
  state: RunState,
  caller: Caller,
  drawn: DrawnPost,
): Promise<Asked & { readonly body: string }> {
  const { requests } = worlds.fixture.upstream;
  const before = requests.length;
  const post = postOf(drawn);
  const body = bodyOf(post, drawn.statesVersion);
  const session = isForItself(state, caller) ? undefined : state.sessions.get(keyOf(caller));
  const answer = await worlds.send(urlOf(worlds, state, caller), {
    token: tokenOf(worlds, state, caller),
    body,
    headers: {
      ...(post.isModern ? modernHeaders(at(post.messages, 0)) : legacyHeaders(post)),
      ...(drawn.era === 'session' && session !== undefined && { 'mcp-session-id': session }),
      ...faultyHeaders(post),
    },
  });
  const text = await answer.text();
  const sent = requests.slice(before).map((request) => request.body.toString());
  return {
    body,
    sent,
    outcome: sent.length > 0 ? { kind: 'sent' } : refusalIn(answer.status, text),
  };
}

const legacyHeaders = ({ messages }: Post): Record<string, string> => ({
  'mcp-protocol-version': messages.length > 1 ? '2025-03-26' : '2025-11-25',
});

function modernHeaders({ method, params = {} }: Message): Record<string, string> {
  const name = method === 'resources/read' ? params.uri : params.name;
  const isNamed = ['tools/call', 'prompts/get', 'resources/read'].includes(method ?? '');
  return {
    'mcp-protocol-version': '2026-07-28',
    ...(method !== undefined && { 'mcp-method': method }),
    ...(isNamed && name !== undefined && { 'mcp-name': encoded(name) }),
  };
}

const encoded = (name: string) =>
  /^[\x20-\x7e]*$/.test(name) ? name : `=?base64?${Buffer.from(name).toString('base64')}?=`;

/** Overrides the right ones; an empty list leaves a header out. */
function faultyHeaders({ headerFault }: Post): Record<string, string | string[]> {
  const [header, fault] = headerFault?.split('_') ?? [];
  if (header === undefined) return {};
  return { [`mcp-${header}`]: fault === 'differs' ? 'vendor/another' : [] };
}

interface RpcRefusal {
  readonly id: Message['id'];
  readonly error: { readonly code: number; readonly data: { code: string; reasons: Reason[] } };
}

function refusalIn(status: number, text: string): Outcome {
  if (status === 202) return { kind: 'accepted' };
  const body = JSON.parse(text);
  if (status === 403) return { kind: 'kept_out', reasons: body.reasons.map(reasonIn) };
  if (status === 400) {
    return { kind: body.error.code === -32_020 ? 'headers_differ' : 'unreadable' };
  }
  const errors: RpcRefusal[] = Array.isArray(body) ? body : [body];
  const requests = errors.map(({ id, error: { data } }) => ({ id, ...pick(data) }));
  return { kind: 'refused', requests };
}

const pick = ({ code, reasons }: { code: string; reasons: Reason[] }) => ({ code, reasons });
export const reasonIn = ({ code, level }: Reason): Reason => ({ code, level });
