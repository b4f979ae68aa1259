import type { ProblemError } from '../../platform/problem-error.ts';
import type { Call, OngoingExchange } from '../call.ts';
import type { GatewayLimits } from '../limits.ts';
import { ownHeaders } from '../send-own.ts';
import type { StreamTexts } from './stream-texts.ts';

const KEEP_ALIVE = ': keep-alive\n\n';

/** The connect server's event stream, open until the person has connected. */
export class ConnectStream implements OngoingExchange {
  readonly #call: Call;
  readonly #texts: StreamTexts;
  readonly #keepAlive: number;
  #lastSentAt = performance.now();

  constructor(call: Call, texts: StreamTexts, { keepAlive }: Pick<GatewayLimits, 'keepAlive'>) {
    this.#call = call;
    this.#texts = texts;
    this.#keepAlive = keepAlive;
  }

  start(): void {
    const call = this.#call;
    call.startExchange(this);
    call.startStream();
    call.res.writeHead(200, [
      ...['Content-Type', 'text/event-stream'],
      ...['X-Accel-Buffering', 'no'],
      ...ownHeaders(call),
    ]);
    call.res.flushHeaders();
    this.#write(this.#texts.first);
  }

  abort(): void {}

  keepAlive(now: number): void {
    const { res } = this.#call;
    if (now - this.#lastSentAt < this.#keepAlive || res.writableNeedDrain) return;
    this.#lastSentAt = now;
    this.#call.write(KEEP_ALIVE);
  }

  announceEnd(problem: ProblemError): void {
    this.#write(this.#texts.ended(problem));
  }

  /** There is a credential, or nothing that the person could do: what the client knows is out of date. */
  onSettled(): void {
    if (this.#call.hasEnded) return;
    this.#write(this.#texts.connected);
    this.end();
  }

  end(): void {
    this.#call.res.end();
    this.#call.end('connect');
  }

  #write(text: string): void {
    if (text !== '') this.#call.write(text);
  }
}
