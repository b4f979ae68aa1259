import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import { type Fault, slices } from './fault.ts';

const SLOW_PIECES_PER_SECOND = 20;

/** What a {@link Link} needs from its proxy. */
export interface LinkHost {
  fault(): Fault;
  /** Called with the number of bytes written to either side. */
  count(direction: Direction, bytes: number): void;
  /** Called when both sockets are closed. */
  closed(): void;
}

/** The direction of the bytes. */
export type Direction = 'toTarget' | 'toClient';

/** One proxied connection: the client's socket and the socket to the target. */
export interface Link {
  /** Applies a fault that has just been set. */
  faultChanged(): void;
  /** Closes both sockets at once. */
  drop(): void;
  /** Resets both sockets at once. */
  reset(): void;
}

/** Connects the two sockets, applying the host's current fault to every chunk. */
export function createLink(client: Socket, target: Socket, host: LinkHost): Link {
  const sockets = [client, target];
  const ends = [
    [client, target],
    [target, client],
  ] as const;
  const delivered = new Set<Socket>();
  let toClientSinceFault = 0;

  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const reset = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };

  async function deliver(sink: Socket, direction: Direction, bytes: Buffer): Promise<void> {
    if (bytes.length === 0 || sink.destroyed) return;
    host.count(direction, bytes.length);
    if (direction === 'toClient') toClientSinceFault += bytes.length;
    if (sink.write(bytes) || sink.destroyed) return;
    await Promise.race([once(sink, 'drain'), once(sink, 'close')]);
  }

  async function pass(sink: Socket, direction: Direction, chunk: Buffer): Promise<void> {
    const fault = host.fault();
    switch (fault.kind) {
      case 'black-hole':
        return;
      case 'latency':
        await delay(fault.milliseconds);
        break;
      case 'bandwidth':
        for (const piece of slices(
          chunk,
          Math.ceil(fault.bytesPerSecond / SLOW_PIECES_PER_SECOND),
        )) {
          await delay((piece.length / fault.bytesPerSecond) * 1000);
          await deliver(sink, direction, piece);
        }
        return;
      case 'slice':
        for (const piece of slices(chunk, fault.bytes)) {
          await deliver(sink, direction, piece);
          await turn();
        }
        return;
      case 'limit-data':
        if (direction === 'toTarget' || toClientSinceFault + chunk.length < fault.bytes) break;
        await deliver(sink, direction, chunk.subarray(0, fault.bytes - toClientSinceFault));
        sink.end(drop);
        return;
    }
    await deliver(sink, direction, chunk);
  }

  async function pump(source: Socket, sink: Socket, direction: Direction): Promise<void> {
    try {
      // A socket that has ended its readable side must stay open for the other side.
      const chunks = source.iterator({ destroyOnReturn: false });
      for await (const chunk of chunks) await pass(sink, direction, chunk);
    } finally {
      delivered.add(source);
      passEnds();
    }
  }

  /** Ends or resets each side as the other side did, except in a black hole, where that vanishes too. */
  function passEnds(): void {
    if (host.fault().kind === 'black-hole') return;
    for (const [source, sink] of ends) {
      if (source.errored) sink.resetAndDestroy();
      else if (delivered.has(source)) sink.end();
    }
  }

  for (const socket of sockets) {
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      passEnds();
      if (sockets.every(({ destroyed }) => destroyed)) host.closed();
    });
  }
  pump(client, target, 'toTarget').catch(() => undefined);
  pump(target, client, 'toClient').catch(() => undefined);

  return {
    drop,
    reset,
    faultChanged() {
      toClientSinceFault = 0;
      if (host.fault().kind === 'reset') reset();
      else passEnds();
    },
  };
}
