import type { EventRequest } from '@gatehouse/contract';
import type { Request } from 'express';
import { verifyPassword } from '../identity/passwords.ts';
import { findPersonByEmail, type Person } from '../identity/people.ts';
import type { Store } from '../platform/database/store.ts';
import type { SignInDeps } from './deps.ts';

interface Attempt {
  readonly email: string;
  readonly password: string;
  readonly request: EventRequest;
}

/** A person after a correct password. */
export type ProvenPerson = Person & { readonly passwordHash: string };

/**
 * The person with this email and password; `undefined` if either is wrong. Takes the same steps and time
 * whether or not there is such a person.
 *
 * @throws ProblemError `rate_limited`, `overloaded`
 */
export async function checkPassword(
  { store, throttle, knownBrowsers, onError }: SignInDeps,
  req: Request,
  { email, password, request }: Attempt,
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
  if (!isRight || person === undefined || passwordHash === null) {
    // Not awaited: the time of an answer tells nobody whether there is such a person.
    if (person !== undefined) recordFailure(store, person, request).catch(onError);
    return undefined;
  }
  await throttle.succeed(attempt);
  return { ...person, passwordHash };
}

function recordFailure(
  store: Store,
  { organizationId, id: targetId }: Person,
  request: EventRequest,
): Promise<void> {
  const via = { kind: 'sign_in' } as const;
  const actor = { kind: 'unknown', organizationId, via, request } as const;
  return store.transaction(async ({ record }) =>
    record({ action: 'member.sign_in_failed', actor, targetId, way: 'password' }),
  );
}
