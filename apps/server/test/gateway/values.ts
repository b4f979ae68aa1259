import { readInbound } from '../../src/gateway/inbound.ts';
import type { OwnAnswer } from '../../src/gateway/own-answer.ts';
import type { CallRequest, ResponseSink } from '../../src/gateway/ports.ts';

/** A request without a body. */
export function requestOf(
  method: string,
  headers: readonly string[] = [],
  behind?: CallRequest['behind'],
): CallRequest {
  return {
    method,
    url: '/mcp/application/integration',
    headers: {},
    rawHeaders: headers,
    inbound: readInbound(headers),
    requestId: 'request',
    address: '192.0.2.1',
    behind,
    readBody: () => null,
    discardRest: () => {},
  };
}

/** Keeps what it gets. Its reader takes nothing until `drain`. */
export class MemorySink implements ResponseSink {
  status = 0;
  isGone = false;
  isOver = false;
  waitingBytes = 0;
  readonly answers: OwnAnswer[] = [];
  readonly drainListeners: (() => void)[] = [];
  readonly #closeListeners: ((isAnswered: boolean) => void)[] = [];

  get isSent(): boolean {
    return this.isOver;
  }

  get isFull(): boolean {
    return this.waitingBytes > 0;
  }

  begin(status: number): void {
    this.status = status;
  }

  flush(): void {}

  write(part: Buffer | string): boolean {
    this.waitingBytes += part.length;
    return false;
  }

  end(): void {
    this.isOver = true;
  }

  destroy(): void {
    this.leave();
  }

  answer(own: OwnAnswer): number {
    this.answers.push(own);
    this.isOver = true;
    return 0;
  }

  onDrain(listener: () => void): void {
    this.drainListeners.push(listener);
  }

  onClose(listener: (isAnswered: boolean) => void): void {
    this.#closeListeners.push(listener);
  }

  drain(): void {
    this.waitingBytes = 0;
    for (const listener of this.drainListeners.splice(0)) listener();
  }

  /** Its reader goes away. */
  leave(): void {
    this.isGone = true;
    for (const listener of this.#closeListeners) listener(false);
  }
}
