import type { Request, Response } from 'express';
import { requestOf } from '../http/context.ts';
import { sendOnward } from '../http/pages/form-target.ts';
import { HOME } from '../http/pages/return-to.ts';
import type { Entry } from '../identity/browser-sessions.ts';
import type { SignInDeps } from './deps.ts';

export interface Entering extends Omit<Entry, 'request'> {
  /** A path of ours, by `safeReturnTo`. */
  readonly returnTo: string;
}

/** Signs a person in with this browser and continues. @throws ProblemError `unauthenticated` */
export async function enter(
  deps: SignInDeps,
  req: Request,
  res: Response,
  { returnTo, ...entry }: Entering,
): Promise<void> {
  const { userId } = entry;
  const request = requestOf(res);
  const setCookie = await deps.sessions.begin({ ...entry, request }, req.headers.cookie);
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
