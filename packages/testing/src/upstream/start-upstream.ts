import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server';
import type { TokenVerifier } from '../identity-provider/identity-provider.ts';
import { closeServer, type ListenOptions, listen } from '../listen.ts';
import { createRecorder, type Recording } from '../recording.ts';
import type { UpstreamAuthorization } from './authorization.ts';
import { createEndpoint, type Era, MCP_PATH } from './http.ts';
import { sendRpcError } from './http-errors.ts';
import { createFixtureStates } from './input-required/requests.ts';
import { createReferenceServer } from './mcp-server.ts';
import { createOauthGuard } from './oauth/guard.ts';
import type { UpstreamCall, UpstreamOauthOptions } from './oauth/options.ts';
import { createLegacySessions } from './sessions.ts';

/** Options of {@link startUpstream}. */
export interface UpstreamOptions extends ListenOptions, UpstreamAuthorization {
  /**
   * Accepts only access tokens of this provider, publishes metadata (RFC 9728), and offers two more
   * tools: `whoami`, which answers the user, and `write_note`, which needs the scope `write`.
   */
  readonly oauth?: TokenVerifier | UpstreamOauthOptions;
  /** Speaks one era alone: `legacy` up to 2025-11-25, `modern` 2026-07-28. Default: both. */
  readonly era?: Era;
}

/** A running reference upstream. */
export interface Upstream extends Recording {
  /** The MCP endpoint, `http://127.0.0.1:<port>/mcp`. */
  readonly url: string;
  /** The messages that came with a valid token, if `oauth` is set. */
  readonly calls: readonly UpstreamCall[];
  /** Ids of the open legacy sessions, oldest first. */
  readonly sessionIds: readonly string[];
  /** Ends every legacy session, as a restart would: streams are closed, and requests with its id get 404. */
  forgetSessions(): Promise<void>;
  /** Closes every connection and stops listening. */
  close(): Promise<void>;
}

/**
 * Starts a real MCP server that speaks both eras at one URL (2025-11-25 and older with sessions,
 * 2026-07-28 without), or one of them, passes the official conformance suites, and records every request.
 */
export async function startUpstream(options: UpstreamOptions = {}): Promise<Upstream> {
  const recorder = createRecorder();
  const states = createFixtureStates();
  const hasAccounts = options.oauth !== undefined;
  const create = (): McpServer =>
    createReferenceServer({ states, notifier: handler.notify, hasAccounts });
  const handler = createMcpHandler(create, { legacy: 'reject' });
  const sessions = createLegacySessions(create);
  const modern = toNodeHandler(handler);
  const server = createServer();
  const authority = await listen(server, options);
  const url = `http://${authority}${MCP_PATH}`;
  const guard = options.oauth && createOauthGuard(options.oauth, url);
  const { era } = options;
  const parts = { recorder, sessions, modern, authorization: options, guard, era };
  const endpoint = createEndpoint(parts);
  server.on('request', (request, response) => {
    endpoint(request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else sendRpcError(response, 500, -32603, 'Internal error');
    });
  });
  return {
    url,
    calls: guard?.calls ?? [],
    requests: recorder.requests,
    hasReceived: recorder.hasReceived,
    get sessionIds() {
      return sessions.ids;
    },
    forgetSessions: sessions.forget,
    async close() {
      await Promise.all([sessions.forget(), handler.close()]);
      server.closeAllConnections();
      await closeServer(server);
    },
  };
}
