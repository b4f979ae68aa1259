import { Prisma } from '../generated/prisma/client.ts';
import type { Changes } from '../platform/changes/changes.ts';
import { type Cache, createCache, type Loaded } from '../platform/changes/create-cache.ts';
import type { Db } from '../platform/database/store.ts';
import type { Activity } from './activity.ts';
import { OpenSession } from './open-session.ts';
import { findOpen, type SessionRow } from './repository.ts';
import { type SessionWindows, ttlOf } from './windows.ts';

/** The most open sessions in memory, per era. */
const MAX_SESSIONS = 50_000;

export interface SessionCacheDeps {
  readonly db: Db;
  readonly changes: Changes;
  readonly windows: SessionWindows;
  readonly activity: Activity;
}

/**
 * Open sessions in this node's memory. What it returns is the session's shared object, and may have
 * been silent for too long: see `isSilent`.
 */
export class SessionCache {
  readonly #deps: SessionCacheDeps;
  readonly #cache: Cache<OpenSession>;

  constructor(deps: SessionCacheDeps) {
    this.#deps = deps;
    this.#cache = createCache({ changes: deps.changes, maxEntries: MAX_SESSIONS });
  }

  peek(key: string): OpenSession | undefined {
    const cached = this.#cache.peek(key);
    return cached === undefined ? undefined : this.#deps.activity.sharedObject(cached);
  }

  async get(key: string, load: () => Promise<Loaded<OpenSession>>): Promise<OpenSession> {
    return this.#deps.activity.sharedObject(await this.#cache.get(key, load));
  }

  /** The session of a row, with the rows it depends on: after they change, every node reads it again. */
  toLoaded(row: SessionRow, upstreamSessionId: string | undefined): Loaded<OpenSession> {
    const loaded = new OpenSession(row, upstreamSessionId, performance.now());
    return {
      value: this.#deps.activity.sharedObject(loaded),
      dependsOn: [
        { kind: 'session', id: row.id },
        { kind: 'application', id: row.applicationId },
        { kind: 'integration', id: row.integrationId },
        { kind: 'member', id: row.subjectId },
        { kind: 'connection', id: `${row.integrationId}:${row.subjectId}` },
      ],
    };
  }

  /** True if this node has seen no activity of the session for longer than its era allows. */
  isSilent(session: OpenSession): boolean {
    if (session.inFlight > 0) return false;
    return performance.now() - session.activeAt > ttlOf(this.#deps.windows, session.era);
  }

  /**
   * Reads the last activity of a silent session, which other nodes may have written.
   *
   * @returns false when the session is no longer open.
   */
  async refresh(session: OpenSession): Promise<boolean> {
    const { db, windows } = this.#deps;
    const row = await findOpen(db, Prisma.sql`s."id" = ${session.id}::uuid`, windows);
    if (row === undefined) return false;
    session.activeAt = Math.max(session.activeAt, performance.now() - row.silentFor);
    return true;
  }

  close(): void {
    this.#cache.close();
  }
}
