import type { Request } from 'express';
import { verifyPassword } from '../identity/passwords.ts';
import { findPersonByEmail, type Person } from '../identity/people.ts';
import type { SignInDeps } from './deps.ts';

/** A person after a correct password. */
export type ProvenPerson = Person & { readonly passwordHash: string };

/**
 * The person with this email and password; `undefined` if either is wrong. Takes the same steps and time
 * whether or not there is such a person.
 *
 * @throws ProblemError `rate_limited`, `overloaded`
 */
export async function checkPassword(
  { store, throttle, knownBrowsers }: SignInDeps,
  req: Request,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<ProvenPerson | undefined> {
  const person = await findPersonByEmail(store.db, email);
  const knownBrowser = person && knownBrowsers.find(req.headers.cookie, person.id);
  const attempt = { address: req.ip ?? '', email, knownBrowser };
  const turn = await throttle.begin(attempt);
  const passwordHash = person?.passwordHash ?? null;
  const isRight = await verifyPassword(passwordHash, password, turn).catch((error) => {
    throttle.withdraw(attempt);
    throw error;
  });
  if (!isRight || person === undefined || passwordHash === null) return undefined;
  await throttle.succeed(attempt);
  return { ...person, passwordHash };
}
