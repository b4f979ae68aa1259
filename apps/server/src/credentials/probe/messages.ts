import type { EgressError, EgressErrorReason } from '../../egress/errors.ts';
import { UpstreamOauthError } from '../oauth/upstream-error.ts';
import type { ReadyCredential, UnusableCredential } from '../outcome.ts';
import type { Authorization } from './authorization.ts';
import type { Finding } from './finding.ts';

/** What a message calls the credential that was sent. */
export const CREDENTIAL_NAMES: Readonly<Record<ReadyCredential['source'], string>> = {
  none: 'no credential',
  server_token: 'the server token',
  connection: 'your connection',
};

/** Why there is no credential to send, and what to do; a clause within a sentence. */
export const WHY_NO_CREDENTIAL: Readonly<Record<UnusableCredential['reason'], string>> = {
  connection_required: 'you have no connection to it yet; connect, then validate again',
  needs_reauth: 'your connection does not match its current configuration; connect again',
  expired: 'your connection has expired; connect again',
  server_token_missing: 'no server token is set for this URL; set serverToken',
  server_token_misfit:
    'its credentialSchema has no property for a single token that can be sent; set another credentialSchema or serverToken',
  oauth_not_configured: 'it has no OAuth configuration; set one',
  client_rejected:
    'its authorization server does not accept the client; check clientId and clientSecret of its OAuth configuration',
  refresh_failed: 'its authorization server did not renew your access; validate again later',
  key_not_loaded:
    'the encryption key of its stored credential is not loaded; ask the operator of Gatehouse to add it to GATEHOUSE_ENCRYPTION_KEYS',
  decryption_failed: 'its stored credential cannot be decrypted; enter the credential again',
};

/** MCP 2024-11-05. */
export const OLD_TRANSPORT =
  'The server speaks the old HTTP+SSE transport of MCP, which cannot be relayed; set the URL of its Streamable HTTP endpoint, or update the server.';

/** A URL that is no integration yet. */
export const NO_CHALLENGE =
  'The server refuses calls without a credential, but not as an MCP server does; check the path of the URL.';

/** Why a credential-only entry was not tried. */
export const PRIVATE_ADDRESS =
  'The URL has a private address and was not tried; to have it tried, add its network to GATEHOUSE_ALLOWED_NETWORKS.';

const BY_REASON: Partial<Record<EgressErrorReason, string>> = {
  address_not_allowed:
    'The host of the URL has an address that is not public; use a public address, or add its network to GATEHOUSE_ALLOWED_NETWORKS.',
  plain_http_with_credentials:
    'Credentials are sent over plain http only to networks in GATEHOUSE_ALLOWED_NETWORKS; use an https URL.',
  name_not_found: 'The host name of the URL cannot be resolved; check the URL.',
  name_server_failed:
    'The name server failed to resolve the host name of the URL; check the URL and the name server of Gatehouse, then validate again.',
  name_server_silent:
    'The name server did not answer for the host name of the URL in time; check the URL and the name server of Gatehouse, then validate again.',
  out_of_files:
    'Gatehouse has no file descriptors left; ask its operator to raise the limit of open files, then validate again.',
  too_many_lookups: 'Too many host names are being resolved at once; validate again later.',
  refused:
    'The host refuses connections on the port of the URL; check that the server is running there.',
  connection_lost:
    'The server closed the connection without a response; check that it serves MCP at this URL.',
  certificate_expired:
    'The TLS certificate of the server has expired or is not valid yet; renew it.',
  certificate_name:
    'The TLS certificate of the server is for another host name; check the URL or the certificate.',
  certificate_untrusted:
    'The TLS certificate of the server is not signed by a trusted authority; install a trusted one, or name your own authority in NODE_EXTRA_CA_CERTS and restart Gatehouse.',
  handshake: 'The server does not accept a TLS connection; check the scheme and port of the URL.',
};

/** Why there was no response. */
export function unreachableMessage({ kind, reason }: EgressError): string {
  const known = BY_REASON[reason];
  if (known !== undefined) return known;
  if (kind === 'timeout') {
    return 'The server did not respond in time; check that it is running and that its network accepts connections from Gatehouse.';
  }
  if (kind === 'protocol') {
    return 'The response of the server is not valid HTTP; check the scheme and port of the URL.';
  }
  return 'The server cannot be reached; check the URL and the network.';
}

/** Why nobody can connect by OAuth, and what to do; undefined where nothing is known to prevent it. */
export function cannotConnectMessage(authorization: Authorization): string | undefined {
  if (authorization.kind === 'missing') return cannotConnect(authorization.message);
  if (authorization.ways.length > 0) return undefined;
  return cannotConnect(new UpstreamOauthError('no_client').message);
}

/** @param why a sentence or two */
export function cannotConnect(why: string): string {
  return `The server was reached, but nobody can connect to it yet. ${why}`;
}

/** The server rejected the credential that was sent. */
export function rejectedMessage(source: ReadyCredential['source'], status: 401 | 403): string {
  if (source === 'none') {
    return `The server asks for a credential (${status}), but the authMode of the integration is none; set another authMode.`;
  }
  const remedy = source === 'server_token' ? 'set another serverToken' : 'connect again';
  const rejected = `The server refused ${CREDENTIAL_NAMES[source]} (${status})`;
  return status === 403
    ? `${rejected}; check its permissions, or ${remedy}.`
    : `${rejected}; ${remedy} with a credential that it accepts.`;
}

/** Names the URL to enter if the redirect stays at the origin of the integration's own. */
export function redirectMessage({ status, to }: Extract<Finding, { kind: 'redirect' }>): string {
  return to === undefined
    ? `The server redirects elsewhere (${status}), and redirects are not followed; set the URL to which it redirects.`
    : `The server redirects (${status}) to ${to}, and redirects are not followed; set this URL, with the query of the present one if it has any.`;
}

/** What a response that is not MCP means. Quotes only numbers from it. */
export function unexpectedResponseMessage(
  status: number,
  errorCode: number | undefined,
  credential: string,
): string {
  if (errorCode !== undefined) {
    return `The server refused MCP's initialize with ${credential} (status ${status}, JSON-RPC error ${errorCode}); check the URL and the server's documentation.`;
  }
  if (status < 300) {
    return `The server responded (${status}), but not with MCP; check the path of the URL.`;
  }
  const responded = `The server responded with status ${status} to MCP's initialize with ${credential}`;
  if (status === 404) return `${responded}; check the path of the URL.`;
  if (status === 405) return `${responded}: it accepts no POST there; check the path of the URL.`;
  if (status === 429) return `${responded}: too many requests; validate again later.`;
  if (status >= 500) {
    return `${responded}: it is failing; validate again later or ask its operator.`;
  }
  return `${responded}; check the URL and the server's documentation.`;
}
