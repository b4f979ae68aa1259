import type { Credentials } from '../../credentials/credentials.ts';
import type { Egress } from '../../egress/egress.ts';
import { createMcpClient } from '../../mcp/client/client.ts';
import { versionAmongSeveral } from '../../mcp/spoken-eras.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import type { EndedUnused, GatewaySessions } from '../../sessions/sessions.ts';
import type { Routes } from '../routes.ts';
import { gather } from './lists/gather.ts';

export interface UnusedSessionsDeps {
  readonly sessions: Pick<GatewaySessions, 'behind'>;
  readonly routes: Pick<Routes, 'get'>;
  readonly credentials: Pick<Credentials, 'resolve'>;
  readonly egress: Pick<Egress, 'request'>;
  /** Milliseconds between two looks. */
  readonly every: number;
  readonly onError: (error: unknown) => void;
}

const BATCH = 100;

/** Upstreams that hear of it at the same time, and the milliseconds for each. */
const PLACES = 8;
const TELL_WITHIN = 5_000;

/** Ends sessions that were begun for lists alone, and are silent: here, and then at their upstreams. */
export class UnusedSessions {
  readonly #deps: UnusedSessionsDeps;
  readonly #timer: NodeJS.Timeout;
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;

  constructor(deps: UnusedSessionsDeps) {
    this.#deps = deps;
    this.#timer = setInterval(() => this.#start(), deps.every);
    this.#timer.unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    await this.#running;
  }

  /** Unless the last look has not ended. */
  #start(): void {
    this.#running ??= this.#run()
      .catch(this.#deps.onError)
      .finally(() => {
        this.#running = undefined;
      });
  }

  async #run(): Promise<void> {
    let ended: readonly EndedUnused[];
    do {
      ended = await this.#deps.sessions.behind.endUnused(BATCH);
      await gather(ended, PLACES, (session) => this.#tell(session));
    } while (ended.length === BATCH && !this.#closing.signal.aborted);
  }

  /** What it answers does not matter; one that does not hear of it forgets the session by itself. */
  async #tell(session: EndedUnused): Promise<void> {
    const { organizationId, applicationId, integrationId, subjectId } = session;
    const { routes, credentials, egress, onError } = this.#deps;
    try {
      const route = await routes.get(organizationId, `${applicationId}/${integrationId}`);
      const id = session.upstreamIdFor(route);
      const credential = await credentials.resolve(route.target, subjectId);
      if (id === undefined || credential.kind !== 'ready') return;
      const sender = { organizationId, userId: subjectId, credential: credential.headers };
      const client = createMcpClient(egress, route.target.url, sender, () => undefined);
      const version = versionAmongSeveral(session.hello.protocolVersion, route.spokenEras);
      const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(TELL_WITHIN)]);
      await client.endSession(
        [
          ['mcp-session-id', id],
          ['mcp-protocol-version', version],
          ['cdn-loop', route.loopMark],
        ],
        signal,
      );
    } catch (error) {
      // Archived or detached meanwhile, or its upstream has moved.
      if (!(error instanceof ProblemError)) onError(error);
    }
  }
}
