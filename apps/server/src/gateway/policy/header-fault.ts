import type { Message } from '../../mcp/envelope/message.ts';
import { differingHeader, missingHeader } from '../../mcp/envelope/mirror-headers.ts';
import { eraOf } from '../../mcp/era.ts';
import type { JudgedHeaders } from './judged-headers.ts';

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
