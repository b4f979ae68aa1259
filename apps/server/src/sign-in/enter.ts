import type { Request, Response } from 'express';
import { sendOnward } from '../http/pages/form-target.ts';
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
  { sessions, knownBrowsers }: SignInDeps,
  req: Request,
  res: Response,
  { userId, passwordHash, returnTo }: Entering,
): Promise<void> {
  res.append('Set-Cookie', await sessions.begin(userId, req.headers.cookie, passwordHash));
  res.append('Set-Cookie', knownBrowsers.remember(userId));
  if (returnTo === '/account') res.redirect(303, returnTo);
  else sendOnward(res, 'You are signed in', returnTo);
}
