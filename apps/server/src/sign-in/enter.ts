import type { Request, Response } from 'express';
import { sendOnward } from '../http/pages/form-target.ts';
import { HOME } from '../http/pages/return-to.ts';
import type { SignInDeps } from './deps.ts';

export interface Entering {
  readonly userId: string;
  /** The hash that the password was compared with, or that was just stored. */
  readonly passwordHash?: string;
  /** A path of ours, by `safeReturnTo`. */
  readonly returnTo: string;
}

/** Signs a person in with this browser and continues. @throws ProblemError `unauthenticated` */
export async function enter(
  deps: SignInDeps,
  req: Request,
  res: Response,
  { userId, passwordHash, returnTo }: Entering,
): Promise<void> {
  const setCookie = await deps.sessions.begin(userId, req.headers.cookie, passwordHash);
  goOn(deps, res, { userId, setCookie, returnTo });
}

export interface Entered extends Pick<Entering, 'userId' | 'returnTo'> {
  /** Of the browser session that has begun. */
  readonly setCookie: string;
}

/** Continues with a person who is signed in. */
export function goOn(
  { knownBrowsers }: SignInDeps,
  res: Response,
  { userId, setCookie, returnTo }: Entered,
): void {
  res.append('Set-Cookie', setCookie);
  res.append('Set-Cookie', knownBrowsers.remember(userId));
  if (returnTo === '/account' || returnTo === HOME) res.redirect(303, returnTo);
  else sendOnward(res, 'You are signed in', returnTo);
}
