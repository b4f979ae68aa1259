import type { Egress } from '../../../egress/egress.ts';
import type { UpstreamRevocation } from '../../../generated/prisma/client.ts';
import type { Store } from '../../../platform/database/store.ts';
import { revocationSealContext } from '../../../vault/seal-contexts.ts';
import { type Vault, VaultError } from '../../../vault/vault.ts';
import { type OauthGrant, parseGrant } from '../grant.ts';
import { createOauthHttp, type OauthHttp } from '../http.ts';
import { presetOf } from '../presets/find-preset.ts';
import { type RevocationResult, revokeTokens } from '../tokens/revoke-token.ts';
import type { OauthUpstream } from '../upstream.ts';
import { UpstreamOauthError } from '../upstream-error.ts';
import {
  finishRevocation,
  MAX_ATTEMPTS,
  type RevocationOutcome,
  takeRevocations,
} from './outbox.ts';

export interface RevokerOptions {
  readonly store: Store;
  readonly vault: Vault;
  readonly egress: Pick<Egress, 'request'>;
  /** Called with the outcome of each revocation that is over. */
  readonly onOutcome?: (outcome: RevocationOutcome) => void;
  readonly onError: (error: unknown) => void;
}

/** Revokes the tokens of deleted connections at their providers. */
export interface Revoker {
  /** Makes every attempt that is due now. Never rejects. */
  run(): Promise<void>;
  /** Resolves when the current attempts are over. */
  close(): Promise<void>;
}

/** Attempts at the same time: some providers answer slowly, and hold up nobody else's revocation. */
const RUNNING = 32;

/** Milliseconds between two polls of the outbox, and after a connection was deleted. */
const EVERY = 30_000;
const SOON = 100;

export function createRevoker(options: RevokerOptions): Revoker {
  const { store, vault, egress, onError, onOutcome = () => undefined } = options;
  const attempts = new Set<Promise<void>>();
  let taking: Promise<void> | undefined;
  let isDueAgain = false;
  let soon: NodeJS.Timeout | undefined;
  let isClosed = false;

  const run = async (): Promise<void> => {
    isDueAgain = true;
    taking ??= takeAll().finally(() => {
      taking = undefined;
    });
    await taking;
    await Promise.all(attempts);
  };
  const timer = setInterval(() => void run(), EVERY);
  timer.unref();
  const unsubscribe = store.changes.subscribe({
    react: (changes) => {
      const isDue = changes === 'everything' || changes.some(({ kind }) => kind === 'revocation');
      if (!isDue || soon !== undefined || isClosed) return;
      soon = setTimeout(() => {
        soon = undefined;
        void run();
      }, SOON);
      soon.unref();
    },
  });

  return {
    run,
    async close() {
      isClosed = true;
      clearInterval(timer);
      clearTimeout(soon);
      unsubscribe();
      await taking;
      await Promise.all(attempts);
    },
  };

  /** Begins what is due, also what has become due meanwhile. */
  async function takeAll(): Promise<void> {
    try {
      while (isDueAgain && !isClosed && attempts.size < RUNNING) {
        isDueAgain = false;
        const room = RUNNING - attempts.size;
        const due = await takeRevocations(store.db, room);
        for (const row of due) begin(row);
        if (due.length === room) isDueAgain = true;
      }
    } catch (error) {
      onError(error);
    }
  }

  function begin(row: UpstreamRevocation): void {
    const attempted = attempt(row)
      .catch(onError)
      .finally(() => {
        attempts.delete(attempted);
        if (isDueAgain) void run();
      });
    attempts.add(attempted);
  }

  async function attempt(row: UpstreamRevocation): Promise<void> {
    if (row.attempts > MAX_ATTEMPTS) {
      await finish(row, 'failed');
      return;
    }
    const grant = open(row);
    // A key that is not loaded here may be loaded elsewhere, or later.
    if (grant === undefined) return finishIfLast(row);
    try {
      const http = createOauthHttp(egress, row);
      await finish(row, await revokeGrant(http, row, grant));
    } catch (error) {
      if (!(error instanceof UpstreamOauthError)) throw error;
      await finishIfLast(row);
    }
  }

  async function finishIfLast(row: UpstreamRevocation): Promise<void> {
    if (row.attempts >= MAX_ATTEMPTS) await finish(row, 'failed');
  }

  async function finish(row: UpstreamRevocation, outcome: RevocationOutcome): Promise<void> {
    await store.transaction((tx) => finishRevocation(tx, row, outcome));
    onOutcome(outcome);
  }

  function open(row: UpstreamRevocation): OauthGrant | undefined {
    const { sealed, keyId } = row;
    if (sealed === null || keyId === null) return undefined;
    try {
      return parseGrant(vault.open({ sealed, keyId }, revocationSealContext(row)));
    } catch (error) {
      if (error instanceof VaultError) return undefined;
      throw error;
    }
  }
}

/** Milliseconds for each request. */
const TIMEOUT = 10_000;

/**
 * Revokes the tokens of a grant where they came from, whatever the integration's configuration is by now.
 *
 * @throws UpstreamOauthError
 */
function revokeGrant(
  http: OauthHttp,
  { organizationId, integrationId }: Pick<OauthUpstream, 'organizationId' | 'integrationId'>,
  { server, client, provider, ...tokens }: OauthGrant,
): Promise<RevocationResult> {
  const upstream = {
    organizationId,
    integrationId,
    url: server.issuer,
    config: { scopes: [], provider },
    preset: presetOf(provider),
  };
  const issued = { server, upstream, client, tokens };
  return revokeTokens(http, issued, () => AbortSignal.timeout(TIMEOUT));
}
