import type { Message } from '../../mcp/envelope/message.ts';
import { differingHeader, missingHeader } from '../../mcp/envelope/mirror-headers.ts';
import { eraOf } from '../../mcp/era.ts';

/** Those that say how a body is read, or what it holds. */
const JUDGED = [
  'content-type',
  'content-encoding',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
] as const;

type Judged = (typeof JUDGED)[number];

/** All of their values. */
export type JudgedHeaders = Readonly<Partial<Record<Judged, readonly string[]>>>;

/** No two are of the same length, and few other headers of a call have one of these lengths. */
const BY_LENGTH = new Map(JUDGED.map((name) => [name.length, name]));

/**
 * Reads them from the raw headers: Node's `headers` drops a second `Content-Type`, which the upstream gets, and
 * `headersDistinct` would collect every header.
 */
export function judgedHeadersOf(rawHeaders: readonly string[]): JudgedHeaders {
  const found: Partial<Record<Judged, string[]>> = {};
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    const judged = BY_LENGTH.get(name.length);
    if (judged === undefined || name.toLowerCase() !== judged) continue;
    const value = rawHeaders[i + 1] as string;
    const values = found[judged];
    if (values === undefined) found[judged] = [value];
    else values.push(value);
  }
  return found;
}

/**
 * Why the headers of a request do not agree with its body; undefined if they do. In both eras the headers that are
 * there are compared; the modern one also requires them (2026-07-28 streamable HTTP, "Standard Request Headers").
 */
export function headerFault(message: Message, headers: JudgedHeaders): string | undefined {
  const { protocolVersion } = message;
  const version = headers['mcp-protocol-version']?.[0];
  if (protocolVersion !== undefined && protocolVersion !== version) {
    return differs('MCP-Protocol-Version');
  }
  const differing = differingHeader(message, headers);
  if (differing !== undefined) return differs(differing);
  const missing = eraOf(version) === 'modern' ? missingHeader(message, headers) : undefined;
  return missing && `The header ${missing} is missing.`;
}

function differs(header: string): string {
  return `The header ${header} differs from the body.`;
}
