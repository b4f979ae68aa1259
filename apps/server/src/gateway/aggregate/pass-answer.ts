import type { EventChanges } from '../../mcp/aggregate/event-rewriter.ts';
import { ResponseMatcher } from '../../mcp/client/response-reader.ts';
import { MAX_AT_ONCE } from '../../mcp/json/parse.ts';
import { responseTo } from '../../mcp/server/reply.ts';
import { brokenOff } from '../problems.ts';
import type { ClientCall } from './client-call.ts';
import { failureError } from './failure-reply.ts';
import { PassedEvents } from './passed-events.ts';
import {
  discard,
  formatOf,
  noAnswerOf,
  type Unanswered,
  type UpstreamAnswer,
  type UpstreamBody,
  type UpstreamFailure,
  withoutLength,
} from './upstream-answer.ts';
import type { UpstreamCall } from './upstream-calls.ts';

export interface PassOptions {
  /** The id of the request, as raw JSON. */
  readonly id: string;
  readonly integrationId: string;
  /** Changes of ids in event streams; undefined where ids stay. */
  readonly changes: EventChanges | undefined;
  /** Whether the client has cancelled the request: then it waits for no answer (2025-11-25 cancellation). */
  readonly isCancelled: () => boolean;
}

/** Bytes that are kept without being counted: most answers come in one piece. */
const UNCOUNTED = 64 * 1024;

/**
 * Passes an integration's answer on to the client.
 *
 * @returns undefined once the client has it. An error in JSON-RPC, and a response that is no answer, that is not whole or
 *   that would tell the client about its session with us, is returned before anything is sent.
 */
export async function passAnswer(
  call: ClientCall,
  sent: Pick<UpstreamCall, 'responseKind'>,
  answer: UpstreamAnswer,
  options: PassOptions,
): Promise<Unanswered | undefined> {
  const format = formatOf(answer, call.era);
  if (format === 'json') return passJson(call, sent, answer, options.id);
  if (format === 'events') {
    await passEvents(call, sent, answer, options);
    return undefined;
  }
  await discard(answer.body);
  return failureOf(answer);
}

/** Passes an answer in JSON. */
async function passJson(
  call: ClientCall,
  sent: Pick<UpstreamCall, 'responseKind'>,
  answer: UpstreamAnswer,
  id: string,
): Promise<Unanswered | undefined> {
  const { status, body } = answer;
  const whole = body.takeWhole() ?? (await readWhole(call, answer));
  if (whole === undefined) return undefined;
  const send = (): void => {
    writeHead(call, answer);
    call.response.end(whole);
  };
  if (body.failure === undefined && isResult(sent, whole)) {
    send();
    return undefined;
  }
  const response =
    body.failure === undefined
      ? new ResponseMatcher(id).match(whole.toString('latin1'))
      : undefined;
  if (response === undefined) return failureOf(answer);
  if ('errorCode' in response) {
    const pass = call.era === 'legacy' ? () => sendError(call, answer, whole, id) : send;
    return { kind: 'error', status, code: response.errorCode, pass };
  }
  send();
  return undefined;
}

/** A result was read on its way. Not every client reads one after a byte order mark. */
function isResult({ responseKind }: Pick<UpstreamCall, 'responseKind'>, whole: Buffer): boolean {
  return responseKind === 'result' && whole[0] !== 0xef;
}

/**
 * An answer is kept until it is whole, because until then an error can take its place. One that is longer than what is
 * parsed at once, or for which there is no room, goes to the client as it comes.
 *
 * @returns undefined for an answer that has gone to the client
 */
async function readWhole(call: ClientCall, answer: UpstreamAnswer): Promise<Buffer | undefined> {
  const { response } = call;
  const kept = new KeptAnswer(call);
  for await (const chunk of answer.body) {
    if (response.status === 0 && kept.add(chunk)) continue;
    const isFirst = response.status === 0;
    if (isFirst) writeHead(call, answer);
    if (!response.write(isFirst ? kept.take() : chunk)) await call.drained();
  }
  if (response.status === 0) return kept.take();
  if (answer.body.failure === undefined) response.end();
  else response.destroy();
  return undefined;
}

/** Sends an error to a client that finds it by its id, which a server that has not read the request leaves out. */
function sendError(call: ClientCall, answer: UpstreamAnswer, whole: Buffer, id: string): void {
  const { id: given = null, error } = JSON.parse(whole.toString());
  const json = given === null ? Buffer.from(responseTo(id, { error })) : whole;
  writeHead(call, answer, withoutLength(answer));
  call.response.end(json);
}

/** Passes an event stream. One that ends without the answer ends with an error. */
async function passEvents(
  call: ClientCall,
  sent: Pick<UpstreamCall, 'responseKind'>,
  answer: UpstreamAnswer,
  { id, integrationId, changes, isCancelled }: PassOptions,
): Promise<void> {
  const { response } = call;
  const { body } = answer;
  writeHead(call, answer, withoutLength(answer));
  const events = new PassedEvents(changes);
  const whole = body.takeWhole();
  if (whole === undefined) await passParts(call, body, events);
  else response.write(events.pass(whole));
  if (sent.responseKind !== undefined || isCancelled()) return response.end();
  const failure = { kind: 'problem', problem: body.failure ?? brokenOff() } as const;
  response.end(events.error(id, failureError(failure, integrationId)));
}

/** Passes events as they arrive. */
async function passParts(
  call: ClientCall,
  body: UpstreamBody,
  events: PassedEvents,
): Promise<void> {
  const { response } = call;
  // In one piece with what has arrived.
  process.nextTick(() => {
    if (!response.isOver) response.flush();
  });
  for await (const chunk of body) {
    if (!response.write(events.pass(chunk))) await call.drained();
  }
}

/** Legacy clients may take another status than 200 for the end of the session with all integrations. */
function writeHead(
  { response, era }: ClientCall,
  { status, headers: ofAnswer }: UpstreamAnswer,
  headers = ofAnswer,
): void {
  response.begin(era === 'legacy' ? 200 : status, headers);
}

/** The failure of a response that has been read: the status says more than that the rest has not come. */
function failureOf(answer: UpstreamAnswer): UpstreamFailure {
  const { failure } = answer.body;
  if (failure === undefined || answer.status >= 400) return noAnswerOf(answer);
  return { kind: 'problem', problem: failure };
}

/** The bytes of an answer until it is whole. */
class KeptAnswer {
  readonly #call: ClientCall;
  #chunks: Buffer[] = [];
  #size = 0;
  #counted = 0;

  constructor(call: ClientCall) {
    this.#call = call;
  }

  /** Returns false if no more is kept. */
  add(chunk: Buffer): boolean {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    return this.#size <= MAX_AT_ONCE && this.#hasRoom();
  }

  take(): Buffer {
    const [first = Buffer.alloc(0)] = this.#chunks;
    const whole = this.#chunks.length <= 1 ? first : Buffer.concat(this.#chunks);
    this.#chunks = [];
    return whole;
  }

  #hasRoom(): boolean {
    if (this.#size <= UNCOUNTED) return true;
    if (!this.#call.keepOfBody(this.#size - this.#counted)) return false;
    this.#counted = this.#size;
    return true;
  }
}
