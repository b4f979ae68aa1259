import type { IncomingMessage } from 'node:http';
import type { Message } from '../../mcp/envelope/message.ts';
import { differingHeader, missingHeader } from '../../mcp/envelope/mirror-headers.ts';
import { eraOf } from '../../mcp/era.ts';

const MCP = /^mcp-/i;

/**
 * Why the headers of a request do not agree with its body; undefined if they do. In both eras the headers that are
 * there are compared; the modern one also requires them (2026-07-28 streamable HTTP, "Standard Request Headers").
 */
export function headerFault(
  message: Message,
  { rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>,
): string | undefined {
  const headers = mcpHeadersOf(rawHeaders);
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

/** All values of the headers of MCP. Node's `headersDistinct` would collect every header. */
function mcpHeadersOf(rawHeaders: readonly string[]): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (!MCP.test(name)) continue;
    const key = name.toLowerCase();
    found[key] = [...(found[key] ?? []), rawHeaders[i + 1] as string];
  }
  return found;
}

function differs(header: string): string {
  return `The header ${header} differs from the body.`;
}
