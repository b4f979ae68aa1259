import type { Loaded } from '../platform/changes/cache.ts';
import { createCache } from '../platform/changes/create-cache.ts';
import type { Store } from '../platform/database/store.ts';
import { connectionPlace, integrationSecretPlace } from '../vault/places.ts';
import { type Place, type Sealed, type Vault, VaultError } from '../vault/vault.ts';
import { createConnectionReports } from './connection-reports.ts';
import type { CredentialOutcome, Credentials, CredentialTarget } from './outcome.ts';
import {
  type HeldConnection,
  type HeldServerToken,
  NO_CREDENTIAL,
  outcomeOfConnection,
  outcomeOfOauth,
  outcomeOfServerToken,
} from './outcome-of.ts';
import { parseCredential } from './stored-credential.ts';

/** What resolving works with. */
export interface CredentialsOptions {
  readonly store: Store;
  readonly vault: Vault;
  /** Opened credentials kept in memory at most, default 10,000. */
  readonly maxEntries?: number;
  /** Told when reports could not be written; they are tried again. */
  readonly onError?: (error: unknown) => void;
}

/** The one place where credentials are resolved, with what its owner needs at shutdown. */
export interface OwnedCredentials extends Credentials {
  /** Flushes and forgets every opened credential. */
  close(): Promise<void>;
}

/** An entry of the cache: what a row said, and the outcome for the target last asked about. */
interface Held {
  readonly serverToken: HeldServerToken | undefined;
  readonly connection: HeldConnection | undefined;
  memo: { readonly target: CredentialTarget; readonly outcome: CredentialOutcome } | undefined;
}

/**
 * Caches what the rows say and judges it against the target at every use: an entry read under an
 * older configuration of the integration cannot be sent to a newer destination.
 */
export function createCredentials(options: CredentialsOptions): OwnedCredentials {
  const { store, vault, maxEntries = 10_000, onError = () => undefined } = options;
  const cache = createCache<Held>({ changes: store.changes, maxEntries });
  const reports = createConnectionReports(store, onError);

  const load = async (target: CredentialTarget, userId: string): Promise<Loaded<Held>> => {
    if (target.authMode === 'server_token') return await loadServerToken(store, vault, target);
    const loaded = await loadConnection(store, vault, target, userId);
    const { connection } = loaded.value;
    if (connection !== undefined) reports.noteRead(connection.connectionId, loaded.hasReason);
    return loaded;
  };

  return {
    peek(target, userId) {
      const fixed = fixedOutcome(target);
      if (fixed !== undefined) return fixed;
      const held = cache.peek(keyOf(target, userId));
      return held === undefined ? undefined : outcomeOf(target, held);
    },
    async resolve(target, userId) {
      const fixed = fixedOutcome(target);
      if (fixed !== undefined) return fixed;
      return outcomeOf(target, await cache.get(keyOf(target, userId), () => load(target, userId)));
    },
    reportRefused: reports.refused,
    reportAccepted: reports.accepted,
    flush: reports.flush,
    async close() {
      cache.close();
      await reports.close();
    },
  };
}

function fixedOutcome(target: CredentialTarget): CredentialOutcome | undefined {
  if (target.authMode === 'none') return NO_CREDENTIAL;
  return target.authMode === 'oauth' ? outcomeOfOauth(target) : undefined;
}

function keyOf({ authMode, integrationId }: CredentialTarget, userId: string): string {
  return authMode === 'server_token' ? integrationId : `${integrationId}:${userId}`;
}

/** The gateway asks with one target object until the route changes, so its identity is the memo's key. */
function outcomeOf(target: CredentialTarget, held: Held): CredentialOutcome {
  const { connection } = held;
  const canExpire = connection?.expiresAt !== undefined;
  if (held.memo?.target === target && !canExpire) return held.memo.outcome;
  const outcome =
    target.authMode === 'server_token'
      ? outcomeOfServerToken(target, held.serverToken)
      : outcomeOfConnection(target, connection, Date.now());
  held.memo = { target, outcome };
  return outcome;
}

async function loadServerToken(
  store: Store,
  vault: Vault,
  { organizationId, integrationId }: CredentialTarget,
): Promise<Loaded<Held>> {
  const row = await store.db.integrationSecret.findUnique({
    where: { integrationId_kind: { integrationId, kind: 'server_token' }, organizationId },
  });
  const serverToken = row
    ? { destination: row.destination, token: open(vault, row, integrationSecretPlace(row)) }
    : undefined;
  return {
    value: { serverToken, connection: undefined, memo: undefined },
    dependsOn: [{ kind: 'integration', id: integrationId }],
  };
}

async function loadConnection(
  store: Store,
  vault: Vault,
  { organizationId, integrationId }: CredentialTarget,
  userId: string,
): Promise<Loaded<Held> & { readonly hasReason: boolean }> {
  const row = await store.db.connection.findUnique({
    where: { integrationId_userId: { integrationId, userId }, organizationId },
  });
  const text = row ? open(vault, row, connectionPlace(row)) : undefined;
  const connection = row
    ? {
        connectionId: row.id,
        mode: row.mode,
        destination: row.destination,
        credential: text === undefined ? undefined : parseCredential(text),
        expiresAt: row.expiresAt?.getTime(),
      }
    : undefined;
  return {
    value: { serverToken: undefined, connection, memo: undefined },
    dependsOn: [
      { kind: 'integration', id: integrationId },
      { kind: 'connection', id: `${integrationId}:${userId}` },
    ],
    hasReason: row?.reason != null,
  };
}

function open(vault: Vault, row: Sealed, place: Place): string | undefined {
  try {
    return vault.open(row, place);
  } catch (error) {
    if (error instanceof VaultError) return undefined;
    throw error;
  }
}
