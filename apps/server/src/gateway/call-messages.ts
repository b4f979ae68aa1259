import type { Envelope, Message } from '../mcp/envelope/message.ts';
import { type McpMethod, mcpMethodOf } from '../mcp/methods.ts';

/** A JSON-RPC message that a client has sent, without its arguments. */
export interface CallMessage {
  /** `other` for a method that MCP does not have, for a response, and for a body that cannot be read. */
  readonly method: McpMethod | 'other';
  /** Of the tool or prompt; at most 128 UTF-16 code units. */
  readonly name: string | undefined;
  /** Scheme and host of the resource, such as `https://example.com` or `file://`; at most 128 UTF-16 code units. */
  readonly uri: string | undefined;
}

const MAX_LENGTH = 128;

const NAMED: ReadonlySet<string> = new Set<McpMethod>(['tools/call', 'prompts/get']);
const LOCATED: ReadonlySet<string> = new Set<McpMethod>([
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
]);

/** RFC 3986 section 3, without userinfo and port. */
const SCHEME_AND_HOST = /^([a-z][a-z0-9+.-]*:)(\/\/)?/i;
const AUTHORITY_END = /[/?#]/;
const PORT = /:\d*$/;

const HALF_PAIR = /[\uD800-\uDBFF]$/;

const UNREADABLE: readonly CallMessage[] = [{ method: 'other', name: undefined, uri: undefined }];

export function callMessagesOf(envelope: Envelope): readonly CallMessage[] {
  if (envelope.kind === 'unreadable') return UNREADABLE;
  return envelope.kind === 'batch'
    ? envelope.messages.map(callMessageOf)
    : [callMessageOf(envelope.message)];
}

function callMessageOf({ method: sent = '', name, uri }: Message): CallMessage {
  const method = mcpMethodOf(sent) ?? 'other';
  return {
    method,
    name: name !== undefined && NAMED.has(method) ? shortened(name) : undefined,
    uri: uri !== undefined && LOCATED.has(method) ? schemeAndHostOf(uri) : undefined,
  };
}

function schemeAndHostOf(uri: string): string | undefined {
  const [start, scheme, slashes] = SCHEME_AND_HOST.exec(uri) ?? [];
  if (start === undefined || scheme === undefined) return undefined;
  if (slashes === undefined) return shortened(scheme.toLowerCase());
  const [authority = ''] = uri.slice(start.length).split(AUTHORITY_END, 1);
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(PORT, '');
  return shortened(`${scheme}//${host}`.toLowerCase());
}

/** PostgreSQL does not store half of a surrogate pair, which a cut may leave. */
function shortened(text: string): string {
  return text.length <= MAX_LENGTH ? text : text.slice(0, MAX_LENGTH).replace(HALF_PAIR, '');
}
