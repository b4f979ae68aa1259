import type { CredentialOutcome } from '../credentials/outcome.ts';
import type { Actor } from '../identity/actor.ts';
import type { SessionUse } from '../mcp/era.ts';
import type { OpenSession } from '../sessions/sessions.ts';
import type { ConsentRequired } from './authorize-call.ts';
import type { Route } from './routes.ts';

/** The outcome of admitting a call: on whose behalf, where to, in which session and with which credential. */
export interface Admission {
  readonly token: string;
  readonly actor: Actor;
  readonly route: Route;
  readonly use: SessionUse;
  readonly session: OpenSession | undefined;
  readonly credential: CredentialOutcome | ConsentRequired;
}
