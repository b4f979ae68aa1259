import type { EgressError } from '../../egress/errors.ts';
import type { Era } from '../../mcp/era.ts';

/** What a probe found at the endpoint, before anyone judges it. */
export type Finding =
  /** It answered as an MCP server does, to everything the probe asked. */
  | { readonly kind: 'mcp'; readonly era: Era }
  /** It asks for another credential, or for one at all. `isChallenge`: in the way the protocol has. */
  | { readonly kind: 'unauthorized'; readonly status: 401 | 403; readonly isChallenge: boolean }
  /** It answered in some other way. */
  | { readonly kind: 'other'; readonly status: number; readonly errorCode: number | undefined }
  /** There was no answer. */
  | { readonly kind: 'unreached'; readonly error: EgressError };
