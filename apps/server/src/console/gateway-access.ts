import type { EventRequest } from '@gatehouse/contract';
import { requireConsoleCaller } from '../identity/console-caller.ts';
import type { ConsoleToken } from '../identity/console-tokens.ts';
import { issueConsoleAccess, type Pair } from '../identity/grants/console-grant.ts';
import { parseResource } from '../identity/resource.ts';
import type { Store } from '../platform/database/store.ts';
import { ProblemError } from '../platform/problem-error.ts';
import { requireUsablePair } from './usable-pair.ts';

export interface GatewayAccessDeps {
  readonly store: Store;
  /** Our origin. */
  readonly publicUrl: string;
}

/**
 * A token of the person who is signed in by the session, for one gateway URL.
 *
 * @throws ProblemError `validation_failed` for a resource that is no gateway URL of an integration, `unauthenticated`,
 *   `not_found`, `not_proxied`, `policy_refused`
 */
export function issueGatewayAccess(
  { store, publicUrl }: GatewayAccessDeps,
  sessionId: string,
  resource: string,
  request: EventRequest,
): Promise<ConsoleToken> {
  const pair = requirePair(publicUrl, resource);
  return store.transaction(async (tx) => {
    const claims = { sessionId, expiresAt: null };
    const person = await requireConsoleCaller(tx.db, claims, { lock: true });
    await requireUsablePair(tx.db, person, pair);
    return issueConsoleAccess(tx, publicUrl, { ...person, request }, pair);
  });
}

function requirePair(publicUrl: string, uri: string): Pair {
  const resource = parseResource(publicUrl, uri);
  if (resource?.kind === 'pair') return resource;
  const message = 'Must be the gateway URL of an integration in an application.';
  throw new ProblemError('validation_failed', 'The body is not valid.', {
    errors: [{ pointer: '/resource', code: 'invalid', message }],
  });
}
