import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ControlSocket } from './control/control-socket.ts';
import { endStep } from './end-step.ts';
import { defaultLimits } from './gateway/limits.ts';
import type { HttpServer } from './http-server.ts';
import type { Store } from './platform/database/store.ts';
import type { Service } from './service.ts';
import type { Telemetry } from './telemetry/start-telemetry.ts';
import type { NodeKeys } from './vault/node-keys.ts';

export interface Running {
  readonly server: HttpServer;
  readonly service: Service;
  readonly control: ControlSocket;
  readonly nodeKeys: NodeKeys;
  readonly store: Store;
  readonly log: Logger;
  /** Sends its last traces and metrics. */
  readonly telemetry: Pick<Telemetry, 'close'> | undefined;
  /** Settles when the start has succeeded or failed. */
  readonly started: Promise<unknown>;
}

/**
 * The first SIGTERM or SIGINT shuts down in order, with exit code 0, or 1 when something could not be
 * written. The second exits at once, with exit code 1.
 */
export function endOnSignal(running: Running): void {
  let isEnding = false;
  const onSignal = (): void => {
    if (isEnding) process.exit(1);
    isEnding = true;
    // A first owner that is being written is printed first. A start that fails ends the process itself.
    running.started.then(
      async () => process.exit((await end(running)) ? 0 : 1),
      () => undefined,
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

async function end(running: Running): Promise<boolean> {
  const { server, service, control, nodeKeys, store, log, telemetry } = running;
  const begun = performance.now();
  log.info('shutting down');
  // Management requests get as long as gateway calls.
  const deadline = delay(defaultLimits.closeDeadline);
  const drained = server.drain();
  await Promise.allSettled([service.stopServing(), Promise.race([drained, deadline])]);
  server.cut();
  const isWritten = await service.close();
  await endStep(log, 'control socket', control.close());
  await endStep(log, 'keys of this node', nodeKeys.close());
  const isClosed = await endStep(log, 'database', store.close());
  await telemetry?.close();
  const isComplete = isWritten && isClosed;
  log.info({ ms: Math.round(performance.now() - begun), isComplete }, 'shut down');
  return isComplete;
}
