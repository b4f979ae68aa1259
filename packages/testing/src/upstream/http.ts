import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  localhostHostValidation,
  localhostOriginValidation,
  type NodeIncomingMessageLike,
  type NodeMcpRequestHandler,
} from '@modelcontextprotocol/node';
import { type AuthInfo, classifyInboundRequest } from '@modelcontextprotocol/server';
import type { Recorder } from '../recording.ts';
import { createAuthorizer, type UpstreamAuthorization } from './authorization.ts';
import { sendRpcError } from './http-errors.ts';
import type { AdmittedToken, OauthGuard } from './oauth/guard.ts';
import type { LegacySessions } from './sessions.ts';

/** The path of the MCP endpoint. Its query string is ignored. */
export const MCP_PATH = '/mcp';

/** A generation of the protocol: with `initialize`, or without. */
export type Era = 'legacy' | 'modern';

/** The parts that serve the endpoint. */
export interface EndpointParts {
  readonly recorder: Recorder;
  readonly sessions: LegacySessions;
  readonly modern: NodeMcpRequestHandler;
  readonly authorization: UpstreamAuthorization;
  /** Absent where OAuth is not used. */
  readonly guard: OauthGuard | undefined;
  /** The only one that is spoken. */
  readonly era: Era | undefined;
}

/** One URL for both eras: records the request, checks Host and Origin, authorizes, then selects the era. */
export function createEndpoint(
  parts: EndpointParts,
): (request: IncomingMessage & { auth?: AuthInfo }, response: ServerResponse) => Promise<void> {
  const { recorder, sessions, modern, guard, era } = parts;
  const isAuthorized = createAuthorizer(parts.authorization);
  const isLocalHost = localhostHostValidation();
  const isLocalOrigin = localhostOriginValidation();

  return async (request, response) => {
    const recorded = await recorder.record(request);
    if (!isLocalHost(request, response) || !isLocalOrigin(request, response)) return;
    const path = request.url?.split('?', 1)[0] ?? '';
    const metadata = guard?.metadataAt(path);
    if (metadata) return sendJson(response, metadata);
    if (path !== MCP_PATH) return sendRpcError(response, 404, -32601, 'Not Found');
    if (!isAuthorized(request.headers)) {
      return refuse(response, 401, 'Bearer realm="reference-upstream", error="invalid_token"');
    }
    const token = guard?.authenticate(request.headers);
    if (token && 'challenge' in token) return refuse(response, token.status, token.challenge);
    const isPost = request.method === 'POST';
    const body = isPost ? parseJson(recorded.body) : undefined;
    const refusal = token && guard?.admit(token, body);
    if (refusal) return refuse(response, refusal.status, refusal.challenge);
    if (token) request.auth = authInfo(token);
    if (!isPost && era === 'modern') return sendRpcError(response, 405, -32000, 'Use POST');
    if (!isPost && (era === 'legacy' || !isModern(request))) {
      return sessions.handle(request, response);
    }
    if (!isPost) return modern(request as NodeIncomingMessageLike, response);
    if (body === undefined) return sendRpcError(response, 400, -32700, 'Parse error');
    const isOfSessions = isLegacy(request, body);
    if (era === 'legacy' && !isOfSessions) {
      return sendRpcError(response, 400, -32000, 'Bad Request: Unsupported protocol version');
    }
    if (isOfSessions && era !== 'modern') return sessions.handle(request, response, body);
    // Under exactOptionalPropertyTypes, Node's `method?: string | undefined` is not a `method?: string`.
    await modern(request as NodeIncomingMessageLike, response, body);
  };
}

function refuse(response: ServerResponse, status: 401 | 403, challenge: string): void {
  const message = status === 401 ? 'Unauthorized' : 'Forbidden';
  sendRpcError(response, status, -32001, message, { 'WWW-Authenticate': challenge });
}

function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

function authInfo({ token, clientId, scopes, sub }: AdmittedToken): AuthInfo {
  return { token, clientId, scopes: [...scopes], extra: { sub } };
}

/** A client of 2026-07-28 sends its version with every request, and has only POST. */
function isModern(request: IncomingMessage): boolean {
  const version = request.headers['mcp-protocol-version'];
  return typeof version === 'string' && version >= '2026-07-28';
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
