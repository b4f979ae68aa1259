import { isHeaderValue, isJsonObject, limits } from '@gatehouse/contract';
import {
  displayText,
  jwtClaims,
  parseObject,
  textAt,
  type UnknownObject,
  valueAt,
} from '../json-object.ts';
import type { Preset } from '../presets/preset.ts';
import { scopeListOf } from '../scope-list.ts';
import type { TokenSet } from '../upstream.ts';
import { UpstreamOauthError } from '../upstream-error.ts';
import { type TokenResponse, tokenFailure } from './token-failure.ts';

/** The context of a token response. */
export interface TokenReading {
  readonly preset: Preset | undefined;
  readonly isRefresh: boolean;
  /** What was sent, and must not be repeated. */
  readonly secrets: readonly string[];
  /** Epoch milliseconds at which the request was sent: lifetimes count from then. */
  readonly sentAt: number;
}

const MAX_ID_TOKEN = 64 * 1024;

/** GitHub and Zendesk, Keycloak and Airtable, Intuit. */
const REFRESH_EXPIRY = [
  'refresh_token_expires_in',
  'refresh_expires_in',
  'x_refresh_token_expires_in',
] as const;

/** RFC 9449 and the MAC draft: tokens that need more than a bearer header. */
const UNUSABLE_TYPES = new Set(['dpop', 'mac', 'pop']);

/**
 * Reads a token response as providers really send it: JSON under any media type, or a form; with any
 * successful status; with nulls, numbers as text, scopes as a list or with commas, no `token_type`.
 *
 * @throws UpstreamOauthError
 */
export function readTokenResponse(response: TokenResponse, reading: TokenReading): TokenSet {
  const body = parseBody(response.text);
  const failure = tokenFailure(response, body, reading);
  if (failure !== undefined) throw failure;
  const tokens = body === undefined ? undefined : tokensIn(body, reading.preset?.tokenPath);
  const accessToken = tokens && textAt(tokens, 'access_token', limits.credential);
  if (body === undefined || !isUsable(tokens) || !isBearerToken(accessToken)) {
    throw new UpstreamOauthError('response_invalid');
  }
  const { sentAt, preset } = reading;
  return {
    accessToken,
    refreshToken: refreshTokenIn(tokens),
    expiresAt: expiryIn(tokens, ['expires_in'], sentAt) ?? jwtExpiry(accessToken),
    refreshTokenExpiresAt: expiryIn(tokens, REFRESH_EXPIRY, sentAt),
    scopes: scopeListOf(tokens.scope),
    idToken: textAt(body, 'id_token', MAX_ID_TOKEN),
    displayName: preset?.accountPaths
      ?.map((path) => displayText(valueAt(body, path)))
      .find(Boolean),
  };
}

function parseBody(text: string): UnknownObject | undefined {
  const object = parseObject(text);
  if (object !== undefined) return object;
  const isForm = /^\s*[\w.-]+=/.test(text);
  return isForm ? Object.fromEntries(new URLSearchParams(text.trim())) : undefined;
}

/** The object that holds the access token: where the preset says, if there is one; else the whole body. */
function tokensIn(body: UnknownObject, path: string | undefined): UnknownObject {
  const nested = path === undefined ? undefined : valueAt(body, path);
  return isJsonObject(nested) && typeof nested.access_token === 'string' ? nested : body;
}

/** It is sent as a bearer token, so white space would end it (RFC 6750 section 2.1). */
function isBearerToken(value: string | undefined): value is string {
  return value !== undefined && isHeaderValue(value) && !/\s/.test(value);
}

function isUsable(tokens: UnknownObject | undefined): tokens is UnknownObject {
  const type = tokens && textAt(tokens, 'token_type', limits.name);
  return tokens !== undefined && !UNUSABLE_TYPES.has(type?.toLowerCase() ?? '');
}

/** A refresh token that cannot be kept would be lost silently. */
function refreshTokenIn(tokens: UnknownObject): string | undefined {
  const { refresh_token: value } = tokens;
  if (typeof value !== 'string' || value === '') return undefined;
  if (value.length > limits.credential) throw new UpstreamOauthError('response_invalid');
  return value;
}

/** Seconds. A longer lifetime is a mistake, or as good as unlimited. */
const MAX_LIFETIME = 100 * 365 * 24 * 60 * 60;

/**
 * When something expires by the first of the fields that names a lifetime in seconds, as a number or as
 * text. Zero and less say nothing: some send them for "never".
 *
 * @param from epoch milliseconds
 */
function expiryIn(
  tokens: UnknownObject,
  fields: readonly string[],
  from: number,
): number | undefined {
  for (const field of fields) {
    const value = Object.hasOwn(tokens, field) ? tokens[field] : undefined;
    const isNumeric = typeof value === 'number' || (typeof value === 'string' && value !== '');
    const seconds = isNumeric ? Number(value) : Number.NaN;
    if (seconds > 0 && seconds <= MAX_LIFETIME) return from + Math.floor(seconds * 1000);
  }
  return undefined;
}

/** The `exp` of an access token that is a JWT (RFC 7519 section 4.1.4), in epoch milliseconds. */
function jwtExpiry(token: string): number | undefined {
  const exp = jwtClaims(token)?.exp;
  const isTime = typeof exp === 'number' && exp > 0 && exp * 1000 < 8.64e15;
  return isTime ? Math.floor(exp * 1000) : undefined;
}
