import type { IncomingHttpHeaders } from 'node:http';
import { FIRST_MODERN_VERSION } from '../era.ts';
import { HEADER_MISMATCH, INVALID_PARAMS, UNSUPPORTED_VERSION } from '../errors.ts';
import { decodedHeader, NAME_SOURCES } from '../header-values.ts';
import { fieldsOf, isObject, type RpcRequest } from './messages.ts';
import { failed, type Reply } from './reply.ts';

export const META = 'io.modelcontextprotocol';

/** What a request says of itself. */
export function metaOf({ params }: RpcRequest): Readonly<Record<string, unknown>> {
  return fieldsOf(params._meta);
}

/** Whether a request declares itself one of the modern era, whatever its headers say. */
export function isModernRequest(request: RpcRequest): boolean {
  return typeof metaOf(request)[`${META}/protocolVersion`] === 'string';
}

/**
 * Why a request must be refused with 400 (2026-07-28 streamable HTTP, "Request Metadata"); undefined if
 * it may be answered.
 */
export function modernFault(request: RpcRequest, headers: IncomingHttpHeaders): Reply | undefined {
  const meta = metaOf(request);
  const version = meta[`${META}/protocolVersion`];
  const capabilities = meta[`${META}/clientCapabilities`];
  if (typeof version !== 'string' || !isObject(capabilities)) {
    const keys = `${META}/protocolVersion and ${META}/clientCapabilities`;
    return failed(INVALID_PARAMS, `Invalid params: _meta must have ${keys}.`);
  }
  const mismatch = mismatchedHeader(request, version, headers);
  if (mismatch !== undefined) {
    return failed(HEADER_MISMATCH, `The header ${mismatch} is missing, or differs from the body.`);
  }
  if (version === FIRST_MODERN_VERSION) return undefined;
  const data = { supported: [FIRST_MODERN_VERSION], requested: version };
  return failed(UNSUPPORTED_VERSION, 'Unsupported protocol version.', data);
}

function mismatchedHeader(
  { method, params }: RpcRequest,
  version: string,
  headers: IncomingHttpHeaders,
): string | undefined {
  if (headers['mcp-protocol-version'] !== version) return 'MCP-Protocol-Version';
  if (headers['mcp-method'] !== method) return 'Mcp-Method';
  const source = NAME_SOURCES.get(method);
  const name = source && params[source];
  return name === undefined || textOf(headers['mcp-name']) === name ? undefined : 'Mcp-Name';
}

function textOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? decodedHeader(value) : undefined;
}
