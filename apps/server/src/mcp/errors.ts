/**
 * Error codes of JSON-RPC messages: of JSON-RPC 2.0 (section 5.1), of MCP (2025-11-25 resources and elicitation, 2026-07-28
 * basic, "Error Codes"), and our own.
 */

export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;

/** Of 2025-11-25; 2026-07-28 answers with {@link INVALID_PARAMS}. */
export const RESOURCE_NOT_FOUND = -32002;
export const URL_ELICITATION_REQUIRED = -32042;

export const HEADER_MISMATCH = -32020;
export const CAPABILITY_MISSING = -32021;
export const UNSUPPORTED_VERSION = -32022;

/** Only servers of 2026-07-28 answer with these. */
export const MODERN_ERRORS: ReadonlySet<number> = new Set([
  HEADER_MISMATCH,
  CAPABILITY_MISSING,
  UNSUPPORTED_VERSION,
]);

// Ours lie outside JSON-RPC's reserved range, of which MCP 2026-07-28 claims -32099..-32000.
export const CREDENTIAL_ERROR = -31001;
export const STREAM_ENDED = -31002;
export const POLICY_REFUSED = -31003;
export const LIMITED = -31004;
export const UPSTREAM_FAILED = -31005;
