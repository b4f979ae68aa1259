import { AuthorizationResponseError, validateAuthResponse } from 'oauth4webapi';
import type { UpstreamServer } from '../discovery/upstream-server.ts';
import {
  codeFor,
  type ErrorCodes,
  providerErrorOf,
  UpstreamOauthError,
} from '../upstream-error.ts';

const MAX_CODE = 8 * 1024;

/** RFC 6749 section 4.1.2.1, RFC 8707 section 2, OpenID Connect Core 1.0 section 3.1.2.6. */
const ERRORS: ErrorCodes = {
  access_denied: 'access_denied',
  consent_required: 'access_denied',
  interaction_required: 'access_denied',
  login_required: 'access_denied',
  account_selection_required: 'access_denied',
  invalid_scope: 'scope_rejected',
  invalid_target: 'resource_rejected',
  unauthorized_client: 'client_rejected',
  invalid_client: 'client_rejected',
  server_error: 'server_error',
  temporarily_unavailable: 'server_error',
};

/** What a person left with. */
interface Left {
  readonly server: Pick<UpstreamServer, 'issuer' | 'sendsIss'>;
  readonly redirectUri: string;
  readonly secrets: { readonly state: string };
}

/**
 * The code with which a browser came back, to the redirect URI of the attempt. An `iss` must be exactly the
 * issuer, and must be there if the server promised it (RFC 9207 section 2.4); only then anything else of the response counts.
 *
 * @throws UpstreamOauthError
 */
export function readCallback(
  { server: { issuer, sendsIss }, redirectUri, secrets: { state } }: Left,
  { pathname, searchParams: params }: URL,
): { readonly code: string } {
  if (pathname !== new URL(redirectUri).pathname) throw new UpstreamOauthError('state_mismatch');
  const issuers = params.getAll('iss');
  const isMixedUp = issuers.some((iss) => iss !== issuer) || (sendsIss && issuers.length === 0);
  if (isMixedUp) throw new UpstreamOauthError('iss_mismatch');
  if (params.get('state') !== state) throw new UpstreamOauthError('state_mismatch');
  try {
    const server = { issuer, authorization_response_iss_parameter_supported: sendsIss };
    // No check concerns the client.
    validateAuthResponse(server, { client_id: 'gatehouse' }, params, state);
  } catch (error) {
    const isRefusal = error instanceof AuthorizationResponseError;
    if (!isRefusal) throw new UpstreamOauthError('response_invalid');
    const said = providerErrorOf(error.error, error.error_description);
    throw new UpstreamOauthError(codeFor(error.error, [ERRORS]) ?? 'request_rejected', said);
  }
  const [code, ...others] = params.getAll('code');
  const isCode = code !== undefined && code !== '' && code.length <= MAX_CODE;
  if (!isCode || others.length > 0) throw new UpstreamOauthError('response_invalid');
  return { code };
}
