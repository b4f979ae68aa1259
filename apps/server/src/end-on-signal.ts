import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ControlSocket } from './control/control-socket.ts';
import { defaultLimits } from './gateway/limits.ts';
import type { HttpServer } from './http-server.ts';
import type { OutageLog } from './platform/database/outage-log.ts';
import type { Store } from './platform/database/store.ts';
import { endStep, type Service } from './service.ts';
import type { Telemetry } from './telemetry/start-telemetry.ts';
import type { NodeKeys } from './vault/node-keys.ts';

/**
 * Milliseconds in which requests on open connections are still served. A proxy learns that this node
 * ends when a new connection is refused, and with each response it loses an open one.
 */
const LAST_REQUESTS = 2_000;

export interface Running {
  readonly server: HttpServer;
  readonly service: Service;
  readonly control: ControlSocket;
  readonly nodeKeys: NodeKeys;
  readonly store: Store;
  readonly outages: OutageLog;
  readonly log: Logger;
  /** Milliseconds after SIGTERM while connections are still accepted. */
  readonly shutdownDelay: number;
  /** Sends its last traces and metrics. */
  readonly telemetry: Pick<Telemetry, 'close'> | undefined;
  /** Settles when the start has succeeded or failed. */
  readonly started: Promise<unknown>;
}

/**
 * The first SIGTERM or SIGINT shuts down in order, with exit code 0, or 1 when something could not be
 * written. The second exits at once, with exit code 1. SIGINT comes from a terminal, where no
 * balancer has to learn of it.
 */
export function endOnSignal(running: Running): void {
  let isEnding = false;
  const onSignal = (pauses: Pauses): void => {
    if (isEnding) process.exit(1);
    isEnding = true;
    // A first owner that is being written is printed first. A start that fails ends the process itself.
    running.started.then(
      async () => process.exit((await end(running, pauses)) ? 0 : 1),
      () => undefined,
    );
  };
  process.on('SIGTERM', () =>
    onSignal({ before: running.shutdownDelay, lastRequests: LAST_REQUESTS }),
  );
  process.on('SIGINT', () => onSignal({ before: 0, lastRequests: 0 }));
}

/** In milliseconds. */
interface Pauses {
  /** As long as a balancer needs to see that this node ends. */
  readonly before: number;
  /** For requests on connections that are open. */
  readonly lastRequests: number;
}

async function end(running: Running, { before, lastRequests }: Pauses): Promise<boolean> {
  const { server, service, control, nodeKeys, store, outages, log, telemetry } = running;
  const begun = performance.now();
  log.info('shutting down');
  service.turnUnready();
  await delay(before);
  await server.retire(lastRequests);
  // Management requests get as long as gateway calls.
  const deadline = delay(defaultLimits.closeDeadline);
  const drained = server.drain();
  await Promise.allSettled([service.stopServing(), Promise.race([drained, deadline])]);
  server.cut();
  outages.close();
  const isWritten = await service.close();
  await endStep(log, 'control socket', control.close());
  await endStep(log, 'keys of this node', nodeKeys.close());
  const isClosed = await endStep(log, 'database', store.close());
  await telemetry?.close();
  const isComplete = isWritten && isClosed;
  log.info({ ms: Math.round(performance.now() - begun), isComplete }, 'shut down');
  return isComplete;
}
