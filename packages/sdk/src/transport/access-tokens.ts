import { AccessTokenError, InvalidArgumentError } from '../errors/errors.ts';
import type { AccessTokenOption } from '../options/options.ts';

/** Provides the access token for the requests of one client. */
export interface AccessTokens {
  /** The current token. Concurrent requests share one call of the provider. */
  get(): Promise<string>;
  /** Drops a token that was rejected. Returns whether another one can be obtained. */
  drop(token: string): boolean;
}

/** @throws InvalidArgumentError for a token that cannot be sent. */
export function createAccessTokens(option: AccessTokenOption): AccessTokens {
  if (typeof option === 'string') {
    assertToken(option);
    return { get: async () => option, drop: () => false };
  }
  let obtaining: Promise<string> | undefined;
  let obtained: string | undefined;
  const obtain = async () => {
    try {
      obtained = await callProvider(option);
      return obtained;
    } catch (error) {
      obtaining = undefined;
      throw error;
    }
  };
  return {
    get() {
      obtaining ??= obtain();
      return obtaining;
    },
    drop(token) {
      // Another request may have dropped it already, and its replacement may be in use.
      if (obtained === token) {
        obtaining = undefined;
        obtained = undefined;
      }
      return true;
    },
  };
}

async function callProvider(provider: () => Promise<string>): Promise<string> {
  let token: string;
  try {
    token = await provider();
  } catch (cause) {
    throw new AccessTokenError('The accessToken function failed.', { cause });
  }
  assertToken(token);
  return token;
}

/** Checked here, because `Headers` would quote the token in its error. */
function assertToken(token: string): void {
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return;
  throw new InvalidArgumentError('accessToken must be non-empty visible ASCII without spaces.');
}
