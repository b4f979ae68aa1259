import type { Logger } from 'pino';
import type { Catalogues } from '../catalogue/catalogues.ts';
import type { Credentials } from '../credentials/credentials.ts';
import type { Egress } from '../egress/egress.ts';
import type { UpstreamEras } from '../eras/upstream-eras.ts';
import { withMcpChallenge } from '../http/challenge.ts';
import type { Cursors } from '../http/cursor.ts';
import type { HostAndOrigin } from '../http/host-and-origin.ts';
import { limitFailedAuthentication } from '../http/identify.ts';
import type { Authenticator } from '../identity/authenticator.ts';
import { requireBearer } from '../identity/bearer.ts';
import { type McpTargetKind, pairKeyOf } from '../identity/resource.ts';
import type { CallLimits } from '../limits/call-limits.ts';
import { countLimited } from '../limits/metrics.ts';
import type { Store } from '../platform/database/store.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Tracing } from '../platform/tracing.ts';
import type { ConnectSessionIds } from '../sessions/connect-session-ids.ts';
import type { GatewaySessions } from '../sessions/sessions.ts';
import { admitCaller } from './admission.ts';
import { type Aggregate, createAggregate } from './aggregate/aggregate.ts';
import { BodyMemory } from './body-memory.ts';
import { Call } from './call.ts';
import type { BeginCall } from './call-audit.ts';
import type { CallObserver } from './call-record.ts';
import { defaultLimits, type GatewayLimits } from './limits.ts';
import { type MakeCallDeps, makeCall } from './make-call.ts';
import { createGatewayMetrics } from './metrics.ts';
import { OpenCalls } from './open-calls.ts';
import { OpenStreams } from './open-streams.ts';
import type { CallRequest, ClientRequest, ResponseSink } from './ports.ts';
import { shuttingDown } from './problems.ts';
import { reauthorizeOpenCalls } from './reauthorize-open-calls.ts';
import { receive } from './receive.ts';
import { createRoutes } from './routes.ts';

export interface GatewayOptions {
  readonly store: Store;
  readonly authenticator: Authenticator;
  readonly credentials: Credentials;
  readonly egress: Pick<Egress, 'poolFor' | 'request'>;
  readonly sessions: GatewaySessions;
  readonly connectSessions: ConnectSessionIds;
  readonly eras: UpstreamEras;
  readonly catalogues: Pick<Catalogues, 'peek' | 'get'>;
  readonly callLimits: Pick<CallLimits, 'reserve'>;
  readonly cursors: Cursors;
  readonly hostAndOrigin: HostAndOrigin;
  /** Counts a failed authentication. @throws ProblemError `rate_limited` once the address has used up its attempts. */
  readonly countFailure: (address: string) => Promise<void>;
  /** Each gets a record of every call, once it has ended. */
  readonly observers: readonly CallObserver[];
  /** Undefined where calls do not wait for the audit. */
  readonly beginCall?: BeginCall | undefined;
  readonly metrics: Metrics;
  readonly tracing?: Tracing | undefined;
  /** Our origin. */
  readonly publicUrl: string;
  /** Of the service. */
  readonly version: string;
  readonly log: Logger;
  readonly limits?: Partial<GatewayLimits>;
}

/** The relay of `/mcp/:applicationId/:integrationId`, and the aggregate at `/mcp/:applicationId`. */
export interface Gateway {
  /** Answers a request to a URL of this kind. */
  serve(kind: McpTargetKind, request: ClientRequest & CallRequest, response: ResponseSink): void;
  /**
   * Refuses new calls, waits for those in flight (23 s at most), and then ends what is left: GET and
   * `subscriptions/listen`, and calls that take longer.
   */
  close(): Promise<void>;
  /** What the one URL of an application lists for a person. @throws ProblemError `not_found` */
  readonly aggregateState: Aggregate['stateFor'];
}

export function createGateway(options: GatewayOptions): Gateway {
  const { store, authenticator, credentials, sessions, hostAndOrigin, publicUrl, log } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const routes = createRoutes(store);
  const openCalls = new OpenCalls({
    changes: store.changes,
    reauthorize: (calls) =>
      reauthorizeOpenCalls(calls, { routes, sessions, credentials, db: store.db, authenticator }),
    callDeadline: limits.callDeadline,
    onError: (error) => log.warn({ err: error }, 'open calls could not be admitted again'),
  });
  const metrics = createGatewayMetrics(options.metrics, () => openCalls.countStreams());
  const bodyMemory = new BodyMemory(limits.keptBytesInAll);
  const onLimited = countLimited(options.metrics);
  const openStreams = new OpenStreams(limits);
  const shared = { routes, openCalls, openStreams, metrics, limits, bodyMemory, onLimited };
  const deps: MakeCallDeps = { ...options, ...shared };
  const aggregate = createAggregate({ ...options, callDeps: deps });

  const answer = async (call: Call): Promise<void> => {
    if (openCalls.isClosing) throw shuttingDown();
    openCalls.add(call);
    if (receive(call, hostAndOrigin) === 'preflight') return;
    const token = requireBearer(call.inbound.authorization);
    const key = pairKeyOf(call.request.url);
    const caller = await admitCaller(authenticator, token, key);
    const own = await makeCall(call, { token, caller }, key, deps);
    if (own !== undefined) call.answer(own);
  };

  const refuse = async (call: Call, thrown: unknown): Promise<void> => {
    const error = await limitFailedAuthentication(thrown, () =>
      options.countFailure(call.request.address),
    );
    call.refuse(withMcpChallenge(error, call.request.url, publicUrl));
  };

  const close = async (): Promise<void> => {
    aggregate.endStreams();
    await openCalls.close(limits.closeDeadline);
    try {
      await aggregate.close();
    } finally {
      routes.close();
    }
  };
  let closed: Promise<void> | undefined;

  return {
    serve(kind, request, response) {
      if (kind === 'application') {
        void aggregate.serve(request, response);
        return;
      }
      const call = new Call(request, response, deps);
      answer(call).catch((error: unknown) => refuse(call, error));
    },
    close() {
      closed ??= close();
      return closed;
    },
    aggregateState: aggregate.stateFor,
  };
}
