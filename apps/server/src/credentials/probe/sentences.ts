import type { EgressError, EgressErrorReason } from '../../egress/errors.ts';
import type { CredentialOutcome } from '../outcome.ts';

/** Why no credential could be tried. */
export type MissingReason = Exclude<CredentialOutcome, { kind: 'ready' }>['reason'];

/** Whose credential was tried, as a sentence names it. */
export const TRIED = {
  none: 'no credential',
  server_token: 'the server token',
  connection: 'your connection',
} as const;

/** What has to be done before a credential can be tried. */
export const TO_DO: Record<MissingReason, string> = {
  connection_required: 'you have no connection to it yet; connect, then validate again',
  needs_reauth: 'your connection does not fit its present configuration; connect again',
  expired: 'your connection has expired; connect again',
  server_token_missing: 'no server token is set for this URL; set serverToken',
  oauth_not_configured: 'it has no OAuth issuer; set its OAuth configuration',
  oauth_not_supported: 'connections by OAuth cannot be made yet',
  decryption_failed: 'its stored credential cannot be decrypted; enter the credential again',
};

const BY_REASON: Partial<Record<EgressErrorReason, string>> = {
  address_not_allowed:
    'The host of the URL has an address that is not public; allow its network in GATEHOUSE_ALLOWED_NETWORKS or use a public address.',
  plain_http_with_credentials:
    'Credentials are sent over plain http only to networks in GATEHOUSE_ALLOWED_NETWORKS; use an https URL.',
  name_not_found: 'The host name of the URL cannot be resolved; check the URL.',
  refused:
    'The host refuses connections on the port of the URL; check that the server is running there.',
  connection_lost:
    'The server closed the connection without an answer; check that it serves MCP at this URL.',
  too_many_origins: 'This service is connected to too many servers at once; validate again later.',
  certificate_expired: 'The TLS certificate of the server is outside its dates; renew it.',
  certificate_name:
    'The TLS certificate of the server is for another host name; check the URL or the certificate.',
  certificate_untrusted:
    'The TLS certificate of the server is not signed by a trusted authority; install a trusted one.',
  handshake: 'The server does not accept a TLS connection; check the scheme and port of the URL.',
};

/** Says why there was no answer. */
export function unreachedSentence(error: EgressError): string {
  const known = BY_REASON[error.reason];
  if (known !== undefined) return known;
  if (error.kind === 'timeout') {
    return 'The server did not answer in time; check that it is running and that its network lets this service in.';
  }
  if (error.kind === 'protocol') {
    return 'The server does not answer with valid HTTP; check the scheme and port of the URL.';
  }
  return 'The server cannot be reached; check the URL and the network.';
}

/** Says what an answer that is not MCP means. Numbers are all it repeats of that answer. */
export function otherSentence(
  status: number,
  errorCode: number | undefined,
  tried: string,
): string {
  const answered = `The server answered ${status} to MCP's initialize with ${tried}`;
  if (errorCode !== undefined) {
    return `The server refused MCP's initialize with ${tried} (status ${status}, JSON-RPC error ${errorCode}); check the URL and its documentation.`;
  }
  if (status >= 300 && status < 400) {
    return `The server redirects elsewhere (${status}), which is not followed; set the URL it redirects to.`;
  }
  if (status === 404) return `${answered}; check the path of the URL.`;
  if (status === 405) return `${answered}, so it takes no POST there; check the path of the URL.`;
  if (status === 429) return `${answered}: too many requests; validate again later.`;
  if (status >= 500) return `${answered}, so it is failing; try again later or ask its operator.`;
  if (status < 300)
    return `The server answered (${status}), but not with MCP; check the path of the URL.`;
  return `${answered}; check the URL and its documentation.`;
}
