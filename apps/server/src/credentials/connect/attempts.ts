import type { Db } from '../../platform/database/store.ts';
import { createId } from '../../platform/ids.ts';
import {
  type Attempt,
  type AttemptSecrets,
  attemptSecrets,
  deriveSecret,
  hashSecret,
  isSecret,
} from '../../platform/secrets.ts';
import type { UpstreamServer } from '../oauth/discovery/upstream-server.ts';
import type { UpstreamClient } from '../oauth/upstream.ts';
import type { Connecting } from './lock-connectable.ts';

/** Seconds that a person has for agreeing at the provider. */
export const ATTEMPT_LIFETIME = 10 * 60;

/** The most attempts per person. A further one replaces the oldest. */
const MAX_ATTEMPTS = 20;

/** The integration and authorization server at the time the person left. */
interface Payload {
  readonly server: UpstreamServer;
  readonly client: Pick<UpstreamClient, 'clientId' | 'source'>;
  /** Those that the provider was asked for. */
  readonly scopes: readonly string[];
  /** Where the answer has to arrive. Absent in attempts that an earlier version began: the shared one. */
  readonly redirectUri?: string | undefined;
  /** Whether the provider got a nonce, and its ID token is checked. Absent where an earlier version began. */
  readonly hasNonce?: boolean | undefined;
  /** True for the attempt after one with a client that the provider had forgotten. */
  readonly isSecond: boolean;
}

/** A person who goes to a provider. */
export interface Leaving extends Connecting, Payload {
  /** The integration's, when its authorization server was looked up. */
  readonly validationEpoch: number;
  /** A path of ours, or an absolute URL under an allowed origin; null for a page that says "connected". */
  readonly returnTo: string | null;
}

/** A person who has come back, once, in the same browser. */
export interface TakenAttempt extends Leaving {
  readonly secrets: ConnectSecrets;
}

export async function insertAttempt(
  db: Db,
  leaving: Leaving,
  { state, browser }: Attempt,
): Promise<void> {
  const { server, client, scopes, redirectUri, hasNonce, isSecond, ...columns } = leaving;
  const { clientId, source } = client;
  const [stateHash, browserHash] = [hashSecret(state), hashSecret(browser)];
  const { id, createdAt } = createId();
  const expiresAt = new Date(createdAt.getTime() + ATTEMPT_LIFETIME * 1000);
  const payload = {
    server: { ...server },
    client: { clientId, source },
    scopes: [...scopes],
    redirectUri,
    hasNonce,
    isSecond,
  };
  await db.connectAttempt.create({
    data: { id, ...columns, stateHash, browserHash, payload, createdAt, expiresAt },
  });
  await db.$executeRaw`
    DELETE FROM "ConnectAttempt" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "ConnectAttempt" WHERE "userId" = ${columns.userId}::uuid
      ORDER BY "id" DESC OFFSET ${MAX_ATTEMPTS}))`;
}

/**
 * Takes the attempt of a person who has come back; only one of several concurrent requests succeeds. A
 * request of another person or browser does not use it up.
 *
 * @returns undefined if it is unknown, too old, has come back before, or is of another browser or person
 */
export async function takeAttempt(
  db: Db,
  { userId, browser, state }: Returning,
): Promise<TakenAttempt | undefined> {
  if (!isSecret(state)) return undefined;
  const [taken] = await db.$queryRaw<StoredAttempt[]>`
    DELETE FROM "ConnectAttempt"
    WHERE "stateHash" = ${hashSecret(state)} AND "browserHash" = ${hashSecret(browser)}
      AND "userId" = ${userId}::uuid AND "expiresAt" > clock_timestamp()
    RETURNING "organizationId", "integrationId", "userId", "validationEpoch", "payload", "returnTo"`;
  if (taken === undefined) return undefined;
  const { payload, ...columns } = taken;
  return { ...columns, ...payload, secrets: connectSecrets({ browser, state }) };
}

/** With the nonce that the ID token must have. */
export interface ConnectSecrets extends AttemptSecrets {
  readonly nonce: string;
}

export function connectSecrets(attempt: Attempt): ConnectSecrets {
  const nonce = deriveSecret(attempt, 'connect nonce');
  return { ...attemptSecrets(attempt, 'connect verifier'), nonce };
}

/** The row. The payload is what `insertAttempt` wrote. */
interface StoredAttempt extends Omit<Leaving, keyof Payload> {
  readonly payload: Payload;
}

/** What a browser brings back. */
export interface Returning extends Attempt {
  /** Who is signed in. */
  readonly userId: string;
}
