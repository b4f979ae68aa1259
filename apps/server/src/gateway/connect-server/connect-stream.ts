import { EventWriter } from '../../mcp/sse/event-writer.ts';
import type { ProblemError } from '../../platform/problem-error.ts';
import type { Call, OngoingExchange } from '../call.ts';
import type { GatewayLimits } from '../limits.ts';
import { beginStream } from '../response-head.ts';
import type { StreamTexts } from './stream-texts.ts';

/** The connect server's event stream, open until the person has connected. */
export class ConnectStream implements OngoingExchange {
  readonly #call: Call;
  readonly #texts: StreamTexts;
  readonly #events: EventWriter;

  constructor(call: Call, texts: StreamTexts, { keepAlive }: Pick<GatewayLimits, 'keepAlive'>) {
    this.#call = call;
    this.#texts = texts;
    this.#events = new EventWriter(call, { keepAlive, isOwn: true, mayBegin: true });
  }

  start(): void {
    const call = this.#call;
    call.startExchange(this);
    call.startStream();
    beginStream(call);
    this.#write(this.#texts.first);
  }

  abort(): void {}

  keepAlive(now: number): void {
    this.#events.keepAlive(now);
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
    this.#call.response.end();
    this.#call.end('connect');
  }

  #write(text: string): void {
    if (text !== '') this.#events.send(text);
  }
}
