import type { Era } from '../../../../src/mcp/era.ts';
import { initializeBody, modernRequest } from '../../connect-fixture.ts';

export interface RawClientOptions {
  readonly url: string;
  readonly token: string;
  readonly era: Era;
  readonly capabilities?: object;
}

/** A client that keeps messages as texts. It answers what a server asks, always with the same. */
export interface RawClient {
  /**
   * What came for one request, the answer last.
   *
   * @param params an object, or raw JSON
   * @param paramHeaders of a modern client, which repeat arguments
   */
  ask(method: string, params?: object | string, paramHeaders?: Fields): Promise<string[]>;
  /** The answer alone. */
  answerTo(method: string, params?: object | string, paramHeaders?: Fields): Promise<string>;
  close(): Promise<void>;
}

/** What a person, a model and a file system say in every test. */
const ANSWERS: Readonly<Record<string, object>> = {
  'elicitation/create': { action: 'accept', content: { name: 'Ada', ok: true, context: 'x' } },
  'sampling/createMessage': {
    ...{ model: 'm', role: 'assistant', stopReason: 'endTurn' },
    content: { type: 'text', text: 'Paris' },
  },
  'roots/list': { roots: [{ uri: 'file:///a', name: 'A' }] },
};

const ID = 5;

/** Of one call that asks again and again. */
const MAX_MESSAGES = 10;

type Fields = Readonly<Record<string, unknown>>;

interface Asking {
  readonly resultType?: string;
  readonly inputRequests?: Readonly<Record<string, { readonly method: string }>>;
  readonly requestState?: string;
}

/** Initializes if the era needs it, and listens to the stream of its session. */
export async function openRawClient(options: RawClientOptions): Promise<RawClient> {
  const { url, token, era, capabilities = {} } = options;
  const leaving = new AbortController();
  let session: Record<string, string> = {};
  const send = (method: 'POST' | 'GET' | 'DELETE', headers: object, body?: string) =>
    fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...session,
        ...headers,
      },
      signal: leaving.signal,
      ...(body === undefined ? {} : { body }),
    });

  const answerServer = async (text: string): Promise<boolean> => {
    const { id, method } = JSON.parse(text);
    if (id === undefined || method === undefined) return false;
    const result = ANSWERS[method] ?? {};
    await send('POST', {}, JSON.stringify({ jsonrpc: '2.0', id, result }));
    return true;
  };

  const listen = async (): Promise<void> => {
    const { body, ok } = await send('GET', {});
    if (!ok || body === null) return;
    for await (const { data } of eventsOf(body)) await answerServer(data);
  };

  const askFor = async (headers: object, body: string): Promise<string[]> => {
    const came: string[] = [];
    let response = await send('POST', headers, body);
    for (;;) {
      if (response.headers.get('content-type') === 'application/json') {
        return [...came, await response.text()];
      }
      let lastEventId = '';
      for await (const { data, id } of eventsOf(response.body ?? new ReadableStream())) {
        if (id !== '') lastEventId = id;
        if (data === '' || (await answerServer(data))) continue;
        came.push(data);
        if (JSON.parse(data).id === ID) return came;
      }
      if (lastEventId === '') throw new Error(`The stream ended without an answer: ${came}`);
      response = await send('GET', { 'last-event-id': lastEventId });
    }
  };

  if (era === 'legacy') {
    const body = JSON.stringify(initializeBody('2025-11-25', capabilities));
    const { headers } = await send('POST', {}, body);
    const id = headers.get('mcp-session-id') ?? '';
    session = { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' };
    await send('POST', {}, '{"jsonrpc":"2.0","method":"notifications/initialized"}');
    listen().catch(() => {});
  }

  const askModern = async (
    method: string,
    params: string,
    paramHeaders: Fields,
  ): Promise<string[]> => {
    const came: string[] = [];
    for (let given = params; ; ) {
      const { headers, body } = modernBody(method, given, capabilities);
      came.push(...(await askFor({ ...headers, ...paramHeaders }, body)));
      const inputs = inputsFor(JSON.parse(came.at(-1) ?? '').result);
      if (inputs === undefined || came.length > MAX_MESSAGES) return came;
      given = JSON.stringify({ ...JSON.parse(params), ...inputs });
    }
  };
  const ask: RawClient['ask'] = (method, params = {}, paramHeaders = {}) => {
    const raw = typeof params === 'string' ? params : JSON.stringify(params);
    if (era === 'modern') return askModern(method, raw, paramHeaders);
    return askFor({}, `{"jsonrpc":"2.0","id":${ID},"method":"${method}","params":${raw}}`);
  };
  return {
    ask,
    answerTo: async (...request) => (await ask(...request)).at(-1) ?? '',
    async close() {
      if (era === 'legacy') await send('DELETE', {});
      leaving.abort();
    },
  };
}

/** Raw JSON with what a modern request has besides, and the headers of it. */
function modernBody(method: string, params: string, capabilities: object) {
  const { _meta, ...given } = JSON.parse(params);
  const { headers, body } = modernRequest(method, given, capabilities);
  const { _meta: own } = (body as { params: { _meta: object } }).params;
  const meta = `"_meta":${JSON.stringify({ ..._meta, ...own })}`;
  const members = params.replace(/,?"_meta":\{[^{}]*\}/, '').slice(1, -1);
  const all = members === '' ? meta : `${members},${meta}`;
  return { headers, body: `{"jsonrpc":"2.0","id":${ID},"method":"${method}","params":{${all}}}` };
}

/** What is sent once more with the answers; undefined where nothing is asked. */
function inputsFor(result: Asking | undefined): object | undefined {
  if (result?.resultType !== 'input_required') return undefined;
  const { inputRequests = {}, requestState } = result;
  const inputResponses = Object.fromEntries(
    Object.entries(inputRequests).map(([key, { method }]) => [key, ANSWERS[method] ?? {}]),
  );
  return { inputResponses, ...(requestState !== undefined && { requestState }) };
}

interface Event {
  readonly data: string;
  readonly id: string;
}

/** The events of a stream; a comment has neither data nor an id. */
async function* eventsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Event> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) yield { data: fieldOf(event, 'data'), id: fieldOf(event, 'id') };
  }
}

function fieldOf(event: string, name: string): string {
  const lines = event.split(/\r?\n/).filter((line) => line.startsWith(`${name}:`));
  return lines.map((line) => line.slice(name.length + 1).replace(/^ /, '')).join('\n');
}
