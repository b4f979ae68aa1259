import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Credentials } from '../credentials/credentials.ts';
import type { Egress } from '../egress/egress.ts';
import { resourceMetadataUrl, withChallenge } from '../http/challenge.ts';
import { limitFailedAuthentication } from '../http/failed-authentication.ts';
import type { HostAndOrigin } from '../http/host-and-origin.ts';
import type { Authenticator } from '../identity/authenticator.ts';
import type { Store } from '../platform/database/store.ts';
import type { Metrics } from '../platform/metrics.ts';
import { ProblemError } from '../platform/problem-error.ts';
import type { ConnectSessionIds } from '../sessions/connect-session-ids.ts';
import type { GatewaySessions } from '../sessions/sessions.ts';
import { Admitter } from './admitter.ts';
import { Call } from './call.ts';
import { createCallLog } from './call-log.ts';
import { KeptBytes } from './deferred-scan.ts';
import { defaultLimits, type GatewayLimits } from './limits.ts';
import { isGatewayTarget } from './match.ts';
import { createGatewayMetrics } from './metrics.ts';
import { OpenCalls } from './open-calls.ts';
import { shuttingDown } from './problems.ts';
import { receive } from './receive.ts';
import { recheckCalls } from './recheck.ts';
import { type RelayDeps, relay } from './relay.ts';
import { createRoutes } from './routes.ts';

export interface GatewayOptions {
  readonly store: Store;
  readonly authenticator: Authenticator;
  readonly credentials: Credentials;
  readonly egress: Pick<Egress, 'poolFor'>;
  readonly sessions: GatewaySessions;
  readonly connectSessions: ConnectSessionIds;
  readonly hostAndOrigin: HostAndOrigin;
  /** Counts a failed authentication. @throws ProblemError `rate_limited` once the address has used up its attempts. */
  readonly countFailure: (req: IncomingMessage) => Promise<void>;
  /** The client's. */
  readonly addressOf: (req: IncomingMessage) => string;
  /** Percent of the calls that are logged at level debug. */
  readonly loggedCalls: number;
  readonly metrics: Metrics;
  /** Our origin. */
  readonly publicUrl: string;
  /** Of the service. */
  readonly version: string;
  readonly log: Logger;
  readonly limits?: Partial<GatewayLimits>;
}

/** The relay of `/mcp/:applicationId/:integrationId`, on plain node:http. */
export interface Gateway {
  /** Handles the request if its target is a gateway URL; returns false and does nothing otherwise. */
  handle(req: IncomingMessage, res: ServerResponse): boolean;
  /**
   * Refuses new calls, waits for those in flight (23 s at most), and then ends what is left: GET and
   * `subscriptions/listen`, and calls that take longer.
   */
  close(): Promise<void>;
}

export function createGateway(options: GatewayOptions): Gateway {
  const { store, authenticator, credentials, egress, sessions, connectSessions } = options;
  const { hostAndOrigin, publicUrl, version, log } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const routes = createRoutes(store);
  const admitter = new Admitter({ authenticator, routes, sessions, connectSessions, credentials });
  // After every cache, here and in `wiring.ts`: listeners run in the order of subscription, and a
  // recheck must not find in a cache what the change is about to drop.
  const openCalls = new OpenCalls({
    changes: store.changes,
    recheck: (calls) => recheckCalls(calls, admitter, sessions),
    callDeadline: limits.callDeadline,
    onError: (error) => log.warn({ err: error }, 'open calls could not be rechecked'),
  });
  const metrics = createGatewayMetrics(options.metrics, () => openCalls.countStreams());
  const keptBytes = new KeptBytes(limits);
  const { addressOf, loggedCalls: percent } = options;
  const callLog = createCallLog({ log, percent, addressOf });
  const calls = { sessions, openCalls, metrics, callLog, log };
  const own = { connectSessions, publicUrl, version };
  const deps: RelayDeps = { ...calls, ...own, egress, credentials, limits, keptBytes };

  const refuse = async (call: Call, thrown: unknown): Promise<void> => {
    const error = await limitFailedAuthentication(thrown, () => options.countFailure(call.req));
    const [path = ''] = (call.req.url ?? '').split('?', 1);
    const metadataUrl = resourceMetadataUrl(publicUrl, path);
    const challenge = { metadataUrl, scope: 'mcp' };
    call.refuse(error instanceof ProblemError ? withChallenge(error, challenge) : error);
  };

  const close = async (): Promise<void> => {
    await openCalls.close(limits.closeDeadline);
    routes.close();
  };
  let closed: Promise<void> | undefined;

  return {
    handle(req, res) {
      if (!isGatewayTarget(req.url)) return false;
      const call = new Call(req, res, deps);
      try {
        if (openCalls.isClosing) throw shuttingDown();
        openCalls.add(call);
        if (receive(call, hostAndOrigin) === 'preflight') return true;
        const admission = admitter.admit(call);
        if (admission instanceof Promise) {
          admission
            .then((admitted) => relay(call, admitted, deps))
            .catch((error: unknown) => refuse(call, error));
        } else {
          relay(call, admission, deps);
        }
      } catch (error) {
        void refuse(call, error);
      }
      return true;
    },
    close() {
      closed ??= close();
      return closed;
    },
  };
}
