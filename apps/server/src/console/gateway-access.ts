import type { EventRequest } from '@gatehouse/contract';
import { requireConsoleCaller } from '../identity/console-caller.ts';
import type { ConsoleToken } from '../identity/console-tokens.ts';
import { type GatewayUrl, issueConsoleAccess } from '../identity/grants/console-grant.ts';
import { parseResource } from '../identity/resource.ts';
import type { Store } from '../platform/database/store.ts';
import { ProblemError } from '../platform/problem-error.ts';
import { requireUsableUrl } from './usable-url.ts';

export interface GatewayAccessDeps {
  readonly store: Store;
  /** Our origin. */
  readonly publicUrl: string;
}

/**
 * A token of the person who is signed in by the session, for one gateway URL.
 *
 * @throws ProblemError `validation_failed` for a resource that is no gateway URL, `unauthenticated`, `not_found`,
 *   `not_proxied`, `policy_refused`
 */
export function issueGatewayAccess(
  { store, publicUrl }: GatewayAccessDeps,
  sessionId: string,
  resource: string,
  request: EventRequest,
): Promise<ConsoleToken> {
  const url = requireGatewayUrl(publicUrl, resource);
  return store.transaction(async (tx) => {
    const claims = { sessionId, expiresAt: null };
    const person = await requireConsoleCaller(tx.db, claims, { lock: true });
    const integrationIds = await requireUsableUrl(tx.db, person, url);
    return issueConsoleAccess(tx, publicUrl, { ...person, request }, { url, integrationIds });
  });
}

function requireGatewayUrl(publicUrl: string, uri: string): GatewayUrl {
  const resource = parseResource(publicUrl, uri);
  if (resource !== undefined && resource.kind !== 'management') return resource;
  const message = 'Must be the gateway URL of an application, or of an integration in one.';
  throw new ProblemError('validation_failed', 'The body is not valid.', {
    errors: [{ pointer: '/resource', code: 'invalid', message }],
  });
}
