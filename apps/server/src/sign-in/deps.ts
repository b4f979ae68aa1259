import type { Forms } from '../http/pages/forms.ts';
import type { BrowserSessions } from '../identity/browser-sessions.ts';
import type { Store } from '../platform/database/store.ts';
import { ProblemError } from '../platform/problem-error.ts';
import type { KnownBrowsers } from './known-browsers.ts';
import type { CountSignIn } from './metrics.ts';
import type { AskingClient } from './purpose.ts';
import type { Throttle } from './throttle.ts';

/** The dependencies of the pages in this folder. */
export interface SignInDeps {
  readonly store: Store;
  readonly sessions: BrowserSessions;
  readonly forms: Forms;
  readonly throttle: Throttle;
  readonly knownBrowsers: KnownBrowsers;
  readonly countSignIn: CountSignIn;
  /** Called when something that nobody waits for has failed. */
  readonly onError: (error: unknown) => void;
  /** The client for which a person signs in, by the path where they go on. @param source their address block */
  readonly findAskingClient: (path: string, source: string) => Promise<AskingClient | undefined>;
  /** Whether people may sign in by email and password. */
  readonly hasPasswords: boolean;
  /** The host of the OpenID provider with which people may sign in. */
  readonly providerHost: string | undefined;
}

/** @throws ProblemError `forbidden` where people only sign in with the OpenID provider */
export function requirePasswords({ hasPasswords }: Pick<SignInDeps, 'hasPasswords'>): void {
  if (hasPasswords) return;
  throw new ProblemError(
    'forbidden',
    'Passwords are not used here. Sign in as your organization does.',
  );
}
