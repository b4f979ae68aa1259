import type { Request, Response } from 'express';
import {
  ATTEMPT_LIFETIME,
  type TakenAttempt,
  takeAttempt,
} from '../credentials/connect/attempts.ts';
import { type Beginning, beginConnecting } from '../credentials/connect/begin-connecting.ts';
import type { ConnectDeps } from '../credentials/connect/connect-deps.ts';
import { type Finished, finishConnecting } from '../credentials/connect/finish-connecting.ts';
import { type ConnectPlan, planConnecting } from '../credentials/connect/plan-connecting.ts';
import { redirectUriOf, sharedRedirectUri } from '../credentials/oauth/clients/client-metadata.ts';
import { createKeyCache } from '../credentials/oauth/tokens/check-id-token.ts';
import { oauthUpstreamOf } from '../credentials/oauth/upstream.ts';
import { UpstreamOauthError } from '../credentials/oauth/upstream-error.ts';
import type { Integration } from '../generated/prisma/client.ts';
import { addressBlockOf } from '../http/client-address.ts';
import { limitPerMinute } from '../http/rate-limit.ts';
import type { PersonActor } from '../identity/actor.ts';
import type { SignedInPerson } from '../identity/browser-sessions.ts';
import { createCookie } from '../identity/cookies.ts';
import { newSecret } from '../platform/secrets.ts';

/** The limit per minute and address. A whole office can share one address. */
const PER_ADDRESS = 120;
const PER_PERSON = 30;

/** Milliseconds for all requests to a provider while a person waits for a page. */
const TIMEOUT = 10_000;

/** Takes a person to a provider in this browser, and back. */
export interface ConnectFlow {
  /**
   * Looks up where the person has to go. Counted, because it calls other servers.
   *
   * @throws UpstreamOauthError
   * @throws ProblemError `rate_limited`
   */
  plan(req: Request, person: SignedInPerson, integration: Integration): Promise<ConnectPlan>;
  /**
   * Binds an attempt to this browser.
   *
   * @returns where the browser goes; undefined when the link or the plan does not hold any more
   * @throws UpstreamOauthError
   */
  begin(
    req: Request,
    res: Response,
    beginning: Omit<Beginning, 'browser'>,
  ): Promise<URL | undefined>;
  /** The attempt of this person and browser that has come back, if any. */
  take(req: Request, person: SignedInPerson, state: string): Promise<TakenAttempt | undefined>;
  /** @throws UpstreamOauthError */
  finish(actor: PersonActor, attempt: TakenAttempt, url: URL): Promise<Finished>;
}

/** @param count called for each person who comes back from a provider. */
export function createConnectFlow(
  deps: ConnectDeps,
  count: (finished: Promise<Finished>) => void,
): ConnectFlow {
  const cookie = createCookie('gatehouse-connect', deps.publicUrl);
  const finishDeps = { ...deps, keys: createKeyCache() };
  const countAddress = limitPerMinute(PER_ADDRESS);
  const countPerson = limitPerMinute(PER_PERSON);
  const deadline = () => AbortSignal.timeout(TIMEOUT);
  const redirectUriFor = (integration: Integration) =>
    redirectUriOf(deps.publicUrl, oauthUpstreamOf(integration));
  return {
    async plan(req, { userId }, integration) {
      await countAddress(addressBlockOf(req.ip ?? ''));
      await countPerson(userId);
      const planned = planConnecting(deps, { integration, userId }, deadline());
      return naming(redirectUriFor(integration), planned);
    },
    async begin(req, res, beginning) {
      // Attempts in several windows share the cookie.
      const browser = cookie.read(req.headers.cookie) ?? newSecret();
      const begun = beginConnecting(deps, { ...beginning, browser }, deadline());
      const url = await naming(redirectUriFor(beginning.plan.integration), begun);
      if (url !== undefined) res.append('Set-Cookie', cookie.set(browser, ATTEMPT_LIFETIME));
      return url;
    },
    async take(req, { userId }, state) {
      const browser = cookie.read(req.headers.cookie);
      if (browser === undefined) return undefined;
      return takeAttempt(deps.store.db, { userId, browser, state });
    },
    finish(actor, attempt, url) {
      const returning = { actor, attempt, url };
      const redirectUri = attempt.redirectUri ?? sharedRedirectUri(deps.publicUrl);
      const finished = naming(redirectUri, finishConnecting(finishDeps, returning, deadline()));
      count(finished);
      return finished;
    },
  };
}

/** Errors say which redirect URI to enter at the provider. */
async function naming<Value>(redirectUri: string, step: Promise<Value>): Promise<Value> {
  try {
    return await step;
  } catch (error) {
    throw error instanceof UpstreamOauthError ? error.naming(redirectUri) : error;
  }
}
