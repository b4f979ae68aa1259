import type { StageCode } from '../../shared/validation.ts';
import { REDIRECT_URI } from '../redirect-uri.ts';
import { failuresOf } from './failure.ts';

const byAdmin = failuresOf('misconfigured', 'admin');
const byOperator = failuresOf('misconfigured', 'operator');
const byUpstream = failuresOf('misconfigured', 'upstream');
const later = failuresOf('transient', 'nobody');

/**
 * Failures at the authorization server of an integration: the stages `discovery` and `registration`.
 * `transient`: another attempt may succeed. `misconfigured`: it fails until someone changes something.
 */
export const authorizationFailures = {
  metadata_not_found: byAdmin(
    'The server publishes no metadata of an authorization server.',
    'Check the URL, set issuer in the OAuth configuration, or use another authMode if the server takes plain tokens.',
  ),
  metadata_invalid: byUpstream(
    'The OAuth metadata of the server is not valid.',
    'Tell the operator of the server.',
  ),
  issuer_mismatch: byAdmin(
    "The authorization server's metadata names a different issuer.",
    'Set issuer in the OAuth configuration to exactly what the server publishes.',
  ),
  resource_mismatch: byAdmin(
    "The server's metadata names a different resource.",
    "Set the integration's URL to the one that the server publishes.",
  ),
  pkce_not_supported: byAdmin(
    "The authorization server's metadata does not list PKCE with S256, which MCP requires.",
    'If you trust the server and it lists no other method, set both issuer and clientId in the OAuth configuration.',
  ),
  insecure_endpoint: byUpstream(
    'The authorization server uses plain http, which is only for networks in GATEHOUSE_ALLOWED_NETWORKS.',
    'Have the authorization server use https.',
  ),
  address_not_allowed: byOperator(
    'The authorization server has an address that is not public.',
    'Add its network to GATEHOUSE_ALLOWED_NETWORKS.',
  ),
  unreachable: later(
    'The authorization server cannot be reached.',
    'Try again later, and check issuer in the OAuth configuration.',
  ),
  timed_out: later('The authorization server did not respond in time.', 'Try again later.'),
  server_error: later('The authorization server reports an internal error.', 'Try again later.'),
  rate_limited: later(
    'The authorization server has received too many requests.',
    'Try again later.',
  ),
  response_invalid: byAdmin(
    "The authorization server's response is not valid.",
    'Check issuer and provider in the OAuth configuration.',
  ),
  no_client: byAdmin(
    'The authorization server does not let clients register themselves.',
    `Create an OAuth app at the provider with the redirect URI ${REDIRECT_URI}, and set clientId and clientSecret in the OAuth configuration.`,
  ),
  shared_redirect_uri: byAdmin(
    'The client has the redirect URI that all integrations shared.',
    `Add ${REDIRECT_URI} to the OAuth app at the provider, then set it as redirectUri in the OAuth configuration.`,
  ),
} satisfies Partial<Record<StageCode, unknown>>;
