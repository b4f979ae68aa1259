import type { Request, Response } from 'express';
import type { InteractionResults, Provider } from 'oidc-provider';
import type { ConnectFlow } from '../../connect-forms/connect-flow.ts';
import type { Credentials } from '../../credentials/credentials.ts';
import { addressBlockOf } from '../../http/client-address.ts';
import { requestOf } from '../../http/context.ts';
import type { Forms } from '../../http/pages/forms.ts';
import type { PersonActor } from '../../identity/actor.ts';
import {
  actorInBrowser,
  type BrowserSessions,
  type SignedInPerson,
} from '../../identity/browser-sessions.ts';
import type { Store } from '../../platform/database/store.ts';
import { closedCounter, type Metrics } from '../../platform/metrics.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Applications } from '../clients/applications.ts';
import type { FindClient } from '../clients/oauth-client.ts';
import { errors } from '../oidc-provider.ts';
import { type ConsentRequest, readConsentRequest } from './consent-request.ts';

/** The dependencies of the pages of an authorization request. */
export interface ConsentRouterDeps {
  readonly store: Store;
  readonly vault: Vault;
  readonly credentials: Credentials;
  readonly flow: ConnectFlow;
  readonly provider: Provider;
  readonly applications: Applications;
  readonly findClient: FindClient;
  readonly sessions: BrowserSessions;
  readonly forms: Forms;
  readonly publicUrl: string;
  readonly countConsent: (outcome: ConsentOutcome) => void;
}

/** The request that a person decides on. */
export interface Decision {
  readonly person: SignedInPerson;
  /** The person, in this request. */
  readonly actor: PersonActor;
  readonly request: ConsentRequest;
  /** The id of this authorization request. */
  readonly uid: string;
  /** Where oidc-provider goes on once it is decided. */
  readonly resumeUrl: string;
  /** Notes of earlier pages of this authorization request. */
  readonly noted: InteractionResults | undefined;
}

/** @throws ProblemError `not_found` */
export async function readDecision(
  deps: ConsentRouterDeps,
  req: Request,
  res: Response,
  person: SignedInPerson,
): Promise<Decision> {
  const { params, result: noted, uid, returnTo } = await requireInteraction(deps, req, res);
  const source = addressBlockOf(req.ip ?? '');
  const request = await readConsentRequest({ ...deps, db: deps.store.db }, params, source);
  if (request?.application.organizationId !== person.organizationId) throw requestGone();
  const actor = actorInBrowser(person, requestOf(res));
  return { person, actor, request, uid, resumeUrl: returnTo, noted };
}

/** Sends a person to sign in and back here. @throws ProblemError `not_found` */
export async function sendToSignIn(
  deps: ConsentRouterDeps,
  req: Request,
  res: Response,
): Promise<void> {
  await requireInteraction(deps, req, res);
  res.redirect(303, `/sign-in?return_to=${encodeURIComponent(req.path)}`);
}

/** Whether the application admits the client: a dynamic client only if it allows them. */
export function isAllowed({ client, application }: ConsentRequest): boolean {
  return client.application !== undefined || application.allowDynamicClients;
}

/** The authorization request that this browser began. @throws ProblemError `not_found` */
async function requireInteraction({ provider }: ConsentRouterDeps, req: Request, res: Response) {
  try {
    const interaction = await provider.interactionDetails(req, res);
    if (interaction.uid === req.params.uid) return interaction;
  } catch (error) {
    if (!(error instanceof errors.SessionNotFound)) throw error;
  }
  throw requestGone();
}

export function requestGone(): ProblemError {
  return new ProblemError(
    'not_found',
    'This request to sign in is no longer open: it was answered, it is too old, it began in another browser, or the application has changed. Go back to your application and connect again.',
  );
}

/** `remembered`: allowed before, and not asked again. */
export type ConsentOutcome = 'allowed' | 'remembered' | 'denied';

/** Counts the decisions of people when a client asks for access. */
export function countConsents(metrics: Metrics): (outcome: ConsentOutcome) => void {
  const count = closedCounter<{ outcome: ConsentOutcome }>(metrics, {
    name: 'gatehouse_consents_total',
    help: 'Decisions on what clients ask for, by outcome.',
    labels: { outcome: ['allowed', 'remembered', 'denied'] },
  });
  return (outcome) => count({ outcome });
}
