import { UPSTREAM_FAILED } from '../../../mcp/errors.ts';
import { fieldsOf } from '../../../mcp/server/messages.ts';
import { failed, type Reply } from '../../../mcp/server/reply.ts';
import { memberOf } from '../../../mcp/translation/members.ts';
import { type ReadMessage, rawOf } from '../../../mcp/translation/message-reader.ts';
import { RESERVED } from '../../../mcp/translation/places.ts';
import type { Declared } from './modern-client.ts';
import { missing } from './needs-legacy-client.ts';

/** Bytes of an error's data that are parsed. */
const MAX_DATA = 64 * 1024;

/** 2026-07-28: only these may be answered with a question. */
const MAY_ASK: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** The error of a legacy server that wants URLs opened, as a modern client is asked to open them. */
export function askToOpenUrls(
  message: ReadMessage,
  method: string,
  { opensUrls }: Declared,
  serverInfo: object,
): { readonly reply: Reply; readonly status: number } {
  const asked = elicitationsIn(message);
  if (!opensUrls || !MAY_ASK.has(method)) {
    const text = 'The integration asks the client to open a URL, which it has not declared.';
    return { reply: missing({ elicitation: { url: {} } }, text), status: 400 };
  }
  if (asked.length === 0) {
    const text = 'The integration asks for a URL to be opened, and names no URL.';
    return { reply: failed(UPSTREAM_FAILED, text, { code: 'upstream_invalid' }), status: 200 };
  }
  const inputRequests = Object.fromEntries(
    asked.map((params, index) => [`url_${index}`, { method: 'elicitation/create', params }]),
  );
  const _meta = { [`${RESERVED}serverInfo`]: serverInfo };
  return {
    reply: { result: { resultType: 'input_required', inputRequests, _meta } },
    status: 200,
  };
}

function elicitationsIn(message: ReadMessage): readonly object[] {
  const raw = rawOf(message, memberOf(message.object, 'error')?.object, 'data') ?? '';
  if (raw === '' || raw.length > MAX_DATA) return [];
  const { elicitations } = fieldsOf(JSON.parse(raw));
  return (Array.isArray(elicitations) ? elicitations : []).flatMap((elicitation) => {
    const { url, message: text } = fieldsOf(elicitation);
    if (typeof url !== 'string' || typeof text !== 'string') return [];
    return { mode: 'url', message: text, url };
  });
}
