import {
  authorizationFailures,
  type Failure,
  hintOf,
  namingRedirectUri,
} from '@gatehouse/contract';
import { exchangeFailures } from '../failures.ts';
import { displayText } from './json-object.ts';

const FAILURES = {
  ...authorizationFailures,
  ...exchangeFailures,
  timeout: authorizationFailures.timed_out,
  egress_denied: authorizationFailures.address_not_allowed,
};

/**
 * The failure of an exchange with a provider. The list is closed; each code has one outcome and one sentence.
 *
 * `grant_rejected`: the code or refresh token is not, or no longer, valid. `client_rejected`: our client
 * id or secret is not. `request_rejected`: any other refusal of what we sent.
 */
export type UpstreamOauthCode = Exclude<
  keyof typeof FAILURES,
  // The codes of a validation stage for `timeout` and `egress_denied`.
  'timed_out' | 'address_not_allowed'
>;

/**
 * The way to fix a failure. `transient`: another attempt may succeed. `needs_user`: the person connects again.
 * `misconfigured`: an admin, here or at the provider; connections stay.
 */
export type UpstreamOauthOutcome = 'transient' | 'needs_user' | 'misconfigured';

/** Details of a failure. */
interface Circumstances extends ProviderError {
  readonly retryAfter?: number;
}

/** A failed exchange with a provider. The message is fixed and never quotes what a provider sent. */
export class UpstreamOauthError extends Error {
  override readonly name = 'UpstreamOauthError';
  readonly code: UpstreamOauthCode;
  readonly outcome: UpstreamOauthOutcome;
  /** Milliseconds after which the provider wants the next request, if it said so. */
  readonly retryAfter?: number;
  /** In the provider's own words. */
  readonly provider: ProviderError;

  constructor(code: UpstreamOauthCode, { retryAfter, ...provider }: Circumstances = {}) {
    const failure: Failure<UpstreamOauthOutcome> = FAILURES[code];
    super(`${failure.sentence} ${hintOf(failure)}`);
    this.code = code;
    this.outcome = failure.outcome;
    this.provider = provider;
    if (retryAfter !== undefined) this.retryAfter = retryAfter;
  }

  /** Names the redirect URI in a message that tells someone to enter it at the provider. */
  naming(redirectUri: string): this {
    this.message = namingRedirectUri(this.message, redirectUri);
    return this;
  }
}

/** Providers' codes and ours. */
export type ErrorCodes = Readonly<Record<string, UpstreamOauthCode>>;

/** Our code for an error, by the first table that has it. */
export function codeFor(
  error: string,
  tables: readonly (ErrorCodes | undefined)[],
): UpstreamOauthCode | undefined {
  return tables.find((codes) => codes !== undefined && Object.hasOwn(codes, error))?.[error];
}

/** The longest wait that a provider can demand, in milliseconds. */
const MAX_RETRY_AFTER = 60 * 60 * 1000;

/**
 * The error of a response if its status says that another attempt may succeed (RFC 9110 section 15);
 * undefined for other statuses.
 *
 * @param retryAfter the value of `Retry-After`
 */
export function troubleOf(
  status: number,
  retryAfter: string | null | undefined,
): UpstreamOauthError | undefined {
  const code = codeOf(status);
  return code === undefined ? undefined : new UpstreamOauthError(code, waitOf(retryAfter));
}

/** RFC 9110 section 10.2.3: seconds, or a date. */
export function waitOf(retryAfter: string | null | undefined): { readonly retryAfter?: number } {
  if (!retryAfter) return {};
  const isSeconds = /^\d{1,9}$/.test(retryAfter);
  const wait = isSeconds ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return wait >= 0 ? { retryAfter: Math.min(wait, MAX_RETRY_AFTER) } : {};
}

function codeOf(status: number) {
  if (status === 429) return 'rate_limited';
  if (status === 408) return 'timeout';
  return status >= 500 ? 'server_error' : undefined;
}

/** A provider's own words about its error, safe to show or to log. */
interface ProviderError {
  /** Its code, which a page may show: a word of a protocol and never a sentence. */
  readonly error?: string | undefined;
  /** For the log alone. */
  readonly detail?: string | undefined;
}

const MAX_CODE = 60;

/** Such as `invalid_scope` or `AADSTS50011`. Anyone can write sentences into a callback. */
const CODE = /^[a-z\d]+(?:[_.-][a-z\d]+)*$/i;

/** A possible secret: a long run that is not made of words, as `code_challenge_method` is. */
const LONG_RUN = /[\w.~+/=-]{16,}/g;
const WORDS = /^[a-z]+(?:[_.-][a-z]+)*\.?$/i;

const MAX_DESCRIPTION = 1000;

/** @param secrets what was sent, which a provider may repeat */
export function providerErrorOf(
  error: unknown,
  description: unknown,
  secrets: readonly string[] = [],
): ProviderError {
  const code = typeof error === 'string' ? error : '';
  const isCode =
    code.length <= MAX_CODE && CODE.test(code) && withoutSecrets(code, secrets) === code;
  const isText = typeof description === 'string';
  return {
    error: isCode ? code : undefined,
    detail: isText ? displayText(withoutSecrets(description, secrets)) : undefined,
  };
}

/** Long runs come last: they could hide the beginning of a secret from the comparison. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret !== '')
    .reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
    .slice(0, MAX_DESCRIPTION)
    .replaceAll(LONG_RUN, (run) => (WORDS.test(run) ? run : '…'));
}
