import type { EventRequest } from '@gatehouse/contract';
import { type RequestHandler, type Response, Router } from 'express';
import type { Logger } from 'pino';
import type { Egress } from '../../egress/egress.ts';
import { addressBlockOf } from '../../http/client-address.ts';
import { requestOf } from '../../http/context.ts';
import { safeReturnTo } from '../../http/pages/return-to.ts';
import { limitPerMinute } from '../../http/rate-limit.ts';
import {
  admitExternalPerson,
  type ExternalRefusal,
} from '../../identity/external/admit-external-person.ts';
import type { Db } from '../../platform/database/store.ts';
import type { SignInDeps } from '../deps.ts';
import { type Entered, goOn } from '../enter.ts';
import { type Attempts, createAttempts } from './attempts.ts';
import { failureOf, loggedFailure } from './failure.ts';
import { type ClaimedPerson, personOfClaims } from './person-of-claims.ts';
import {
  createExternalProvider,
  type ExternalProvider,
  type ExternalSettings,
} from './provider.ts';
import { sendRefusal } from './refusal-page.ts';

export const EXTERNAL_PATH = '/sign-in/external';
export const CALLBACK_PATH = `${EXTERNAL_PATH}/callback`;

/** Sign-in at an OpenID Connect provider. */
export interface ExternalSignIn {
  readonly settings: ExternalSettings;
  readonly provider: ExternalProvider;
  readonly attempts: Attempts;
  /** @throws ProblemError `rate_limited` after too many beginnings from an address */
  readonly countBeginning: (address: string) => Promise<void>;
  readonly publicUrl: string;
  readonly log: Logger;
}

/** `GET /sign-in/external` goes to the provider, which sends the browser back to `…/callback`. */
export function externalPage(deps: SignInDeps, external: ExternalSignIn): Router {
  const router = Router({ strict: true, caseSensitive: true });
  router.get(EXTERNAL_PATH, begin(deps, external));
  router.get(CALLBACK_PATH, comeBack(deps, external));
  return router;
}

function begin(deps: SignInDeps, external: ExternalSignIn): RequestHandler {
  const { provider, attempts, countBeginning, log } = external;
  return async (req, res) => {
    await countBeginning(req.ip ?? '');
    const returnTo = safeReturnTo(req.query.return_to);
    const { secrets, setCookie } = await attempts.begin(req.headers.cookie, returnTo);
    let url: URL;
    try {
      url = await provider.authorizationUrl(secrets);
    } catch (error) {
      log.warn(loggedFailure(error), 'the OpenID provider cannot be used');
      deps.countSignIn('provider', 'refused');
      return sendRefusal(res, 'unavailable');
    }
    res.append('Set-Cookie', setCookie);
    res.redirect(303, url.href);
  };
}

function comeBack(deps: SignInDeps, external: ExternalSignIn): RequestHandler {
  const { settings, provider, attempts, publicUrl, log } = external;
  const refuse = (res: Response, refusal: Parameters<typeof sendRefusal>[1]): void => {
    deps.countSignIn('provider', 'refused');
    sendRefusal(res, refusal);
  };
  return async (req, res) => {
    const attempt = await attempts.take(req.headers.cookie, req.query.state);
    if (attempt === undefined) return refuse(res, 'gone');
    let person: ClaimedPerson | undefined;
    try {
      const url = new URL(req.originalUrl, publicUrl);
      person = personOfClaims(settings, await provider.claimsOf(url, attempt));
    } catch (error) {
      log.warn(loggedFailure(error), 'a sign-in at the OpenID provider failed');
      return refuse(res, failureOf(error));
    }
    if (person === undefined) return refuse(res, 'untrusted');
    if (person.areGroupsLeftOut) {
      log.warn(
        'the OpenID provider left the groups of a person out, because they are too many: let it put only the groups assigned to the application into the ID token',
      );
    }
    const { refusal, entered, fullGroupIds } = await admitAndEnter(deps, person, settings, {
      cookieHeader: req.headers.cookie,
      request: requestOf(res),
    });
    if (refusal !== undefined) return refuse(res, refusal);
    if (fullGroupIds.length > 0) {
      const { userId } = entered;
      log.warn(
        { userId, groupIds: fullGroupIds },
        'a person was not put into groups that are full',
      );
    }
    goOn(deps, res, { ...entered, returnTo: attempt.returnTo });
    deps.countSignIn('provider', 'signed_in');
  };
}

/** The request with which a person comes back. */
interface Arrival {
  readonly cookieHeader: string | undefined;
  readonly request: EventRequest;
}

/**
 * What the provider's word changes is committed with the browser session, or not at all: nobody is signed in
 * with groups that they have lost.
 */
function admitAndEnter(
  { store, sessions }: SignInDeps,
  person: ClaimedPerson,
  { allowedDomains }: ExternalSettings,
  { cookieHeader, request }: Arrival,
): Promise<Admission> {
  return store.transaction(async (tx) => {
    const admitted = await admitExternalPerson(tx, person, allowedDomains, request);
    if (admitted.refusal !== undefined) return { refusal: admitted.refusal };
    const { userId, fullGroupIds = [] } = admitted;
    const setCookie = await sessions.beginIn(
      tx,
      { userId, way: 'provider', request },
      cookieHeader,
    );
    return { entered: { userId, setCookie }, fullGroupIds };
  });
}

type Admission =
  | {
      readonly refusal: ExternalRefusal;
      readonly entered?: never;
      readonly fullGroupIds?: never;
    }
  | {
      readonly refusal?: never;
      readonly entered: Omit<Entered, 'returnTo'>;
      readonly fullGroupIds: readonly string[];
    };

/** How often an address may begin in a minute: a whole office may have one. */
const PER_ADDRESS = 120;

export interface ExternalSignInOptions {
  readonly db: Db;
  readonly egress: Pick<Egress, 'request'>;
  readonly publicUrl: string;
  readonly log: Logger;
}

export function createExternalSignIn(
  settings: ExternalSettings,
  { db, egress, publicUrl, log }: ExternalSignInOptions,
): ExternalSignIn {
  const count = limitPerMinute(PER_ADDRESS);
  return {
    settings,
    provider: createExternalProvider(settings, egress, publicUrl + CALLBACK_PATH),
    attempts: createAttempts(db, publicUrl),
    countBeginning: (address) => count(addressBlockOf(address)),
    publicUrl,
    log,
  };
}
