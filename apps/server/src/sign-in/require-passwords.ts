import { ProblemError } from '../platform/problem-error.ts';
import type { SignInDeps } from './deps.ts';

/** @throws ProblemError `forbidden` where people sign in with the OpenID provider alone */
export function requirePasswords({ hasPasswords }: Pick<SignInDeps, 'hasPasswords'>): void {
  if (hasPasswords) return;
  throw new ProblemError(
    'forbidden',
    'Passwords are not used here. Sign in as your organization does.',
  );
}
