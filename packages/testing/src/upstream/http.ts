import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  localhostHostValidation,
  localhostOriginValidation,
  type NodeIncomingMessageLike,
  type NodeMcpRequestHandler,
} from '@modelcontextprotocol/node';
import { classifyInboundRequest } from '@modelcontextprotocol/server';
import type { Recorder } from '../recording.ts';
import { createAuthorizer, type UpstreamAuthorization } from './authorization.ts';
import { sendRpcError } from './http-errors.ts';
import type { LegacySessions } from './sessions.ts';

/** The path of the MCP endpoint. Its query string is ignored. */
export const MCP_PATH = '/mcp';

/** The parts that serve the endpoint. */
export interface EndpointParts {
  readonly recorder: Recorder;
  readonly sessions: LegacySessions;
  readonly modern: NodeMcpRequestHandler;
  readonly authorization: UpstreamAuthorization;
}

/** One URL for both eras: records the request, checks Host and Origin, authorizes, then selects the era. */
export function createEndpoint(
  parts: EndpointParts,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { recorder, sessions, modern } = parts;
  const isAuthorized = createAuthorizer(parts.authorization);
  const isLocalHost = localhostHostValidation();
  const isLocalOrigin = localhostOriginValidation();

  return async (request, response) => {
    const recorded = await recorder.record(request);
    if (!isLocalHost(request, response) || !isLocalOrigin(request, response)) return;
    if (request.url?.split('?', 1)[0] !== MCP_PATH) {
      return sendRpcError(response, 404, -32601, 'Not Found');
    }
    if (!isAuthorized(request.headers)) {
      const challenge = 'Bearer realm="reference-upstream", error="invalid_token"';
      return sendRpcError(response, 401, -32001, 'Unauthorized', { 'WWW-Authenticate': challenge });
    }
    if (request.method !== 'POST') return sessions.handle(request, response);
    const body = parseJson(recorded.body);
    if (body === undefined) return sendRpcError(response, 400, -32700, 'Parse error');
    if (isLegacy(request, body)) return sessions.handle(request, response, body);
    // Under exactOptionalPropertyTypes, Node's `method?: string | undefined` is not a `method?: string`.
    await modern(request as NodeIncomingMessageLike, response, body);
  };
}

function isLegacy(request: IncomingMessage, body: unknown): boolean {
  const version = request.headers['mcp-protocol-version'];
  const method = request.headers['mcp-method'];
  const route = classifyInboundRequest({
    httpMethod: 'POST',
    ...(typeof version === 'string' && { protocolVersionHeader: version }),
    ...(typeof method === 'string' && { mcpMethodHeader: method }),
    body,
  });
  return route.kind === 'legacy';
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
