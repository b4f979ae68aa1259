import { type Caller, dependenciesOf, isTokenExpired, subjectIdOf } from '../identity/caller.ts';
import { rowKey } from '../platform/changes/changes.ts';
import type { Call } from './call.ts';
import type { Route } from './routes.ts';

export interface ReauthorizationsOptions<C> {
  /** Rejects when the database cannot be read. */
  readonly reauthorize: (calls: readonly C[]) => Promise<void>;
  /** The others are left out. */
  readonly isReady: (call: C) => boolean;
  readonly onError: (error: unknown) => void;
}

/** The calls that wait to be authorized again. */
export class Reauthorizations<C> {
  readonly #options: ReauthorizationsOptions<C>;
  readonly #waiting = new Set<C>();
  #isRunning = false;

  constructor(options: ReauthorizationsOptions<C>) {
    this.#options = options;
  }

  add(call: C): void {
    this.#waiting.add(call);
  }

  /** One round at a time. Calls added meanwhile follow at once, failed ones at the next run. */
  async run(): Promise<void> {
    if (this.#isRunning || this.#waiting.size === 0) return;
    const calls = [...this.#waiting].filter(this.#options.isReady);
    this.#waiting.clear();
    if (calls.length === 0) return;
    this.#isRunning = true;
    try {
      await this.#options.reauthorize(calls);
    } catch (error) {
      for (const call of calls) this.#waiting.add(call);
      this.#options.onError(error);
      return;
    } finally {
      this.#isRunning = false;
    }
    void this.run();
  }
}

/** A call that is still being admitted cannot be authorized again: its admission is followed by a check. */
export function isAdmitted({ hasEnded, admission }: Call): boolean {
  return !hasEnded && admission !== undefined;
}

/** Only a stream is ended when its token expires: another call may finish. */
export function isExpiredStream({ isStream, admission }: Call, date: number): boolean {
  return isStream && admission !== undefined && isTokenExpired(admission.caller, date);
}

/**
 * The call may end when one of these rows changes. Sessions that are revoked together are not announced one
 * by one, only the row that they depended on is.
 */
export function rowsOf({ admission, session }: Call): string[] {
  if (admission === undefined) return [];
  return rowsOfAccess(admission.caller, admission.route, session?.id);
}

/** The rows that a caller's access to an integration rests on. */
export function rowsOfAccess(
  caller: Caller,
  { applicationId, integrationId }: Pick<Route, 'applicationId' | 'integrationId'>,
  sessionId: string | undefined,
): string[] {
  const changes = [
    ...dependenciesOf(caller),
    { kind: 'application', id: applicationId },
    { kind: 'integration', id: integrationId },
    { kind: 'connection', id: `${integrationId}:${subjectIdOf(caller)}` },
  ] as const;
  const rows = changes.map(rowKey);
  if (sessionId !== undefined) rows.push(rowKey({ kind: 'session', id: sessionId }));
  return rows;
}
