import { isJsonObject } from '@gatehouse/contract';
import { textAt, type UnknownObject } from '../json-object.ts';
import type { Preset } from '../presets/preset.ts';
import {
  codeFor,
  type ErrorCodes,
  providerErrorOf,
  troubleOf,
  UpstreamOauthError,
  waitOf,
} from '../upstream-error.ts';

/** A response of a token endpoint, as it came. */
export interface TokenResponse {
  readonly status: number;
  readonly text: string;
  /** The value of `Retry-After`. */
  readonly retryAfter: string | null;
}

const MAX_ERROR = 200;

/** RFC 6749 section 5.2, RFC 8707 section 2, and what providers send in practice. */
const ERRORS: ErrorCodes = {
  invalid_grant: 'grant_rejected',
  // Entra ID, for a refresh token: the person must sign in again.
  interaction_required: 'grant_rejected',
  login_required: 'grant_rejected',
  consent_required: 'grant_rejected',
  access_denied: 'access_denied',
  invalid_client: 'client_rejected',
  unauthorized_client: 'client_rejected',
  invalid_scope: 'scope_rejected',
  invalid_target: 'resource_rejected',
  redirect_uri_mismatch: 'redirect_uri_rejected',
  server_error: 'server_error',
  temporarily_unavailable: 'server_error',
  slow_down: 'rate_limited',
  rate_limited: 'rate_limited',
};

/** The request of a response. */
interface FailureReading {
  readonly preset: Preset | undefined;
  readonly isRefresh: boolean;
  /** Values that were sent and must not be quoted. */
  readonly secrets: readonly string[];
}

/**
 * The failure of a response, or undefined. An error in the body counts whatever the status: GitHub and
 * Slack send theirs with 200. A status that says "later" outranks an unknown error code.
 */
export function tokenFailure(
  { status, text, retryAfter }: TokenResponse,
  body: UnknownObject | undefined,
  { preset, isRefresh, secrets }: FailureReading,
): UpstreamOauthError | undefined {
  const isSuccess = status >= 200 && status < 300;
  const error = body === undefined ? undefined : errorIn(body, isSuccess);
  const tables = [isRefresh ? preset?.refreshErrors : undefined, preset?.errors, ERRORS];
  const known = error === undefined ? undefined : codeFor(error, tables);
  const said = providerErrorOf(error, body && descriptionIn(body), secrets);
  if (known !== undefined) return new UpstreamOauthError(known, { ...waitOf(retryAfter), ...said });
  const trouble = troubleOf(status, retryAfter);
  if (trouble !== undefined) return trouble;
  // A page of a proxy or a maintenance notice, with any status.
  if (body === undefined && /^\s*</.test(text)) return new UpstreamOauthError('server_error');
  if (error !== undefined) return new UpstreamOauthError('request_rejected', said);
  if (isSuccess) return undefined;
  return new UpstreamOauthError(status === 401 ? 'client_rejected' : 'request_rejected');
}

/** RFC 6749 section 5.2; Google and HubSpot have a `message`. */
function descriptionIn({ error_description, error, message }: UnknownObject): unknown {
  return error_description ?? (isJsonObject(error) ? error.message : message);
}

/** The code of an error; empty for one without a code. */
function errorIn(body: UnknownObject, isSuccess: boolean): string | undefined {
  const { error } = body;
  if (isJsonObject(error)) {
    return (
      ['code', 'type', 'status'].map((key) => textAt(error, key, MAX_ERROR)).find(Boolean) ?? ''
    );
  }
  const text = textAt(body, 'error', MAX_ERROR);
  if (text !== undefined) return text;
  if (body.ok === false || (typeof error === 'string' && error !== '')) return '';
  // HubSpot.
  return isSuccess ? undefined : textAt(body, 'status', MAX_ERROR);
}
