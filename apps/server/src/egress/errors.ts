import { serverFailures } from '@gatehouse/contract';

/** Why an outgoing request failed. `denied`: the policy does not allow the address; nothing was sent. */
export type EgressErrorKind = 'denied' | 'unreachable' | 'timeout' | 'tls' | 'protocol';

/** The exact cause, where it is known. */
export type EgressErrorReason =
  | 'address_not_allowed'
  | 'plain_http_with_credentials'
  | 'name_not_found'
  | 'name_server_failed'
  | 'name_server_silent'
  | 'too_many_lookups'
  | 'out_of_files'
  | 'refused'
  | 'connection_lost'
  | 'certificate_expired'
  | 'certificate_name'
  | 'certificate_untrusted'
  | 'handshake'
  | 'other';

const MESSAGES: Record<EgressErrorKind, string> = {
  denied: 'The egress policy does not allow the address.',
  unreachable: serverFailures.unreachable.sentence,
  timeout: serverFailures.timed_out.sentence,
  tls: 'A trusted TLS connection could not be established.',
  protocol: serverFailures.response_invalid.sentence,
};

/**
 * A failed outgoing request. The message is fixed and has no cause, because errors of undici and
 * node:net contain addresses and URLs, and header validation quotes values.
 */
export class EgressError extends Error {
  override readonly name = 'EgressError';
  readonly kind: EgressErrorKind;
  readonly reason: EgressErrorReason;
  /** `egress_` and the kind. It must not be one of undici's codes, on which undici connects again. */
  readonly code: `egress_${EgressErrorKind}`;

  constructor(kind: EgressErrorKind, reason: EgressErrorReason = 'other') {
    super(MESSAGES[kind]);
    this.kind = kind;
    this.reason = reason;
    this.code = `egress_${kind}`;
  }
}

const TIMEOUTS = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

const PROTOCOL = new Set(['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']);

const UNREACHABLE: Readonly<Record<string, EgressErrorReason>> = {
  EMFILE: 'out_of_files',
  ENFILE: 'out_of_files',
  ECONNREFUSED: 'refused',
  ECONNRESET: 'connection_lost',
  EPIPE: 'connection_lost',
  UND_ERR_SOCKET: 'connection_lost',
  EHOSTUNREACH: 'other',
  ENETUNREACH: 'other',
  EADDRNOTAVAIL: 'other',
  EACCES: 'other',
  EPERM: 'other',
};

const CERTIFICATE: Readonly<Record<string, EgressErrorReason>> = {
  CERT_HAS_EXPIRED: 'certificate_expired',
  CERT_NOT_YET_VALID: 'certificate_expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate_name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate_untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate_untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate_untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate_untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate_untrusted',
  CERT_UNTRUSTED: 'certificate_untrusted',
  CERT_REVOKED: 'certificate_untrusted',
};

/** Converts an error that undici reports after a request was dispatched. */
export function toEgressError(error: unknown): EgressError {
  if (error instanceof EgressError) return error;
  const code = codeOf(error);
  if (TIMEOUTS.has(code)) return new EgressError('timeout');
  const reason = UNREACHABLE[code];
  if (reason !== undefined) return new EgressError('unreachable', reason);
  const certificate = CERTIFICATE[code];
  if (certificate !== undefined) return new EgressError('tls', certificate);
  if (PROTOCOL.has(code) || isParserError(error)) return new EgressError('protocol');
  return new EgressError('unreachable');
}

/** Converts an error of connecting. With TLS, every error that is not a network error is a TLS error. */
export function toConnectError(error: unknown, isTls: boolean): EgressError {
  if (error instanceof EgressError) return error;
  const code = codeOf(error);
  // A reset before `secureConnect` means that the peer rejected the handshake, unless TCP itself failed.
  const isHandshakeReset = code === 'ECONNRESET' && syscallOf(error) !== 'connect';
  const isNetwork = TIMEOUTS.has(code) || (code in UNREACHABLE && !isHandshakeReset);
  if (!isTls || isNetwork) return toEgressError(error);
  return new EgressError('tls', CERTIFICATE[code] ?? 'handshake');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}

/** Parser errors of undici often have no code. */
function isParserError(error: unknown): boolean {
  return error instanceof Error && error.name === 'HTTPParserError';
}

function syscallOf(error: unknown): unknown {
  return error instanceof Error && 'syscall' in error ? error.syscall : undefined;
}
