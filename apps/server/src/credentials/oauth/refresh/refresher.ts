import { setTimeout as delay } from 'node:timers/promises';
import type { Egress } from '../../../egress/egress.ts';
import type { Store } from '../../../platform/database/store.ts';
import { connectionSealContext } from '../../../vault/seal-contexts.ts';
import { type Vault, VaultError } from '../../../vault/vault.ts';
import { expiryAfterRefresh, type OauthGrant, parseGrant, serializeGrant } from '../grant.ts';
import { createOauthHttp } from '../http.ts';
import { forgetRegistration } from '../registrations.ts';
import { enqueueTokens } from '../revocation/outbox.ts';
import type { TokenSet } from '../upstream.ts';
import { UpstreamOauthError } from '../upstream-error.ts';
import {
  type Lease,
  REQUEST_TIMEOUT,
  readRefreshState,
  returnLease,
  type TokensToRefresh,
  takeLease,
} from './lease.ts';
import { recordEnd, recordFailure, recordTokens } from './record.ts';
import {
  isForPresentDestination,
  prepareRefresh,
  type RefreshableConnection,
} from './refresh-grant.ts';

export interface RefresherOptions {
  readonly store: Store;
  readonly vault: Vault;
  readonly egress: Pick<Egress, 'request'>;
  /** Called with the outcome of each request to a provider. */
  readonly onOutcome?: (
    outcome: RefreshOutcome,
    connection: RefreshableConnection['connection'],
  ) => void;
  /** Called with what a provider answered, or that it did not, when it has not refreshed a grant. */
  readonly onRefusal?: (error: UpstreamOauthError, integrationId: string) => void;
  /** Called with a failure that is not an outcome of a refresh. */
  readonly onError: (error: unknown) => void;
}

/** `lost`: there were new tokens, and they could not be stored. */
export type RefreshOutcome = 'refreshed' | 'transient' | 'needs_user' | 'misconfigured' | 'lost';

/** Replaces the tokens of OAuth connections. */
export interface Refresher {
  /**
   * Resolves when any process has replaced the tokens, or when they cannot be replaced now. The
   * connection's row then has the result. Calls for the same tokens share one refresh. Never rejects
   * because of the provider.
   */
  refresh(tokens: TokensToRefresh): Promise<void>;
  /** Waits for refreshes that have begun. */
  close(): Promise<void>;
}

/** Milliseconds between two checks of another process's refresh. */
const FIRST_LOOK = 25;
const LAST_LOOK = 250;

/** Milliseconds to wait for another process at most: its lease and ours. */
const MAX_WAIT = 30_000;

/** Pauses between attempts to store new tokens, which exist nowhere else, in milliseconds. */
const STORE_ATTEMPTS = 6;
const STORE_PAUSE = 250;

/** A lease that became too short before its request could be sent. */
const TOO_LATE = 'too_late';

export function createRefresher(options: RefresherOptions): Refresher {
  const { store, vault, egress, onError } = options;
  const { onOutcome = () => undefined, onRefusal = () => undefined } = options;
  const running = new Map<string, Promise<void>>();

  return {
    refresh(tokens) {
      const key = `${tokens.connectionId} ${tokens.tokenVersion}`;
      const earlier = running.get(key);
      if (earlier !== undefined) return earlier;
      const begun = refreshOrWait(tokens).finally(() => running.delete(key));
      running.set(key, begun);
      return begun;
    },
    async close() {
      await Promise.allSettled(running.values());
    },
  };

  async function refreshOrWait(tokens: TokensToRefresh): Promise<void> {
    const deadline = performance.now() + MAX_WAIT;
    let pause = FIRST_LOOK;
    while (performance.now() < deadline) {
      const lease = await takeLease(store.db, tokens);
      if (lease !== undefined) {
        if ((await refreshUnderLease(lease)) !== TOO_LATE) return;
        continue;
      }
      const state = await readRefreshState(store.db, tokens);
      if (state === 'over' || state === 'waiting') return;
      await delay(pause);
      pause = Math.min(pause * 2, LAST_LOOK);
    }
  }

  async function refreshUnderLease(lease: Lease): Promise<typeof TOO_LATE | undefined> {
    const found = await findRefreshable(lease);
    if (found === undefined) {
      await returnLease(store.db, lease);
      return undefined;
    }
    const { organizationId, userId } = found.connection;
    const http = createOauthHttp(egress, { organizationId, userId });
    let refreshed: { grant: OauthGrant; tokens: TokenSet };
    try {
      const { send } = await prepareRefresh({ db: store.db, vault, http }, found);
      if (!lease.hasTimeForRequest()) {
        await returnLease(store.db, lease);
        return TOO_LATE;
      }
      refreshed = await send(AbortSignal.timeout(REQUEST_TIMEOUT));
    } catch (error) {
      if (!(error instanceof UpstreamOauthError)) throw error;
      await recordError(lease, found, error);
      return undefined;
    }
    await keep(lease, found, refreshed);
    return undefined;
  }

  async function findRefreshable({
    connectionId,
    tokenVersion,
  }: Lease): Promise<RefreshableConnection | undefined> {
    const row = await store.db.connection.findFirst({
      where: { id: connectionId, tokenVersion },
      include: { integration: true },
    });
    if (row === null) return undefined;
    const { integration, ...connection } = row;
    if (!isForPresentDestination(integration, connection)) return undefined;
    try {
      const grant = parseGrant(vault.open(connection, connectionSealContext(connection)));
      return { connection, integration, grant };
    } catch (error) {
      if (error instanceof VaultError) return undefined;
      throw error;
    }
  }

  /** Stores what may be the only good tokens. If the connection is gone, they are revoked. */
  async function keep(
    lease: Lease,
    { connection }: RefreshableConnection,
    { grant, tokens }: { grant: OauthGrant; tokens: TokenSet },
  ): Promise<void> {
    const sealed = vault.seal(serializeGrant(grant), connectionSealContext(connection));
    for (let attempt = 1; ; attempt += 1) {
      try {
        const expiresAt = expiryAfterRefresh(grant, tokens, connection.expiresAt);
        if (!(await recordTokens(store, lease, sealed, expiresAt))) {
          await enqueueIfDisconnected(lease, connection, grant);
        }
        onOutcome('refreshed', connection);
        return;
      } catch (error) {
        onError(error);
        if (attempt === STORE_ATTEMPTS) {
          onOutcome('lost', connection);
          return;
        }
        await delay(STORE_PAUSE * 2 ** (attempt - 1));
      }
    }
  }

  async function enqueueIfDisconnected(
    { connectionId }: Lease,
    connection: RefreshableConnection['connection'],
    grant: OauthGrant,
  ): Promise<void> {
    const rest = await store.db.connection.count({ where: { id: connectionId } });
    if (rest === 0) await enqueueTokens(store, vault, connection, grant);
  }

  async function recordError(
    lease: Lease,
    { integration, connection, grant }: RefreshableConnection,
    error: UpstreamOauthError,
  ): Promise<void> {
    const isClientGone = error.code === 'client_rejected' && grant.client.source === 'registered';
    const outcome = isClientGone ? 'needs_user' : error.outcome;
    onOutcome(outcome, connection);
    onRefusal(error, integration.id);
    if (isClientGone) await forgetRegistration(store.db, integration.id, grant.client.clientId);
    if (outcome === 'needs_user') await recordEnd(store, lease);
    else await recordFailure(store, lease, outcome, error.retryAfter);
  }
}
