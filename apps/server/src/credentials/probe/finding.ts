import type { EgressError } from '../../egress/errors.ts';
import type { McpResponse } from '../../mcp/client/client.ts';
import type { Lists } from '../../mcp/client/lists.ts';
import { errorCodeOf } from '../../mcp/client/messages.ts';
import type { Era } from '../../mcp/era.ts';
import type { SpokenEras } from '../../mcp/spoken-eras.ts';

/** What a probe found at the endpoint. */
export type Finding =
  /** The server speaks MCP, and did not demand a credential. */
  | {
      readonly kind: 'mcp';
      readonly era: Era;
      /** The server's own name, cleaned. */
      readonly name: string | undefined;
      readonly tools: ToolsFinding;
      /** Only if they were wanted. */
      readonly lists?: Lists;
      readonly spoken?: SpokenEras;
    }
  /**
   * The server requires a credential, or another one. `isChallenge`: with a proper challenge. `era`: of
   * the handshake before that.
   */
  | {
      readonly kind: 'unauthorized';
      readonly status: 401 | 403;
      readonly isChallenge: boolean;
      readonly era?: Era;
      readonly spoken?: SpokenEras;
    }
  /** The server responded with a redirect. `to`: where, within the URL's own origin. */
  | { readonly kind: 'redirect'; readonly status: number; readonly to: string | undefined }
  /** The server speaks the HTTP+SSE transport of 2024-11-05, which the gateway does not relay. */
  | { readonly kind: 'old_transport' }
  /** The server responded in any other way. */
  | { readonly kind: 'other'; readonly status: number; readonly errorCode: number | undefined }
  /** There was no response. */
  | { readonly kind: 'unreachable'; readonly error: EgressError };

/** What `tools/list` brought. `none`: the server has no tools. `untried`: its version is too new to tell. */
export type ToolsFinding = 'listed' | 'none' | 'refused' | 'silent' | 'untried';

/** The finding from a response that is not a successful one of MCP. */
export function findingOf(result: McpResponse): Finding {
  const { status, headers, response } = result;
  if (status === 401 || status === 403) {
    const isChallenge = headers['www-authenticate'] !== undefined || response !== undefined;
    return { kind: 'unauthorized', status, isChallenge };
  }
  if (status >= 300 && status < 400) return { kind: 'redirect', status, to: result.redirectsTo };
  return { kind: 'other', status, errorCode: errorCodeOf(response) };
}
