import { isJsonObject, type JsonObject } from '@gatehouse/contract';

export type Era = 'modern' | 'legacy';

/** The newest version of each era. */
export const VERSIONS: Readonly<Record<Era, string>> = {
  modern: '2026-07-28',
  legacy: '2025-11-25',
};

export type Headers = readonly (readonly [name: string, value: string])[];

/** A message of JSON-RPC, with the headers that go with it. */
export interface Message {
  readonly method: string;
  readonly params?: JsonObject;
  readonly headers?: Headers;
  readonly isNotification?: boolean;
}

const CLIENT_INFO = { name: 'gatehouse-console', version: '1' };
const META = 'io.modelcontextprotocol';
const MODERN_META = {
  [`${META}/protocolVersion`]: VERSIONS.modern,
  [`${META}/clientInfo`]: CLIENT_INFO,
  [`${META}/clientCapabilities`]: {},
};

export const INITIALIZE: Message = {
  method: 'initialize',
  params: { protocolVersion: VERSIONS.legacy, capabilities: {}, clientInfo: CLIENT_INFO },
};

export const INITIALIZED: Message = { method: 'notifications/initialized', isNotification: true };

/** A request of 2026-07-28: its version is in `_meta`, and its method and names in headers too. */
export function modernRequest(
  method: string,
  params: JsonObject = {},
  mirrored: Headers = [],
): Message {
  return {
    method,
    params: { ...params, _meta: MODERN_META },
    headers: [
      ['mcp-protocol-version', VERSIONS.modern],
      ['mcp-method', method],
      ...mirrored.map(([name, value]) => [name, headerValueOf(value)] as const),
    ],
  };
}

/** RFC 9110 section 5.6.2, of a length that servers take. */
const TOKEN = /^[!#$%&'*+.^`|~\w-]{1,100}$/;

/**
 * The parameters that a tool wants in headers too, at any depth of `properties` (2026-07-28 streamable HTTP, "Custom
 * Headers from Tool Parameters").
 */
export function mirroredParams(inputSchema: unknown, args: JsonObject): Headers {
  const properties = isJsonObject(inputSchema) ? inputSchema.properties : undefined;
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).flatMap(([key, property]): Headers => {
    const name = isJsonObject(property) ? property['x-mcp-header'] : undefined;
    const value = Object.hasOwn(args, key) ? args[key] : undefined;
    if (isJsonObject(value)) return mirroredParams(property, value);
    if (typeof name !== 'string' || !TOKEN.test(name)) return [];
    const isPlain = ['string', 'number', 'boolean'].includes(typeof value);
    return isPlain ? [[`mcp-param-${name}`, String(value)]] : [];
  });
}

const PLAIN = /^(?=\S)[\x20-\x7e]*(?<=\S)$/;
const SENTINEL = /^=\?base64\?.*\?=$/i;

/** As a header carries it: anything but plain ASCII as Base64 of UTF-8 ("Value Encoding"). */
export function headerValueOf(text: string): string {
  if (text === '' || (PLAIN.test(text) && !SENTINEL.test(text))) return text;
  const bytes = new TextEncoder().encode(text);
  return `=?base64?${btoa(String.fromCharCode(...bytes))}?=`;
}

/** What a server answered to a request. */
export type Answer =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | {
      readonly kind: 'error';
      readonly code: number;
      readonly message: string;
      readonly data?: unknown;
    }
  /** Gatehouse or something before it refused the call, by a problem document. */
  | { readonly kind: 'refused'; readonly sentence: string; readonly requestId: string | undefined }
  /** It has no message of MCP. */
  | { readonly kind: 'unreadable' };

/** The response to message `id` in a text; undefined for any other message. */
export function responseIn(text: string, id: number): Answer | undefined {
  const message = parsed(text);
  if (!isJsonObject(message)) return undefined;
  const { result, error } = message;
  if (isJsonObject(result) && message.id === id) return { kind: 'result', result };
  // The error for a request that a server could not read has no id.
  if (!isJsonObject(error) || (message.id !== id && message.id != null)) return undefined;
  const { code, message: sentence, data } = error;
  if (typeof code !== 'number' || typeof sentence !== 'string') return undefined;
  return { kind: 'error', code, message: sentence, ...(data !== undefined && { data }) };
}

/** A problem document (RFC 9457). */
export function refusalIn(text: string): Answer | undefined {
  const problem = parsed(text);
  if (!isJsonObject(problem)) return undefined;
  const { detail, title, requestId } = problem;
  const sentence = typeof detail === 'string' ? detail : title;
  if (typeof sentence !== 'string') return undefined;
  return {
    kind: 'refused',
    sentence,
    requestId: typeof requestId === 'string' ? requestId : undefined,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
