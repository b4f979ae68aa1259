import { createEventReader } from './events.ts';
import { type Answer, type Headers, type Message, refusalIn, responseIn } from './messages.ts';

/** A request as it was sent. Its headers do not hold the access token. */
export interface SentRequest {
  readonly method: 'POST';
  readonly headers: Headers;
  readonly body: string;
}

/** One request to the gateway, and what came back. */
export interface Exchange {
  readonly request: SentRequest;
  readonly status: number;
  readonly headers: Headers;
  /** As far as it was read. */
  readonly body: string;
  /** Whether there was more than is read. */
  readonly isCut: boolean;
  readonly milliseconds: number;
  readonly answer: Answer;
}

/** An answer without what was asked for. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused';
  readonly exchange: Exchange;
  constructor(refused: Exchange) {
    super('The answer is a refusal.');
    this.exchange = refused;
  }
}

export interface ExchangeDeps {
  /** The path of the gateway URL, on this origin: a local service has several names, and the policy allows this one. */
  readonly path: string;
  readonly fetch: (path: string, init: RequestInit) => Promise<Response>;
  /** For the gateway URL. */
  readonly tokens: {
    current(): Promise<string>;
    drop(token: string): void;
  };
  readonly now: () => number;
}

/** Characters of a body that are read. An event stream may go on for ever. */
const MOST = 4 * 1024 * 1024;

const COMMON: Headers = [
  ['content-type', 'application/json'],
  ['accept', 'application/json, text/event-stream'],
];

/** @throws whatever `tokens` and `fetch` throw */
export async function exchange(
  deps: ExchangeDeps,
  message: Message,
  id: number,
  signal: AbortSignal,
): Promise<Exchange> {
  const request = requestOf(message, id);
  const { response, sentAt } = await post(deps, request, signal);
  const read = await readBody(response, id);
  return {
    request,
    status: response.status,
    headers: [...response.headers],
    ...read,
    milliseconds: deps.now() - sentAt,
  };
}

/** A message as an HTTP request. */
export function requestOf(message: Message, id: number): SentRequest {
  const { method, params, isNotification = false, headers = [] } = message;
  const body = JSON.stringify({
    jsonrpc: '2.0',
    ...(!isNotification && { id }),
    method,
    ...(params !== undefined && { params }),
  });
  return { method: 'POST', headers: [...COMMON, ...headers], body };
}

/** A token that has ended since it was issued is replaced once. */
async function post(deps: ExchangeDeps, request: SentRequest, signal: AbortSignal) {
  const { tokens, now } = deps;
  const token = await tokens.current();
  const sentAt = now();
  const response = await postWith(deps, request, token, signal);
  if (response.status !== 401) return { response, sentAt };
  tokens.drop(token);
  const another = await tokens.current();
  const sentAgainAt = now();
  return { response: await postWith(deps, request, another, signal), sentAt: sentAgainAt };
}

function postWith(
  deps: ExchangeDeps,
  { method, headers, body }: SentRequest,
  token: string,
  signal: AbortSignal,
): Promise<Response> {
  return deps.fetch(deps.path, {
    method,
    headers: withToken(headers, token),
    body,
    signal,
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
  });
}

export function withToken(headers: Headers, token: string): [string, string][] {
  return [
    ...headers.map(([name, value]): [string, string] => [name, value]),
    ['authorization', `Bearer ${token}`],
  ];
}

type Read = Pick<Exchange, 'body' | 'isCut' | 'answer'>;

async function readBody(response: Response, id: number): Promise<Read> {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream')) return readEvents(response, id);
  const { text, isCut } = await readText(response, () => false);
  const answer = type.startsWith('application/problem+json')
    ? refusalIn(text)
    : responseIn(text, id);
  return { body: text, isCut, answer: answer ?? { kind: 'unreadable' } };
}

/** Ends with the response: what a server sends after it belongs to nothing that was asked. */
async function readEvents(response: Response, id: number): Promise<Read> {
  const read = createEventReader();
  let answer: Answer | undefined;
  const { text, isCut } = await readText(response, (piece) => {
    for (const data of read(piece)) answer ??= responseIn(data, id);
    return answer !== undefined;
  });
  return { body: text, isCut, answer: answer ?? { kind: 'unreadable' } };
}

/** @param isDone whether nothing more is needed after a piece */
async function readText(
  { body }: Response,
  isDone: (piece: string) => boolean,
): Promise<{ readonly text: string; readonly isCut: boolean }> {
  if (body === null) return { text: '', isCut: false };
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value = '' } = await reader.read();
    if (done) return { text, isCut: false };
    text += value;
    const isEnough = isDone(value);
    if (!isEnough && text.length < MOST) continue;
    await reader.cancel();
    return { text, isCut: !isEnough };
  }
}
