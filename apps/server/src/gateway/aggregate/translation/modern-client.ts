import { CAPABILITY_MISSING, UPSTREAM_FAILED } from '../../../mcp/errors.ts';
import { isLogLevel } from '../../../mcp/log-levels.ts';
import { fieldsOf, isObject } from '../../../mcp/server/messages.ts';
import { failed, type Reply } from '../../../mcp/server/reply.ts';
import type { ReadMessage } from '../../../mcp/translation/message-reader.ts';
import { RESERVED } from '../../../mcp/translation/shapes.ts';
import type { AggregateAttachment } from '../applications.ts';

/** What a modern client says with its request. */
export interface Declared {
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly opensUrls: boolean;
  readonly logLevel: string | undefined;
}

/** Bytes of `_meta` that are parsed. */
const MAX_META = 64 * 1024;

export function declaredBy({ bytes, object }: ReadMessage): Declared {
  const at = object.member('params')?.member('_meta');
  const isShort = at !== undefined && at.end - at.start <= MAX_META;
  const meta = fieldsOf(isShort ? JSON.parse(bytes.toString('utf8', at.start, at.end)) : {});
  const capabilities = fieldsOf(meta[`${RESERVED}clientCapabilities`]);
  const logLevel = meta[`${RESERVED}logLevel`];
  return {
    capabilities,
    opensUrls: isObject(fieldsOf(capabilities.elicitation).url),
    logLevel: isLogLevel(logLevel) ? logLevel : undefined,
  };
}

/** What a client must declare to be asked this. */
export const CAPABILITIES: ReadonlyMap<string, 'elicitation' | 'sampling' | 'roots'> = new Map([
  ['elicitation/create', 'elicitation'],
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
]);

const EFFECTS = 'The call was cancelled, and may have had effects.';

/**
 * Why the call of a modern client ends when a legacy server asks something.
 *
 * @param method that the server asks with
 * @param url of the integration alone
 */
export function needsLegacyClient(
  method: string,
  { capabilities }: Declared,
  { integrationId }: Pick<AggregateAttachment, 'integrationId'>,
  url: string,
): { readonly reply: Reply; readonly status: number } {
  const needed = CAPABILITIES.get(method);
  if (needed !== undefined && !isObject(capabilities[needed])) {
    const text = `The integration asks the client for ${needed}, which it has not declared. ${EFFECTS}`;
    return { reply: missing({ [needed]: {} }, text), status: 400 };
  }
  const text = `The integration asks the client during the call, which takes a session of MCP 2025-11-25: use such a client, or the URL of the integration. ${EFFECTS}`;
  const data = { code: 'needs_legacy_client', integrationId, url };
  return { reply: failed(UPSTREAM_FAILED, text, data), status: 200 };
}

function missing(requiredCapabilities: object, text: string): Reply {
  return failed(CAPABILITY_MISSING, text, { requiredCapabilities });
}

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
  const raw = message.object.member('error')?.member('data')?.raw(message.bytes) ?? '';
  if (raw === '' || raw.length > MAX_DATA) return [];
  const { elicitations } = fieldsOf(JSON.parse(raw));
  return (Array.isArray(elicitations) ? elicitations : []).flatMap((elicitation) => {
    const { url, message: text } = fieldsOf(elicitation);
    if (typeof url !== 'string' || typeof text !== 'string') return [];
    return { mode: 'url', message: text, url };
  });
}
