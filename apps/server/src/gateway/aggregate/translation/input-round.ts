import { messageOf } from '../../../mcp/server/reply.ts';
import { readMessage } from '../../../mcp/translation/message-reader.ts';
import { FROM_CLIENT } from '../../../mcp/translation/shapes.ts';
import { MAX_ANSWER } from '../../../sessions/questions.ts';
import type { AggregateSession, GatewaySessions } from '../../../sessions/sessions.ts';
import type { ClientCall } from '../client-call.ts';
import type { InputRequest } from './asked-input.ts';
import type { ClientStream } from './client-stream.ts';

/** Milliseconds between two comments that keep the stream open. */
const KEEP_ALIVE = 15_000;

/** Where the questions of a call go, and the answers come from. */
export interface AskedClient {
  readonly call: ClientCall;
  readonly session: AggregateSession;
  readonly stream: ClientStream;
}

interface InputRoundDeps {
  readonly sessions: Pick<GatewaySessions, 'questions'>;
}

/** Asks a legacy client on its open call, and waits until it has answered everything. */
export class InputRound {
  readonly #requests: readonly InputRequest[];
  readonly #client: AskedClient;
  readonly #deps: InputRoundDeps;
  readonly #onAnswered: (inputResponses: string | undefined) => void;
  readonly #answers = new Map<string, string>();
  readonly #forget: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  /** @param onAnswered gets raw JSON; undefined if the client has refused to answer */
  constructor(
    requests: readonly InputRequest[],
    client: AskedClient,
    deps: InputRoundDeps,
    onAnswered: (inputResponses: string | undefined) => void,
  ) {
    this.#requests = requests;
    this.#client = client;
    this.#deps = deps;
    this.#onAnswered = onAnswered;
  }

  start(): void {
    const { stream, session } = this.#client;
    this.#timer = setInterval(() => stream.keepAlive(), KEEP_ALIVE).unref();
    for (const request of this.#requests) {
      const onAnswer = (body: Buffer): void => void this.#take(request, body);
      const { id, forget } = this.#deps.sessions.questions.ask(session, onAnswer);
      this.#forget.push(forget);
      stream.send(Buffer.from(messageOf(request.method, request.params, id)));
    }
  }

  /** Nobody waits for the answers any more. */
  close(): void {
    this.#isOver = true;
    clearInterval(this.#timer);
    for (const forget of this.#forget) forget();
  }

  async #take({ key, method }: InputRequest, body: Buffer): Promise<void> {
    const hasRoom = body.length <= MAX_ANSWER && this.#client.call.keepOfBody(body.length);
    const message = hasRoom ? await readMessage(body, FROM_CLIENT) : undefined;
    if (this.#isOver) return;
    const result = message?.object.member('result')?.raw(message.bytes);
    // A client that fails to ask its person has not been given anything.
    const answer = result ?? (method === 'elicitation/create' ? '{"action":"cancel"}' : undefined);
    if (answer === undefined) {
      this.#finish(undefined);
      return;
    }
    this.#answers.set(key, answer);
    if (this.#answers.size < this.#requests.length) return;
    const members = [...this.#answers].map(([name, raw]) => `${JSON.stringify(name)}:${raw}`);
    this.#finish(`{${members.join(',')}}`);
  }

  #finish(inputResponses: string | undefined): void {
    this.close();
    this.#onAnswered(inputResponses);
  }
}
