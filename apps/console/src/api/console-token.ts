import { fieldsOf, instant, text } from './fields.ts';
import type { OnePerson } from './one-person.ts';
import { refusalOf } from './refusal.ts';

/** A node with an older version does not say the id of the person. */
const tokenOf = fieldsOf({ accessToken: text, expiresAt: instant, userId: text });

/** A token is renewed by the first request in this time before its end. */
const RENEW_BEFORE = 60_000;

/** The browser has no session, or no longer: only signing in again helps. */
export class SignedOutError extends Error {
  override readonly name = 'SignedOutError';
}

export interface ConsoleTokens {
  /** A token with time left. Callers at the same time share one request. @throws SignedOutError, OtherPersonError, Refusal */
  current(): Promise<string>;
  /** Makes the next caller get another one. */
  drop(token: string): void;
  isSignedOut(): boolean;
  /** Tries again after a person has signed in elsewhere. */
  resume(): void;
  /** Calls `listener` when the browser turns out to have no session. Returns what ends that. */
  onSignedOut(listener: () => void): () => void;
}

interface Dependencies {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly now: () => number;
  /** Whether the person has done something since the last call. Only that keeps the browser session alive. */
  readonly takeActivity: () => boolean;
  readonly person: Pick<OnePerson, 'check'>;
  /** The gateway URL that the tokens are for; by default the management API. */
  readonly resource?: string;
}

interface Held {
  readonly accessToken: string;
  readonly renewAt: number;
}

/** The access tokens of the console, in the memory of this page alone. There is no timer: requests renew them. */
export function createConsoleTokens(dependencies: Dependencies): ConsoleTokens {
  const { fetch, now, takeActivity, person, resource } = dependencies;
  let held: Held | undefined;
  let requesting: Promise<Held> | undefined;
  let signedOut = false;
  const listeners = new Set<() => void>();

  async function request(): Promise<Held> {
    const response = await fetch('/console/token', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ active: takeActivity(), resource }),
      cache: 'no-store',
    });
    if (response.status === 401) {
      signedOut = true;
      held = undefined;
      for (const listener of listeners) listener();
      throw new SignedOutError('The browser is not signed in.');
    }
    if (!response.ok) throw await refusalOf(response);
    const { accessToken, expiresAt, userId } = tokenOf(await response.json());
    if (accessToken === undefined || expiresAt === undefined) {
      throw new TypeError('The answer holds no access token.');
    }
    if (userId !== undefined) person.check(userId);
    return { accessToken, renewAt: Date.parse(expiresAt) - RENEW_BEFORE };
  }

  async function renewed(): Promise<string> {
    requesting ??= request().finally(() => {
      requesting = undefined;
    });
    held = await requesting;
    return held.accessToken;
  }

  return {
    async current() {
      if (signedOut) throw new SignedOutError('The browser is not signed in.');
      return held !== undefined && now() < held.renewAt ? held.accessToken : renewed();
    },
    drop(token) {
      if (held?.accessToken === token) held = undefined;
    },
    isSignedOut: () => signedOut,
    resume() {
      signedOut = false;
    },
    onSignedOut(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
