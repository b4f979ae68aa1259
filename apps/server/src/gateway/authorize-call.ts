import type { CredentialOutcome } from '../credentials/outcome.ts';
import { isPersonalMode } from '../credentials/personal-mode.ts';
import type { Actor } from '../identity/actor.ts';
import { invalidToken } from '../identity/bearer.ts';
import { ProblemError } from '../platform/problem-error.ts';
import type { Route } from './routes.ts';

/** The person has a credential for the integration, and has not agreed that this application uses it. */
export interface ConsentRequired {
  readonly kind: 'needs_consent';
  readonly reason: 'consent_required';
}

/**
 * Whether the token may be used at this gateway URL at all.
 *
 * @param key see `routeKeyOf`
 * @throws ProblemError `unauthenticated` for an OAuth token of another resource (RFC 8707 section 2),
 *   `forbidden`, `insufficient_scope`
 */
export function authorizeCall(actor: Actor, key: string): void {
  if (actor.tokenKind === 'invitation') {
    throw new ProblemError('forbidden', 'An invitation may not use the gateway.');
  }
  if (actor.authorization !== undefined && !isAudience(actor.authorization.audience, key)) {
    throw invalidToken();
  }
  if (!actor.scopes.includes('mcp')) {
    throw new ProblemError('insufficient_scope', 'The access token lacks the scope mcp.');
  }
}

function isAudience(
  audience: NonNullable<Actor['authorization']>['audience'],
  key: string,
): boolean {
  if (audience.kind === 'management' || !key.startsWith(audience.applicationId)) return false;
  return audience.kind === 'application' || key.endsWith(audience.integrationId);
}

/**
 * The credential of a call by an application's token. A person agrees to the integrations that are
 * attached at that moment: the person's own credential for one attached later is not used until the
 * person agrees to that one too. An application that acts for itself has none.
 *
 * @throws ProblemError `forbidden`
 */
export function agreedCredential(
  { authorization }: Actor,
  { integrationId, target }: Route,
  credential: CredentialOutcome,
): CredentialOutcome | ConsentRequired {
  if (authorization?.isOwn && isPersonalMode(target.authMode)) {
    throw new ProblemError(
      'forbidden',
      'An application that acts for itself has no account at this integration: a person must sign in.',
    );
  }
  if (authorization?.audience.kind !== 'application') return credential;
  if (credential.kind !== 'ready' || credential.source !== 'connection') return credential;
  if (authorization.integrationIds.includes(integrationId)) return credential;
  return { kind: 'needs_consent', reason: 'consent_required' };
}
