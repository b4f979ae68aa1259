import { FIRST_MODERN_VERSION } from '../../../mcp/era.ts';
import type { OauthHttp } from '../http.ts';
import { UpstreamOauthError } from '../upstream-error.ts';
import { type Challenge, parseChallenge } from './challenge.ts';

/** A server's response to a call without a credential. */
export interface Refusal extends Challenge {
  /** It requires a credential (401). */
  readonly isUnauthorized: boolean;
}

/** Milliseconds. Some servers never respond to a method that they do not know. */
const TIMEOUT = 5_000;

/** Opens no session in either era, and servers check the credential first. */
const CALL = {
  method: 'POST',
  headers: [
    ['content-type', 'application/json'],
    ['accept', 'application/json, text/event-stream'],
    ['mcp-protocol-version', FIRST_MODERN_VERSION],
    ['mcp-method', 'server/discover'],
  ],
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'server/discover',
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': FIRST_MODERN_VERSION,
        'io.modelcontextprotocol/clientInfo': { name: 'gatehouse', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  }),
  // The head is enough.
  until: () => true,
} as const;

/**
 * Calls the MCP server without a credential to see its challenge.
 *
 * @throws UpstreamOauthError if it cannot be reached. Silence is no error.
 */
export async function requestChallenge(
  http: OauthHttp,
  url: string,
  signal: AbortSignal,
): Promise<Refusal> {
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]);
    const { status, headers } = await http.request(url, { ...CALL, signal: within });
    const isUnauthorized = status === 401;
    if (!isUnauthorized && status !== 403) return { isUnauthorized };
    return { isUnauthorized, ...parseChallenge(headers['www-authenticate']) };
  } catch (error) {
    const isSilence = error instanceof UpstreamOauthError && error.code === 'timeout';
    if (isSilence && !signal.aborted) return { isUnauthorized: false };
    throw error;
  }
}
