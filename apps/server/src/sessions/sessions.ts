import { randomUUID } from 'node:crypto';
import type { Store } from '../platform/database/store.ts';
import type { Mac } from '../vault/mac.ts';
import type { Vault } from '../vault/vault.ts';
import { Activity } from './activity.ts';
import type { AggregateSession } from './aggregate-session-repository.ts';
import { AggregateSessions } from './aggregate-sessions.ts';
import { LegacySessions } from './legacy-sessions.ts';
import { ModernSessions } from './modern-sessions.ts';
import type { OpenSession, SessionCaller, SessionRoute } from './open-session.ts';
import { Questions } from './questions.ts';
import { findEnded, type SessionEnd } from './repository.ts';
import { SessionCache } from './session-cache.ts';
import { closeExcess, SessionLimit } from './session-limit.ts';
import { type EndedUnused, SessionBehindRevoked, SessionsBehind } from './sessions-behind.ts';
import type { SessionAdmin } from './shown-session.ts';
import { attachmentSubscribedTo, subscribedUris } from './subscriptions.ts';
import type { BegunSession } from './upstream-session.ts';
import type { SessionWindows } from './windows.ts';

export type {
  AggregateSession,
  BegunSession,
  EndedUnused,
  OpenSession,
  SessionCaller,
  SessionEnd,
  SessionRoute,
};
export { attachmentSubscribedTo, findEnded, SessionBehindRevoked, subscribedUris };

/** The kinds that the gateway uses. */
export type GatewaySessions = Omit<Sessions, 'admin' | 'close'>;

/**
 * The sessions of this node, by kind. Beginning, end and revocation are written before the response is sent; activity is
 * written behind, at most every 15 s per session.
 */
export interface Sessions {
  readonly legacy: LegacySessions;
  readonly modern: ModernSessions;
  /** Sessions with integrations, begun for clients of an application's one URL. */
  readonly behind: SessionsBehind;
  /** Sessions of clients at an application's one URL. */
  readonly aggregates: AggregateSessions;
  /** Questions of this node to clients, in aggregate sessions. */
  readonly questions: Questions;
  /** Calls and streams in flight in sessions of every kind, but aggregate ones. */
  readonly activity: Activity;
  readonly admin: SessionAdmin;
  /** Writes what is left and deletes this node's presence. @throws when the database does. */
  close(): Promise<void>;
}

export interface SessionsOptions {
  readonly store: Store;
  readonly vault: Vault;
  /** For the ids of questions. */
  readonly mac: Mac;
  readonly windows: SessionWindows;
  /** Called when a background write fails that will be tried again, and when writes are lost. */
  readonly onError: (error: unknown) => void;
  /** Called when the answer of a client, which came to another node, could not be taken; it is asked for again. */
  readonly onUntakenAnswer: (error: unknown) => void;
}

export function createSessions(options: SessionsOptions): Sessions {
  const { store, vault, mac, windows, onError, onUntakenAnswer } = options;
  const { db, changes } = store;
  const nodeId = randomUUID();
  const activity = new Activity({ db, nodeId, activeWindow: windows.active, onError });
  const withUpstreamId = new SessionCache({ db, changes, windows, activity });
  const withoutId = new SessionCache({ db, changes, windows, activity });
  const limit = new SessionLimit((userId) => closeExcess(store, userId), onError);
  const deps = { store, vault, windows, limit, cache: withUpstreamId };
  const modern = new ModernSessions({ store, windows, cache: withoutId });
  const aggregates = new AggregateSessions({ store, ttl: windows.legacyTtl, onError });
  const questions = new Questions({ store, vault, mac, onError: onUntakenAnswer });
  return {
    legacy: new LegacySessions(deps),
    modern,
    behind: new SessionsBehind({ ...deps, activity }),
    aggregates,
    questions,
    activity,
    admin: { windows, viewOf: (some) => ({ windows, local: activity.localSessions(some) }) },
    async close() {
      for (const part of [withUpstreamId, withoutId, modern, questions]) part.close();
      const closed = await Promise.allSettled([activity.close(), aggregates.close()]);
      for (const result of closed) if (result.status === 'rejected') throw result.reason;
    },
  };
}
