import type { Exchange } from '@gatehouse/testing';
import type { ScriptedServer } from './scripted-server.ts';

const FORM = { message: 'Name?', requestedSchema: { type: 'object', properties: {} } };

/** What a modern server answers that asks. */
export const ASKING = {
  resultType: 'input_required',
  inputRequests: { key: { method: 'elicitation/create', params: FORM } },
  requestState: 'state',
};

/** What it answers in the end: the client's answer. */
const said = (told: unknown) => ({
  resultType: 'complete',
  content: [{ type: 'text', text: `told ${JSON.stringify(told)}` }],
});

/** Each tool of a modern server asks once. */
export function askInResult(server: ScriptedServer): void {
  server.on('tools/call', ({ request, respondResult }) => {
    const { inputResponses } = JSON.parse(request.body.toString()).params;
    respondResult(inputResponses === undefined ? ASKING : said(inputResponses.key));
  });
}

/** Each tool of a legacy server asks on its stream. */
export function askOnStream(server: ScriptedServer): void {
  let call: Exchange | undefined;
  server.on('tools/call', async (exchange) => {
    call = exchange;
    exchange.startSse();
    const question = { jsonrpc: '2.0', id: 1, method: 'elicitation/create', params: FORM };
    await exchange.sendEvent({ data: JSON.stringify(question) });
  });
  server.on('POST', async (exchange) => {
    exchange.respond({ status: 202 });
    const { result } = JSON.parse(exchange.request.body.toString());
    const answer = { jsonrpc: '2.0', id: call?.message?.id, result: said(result) };
    await call?.sendEvent({ data: JSON.stringify(answer) });
    call?.end();
  });
}

/** The raw ids of the questions in what a client has received. */
export function questionsIn(received: string): string[] {
  const questions = received.matchAll(/"id":("gatehouse[^"]+"),"method":"elicitation\/create"/g);
  return [...questions].map(([, id = '']) => id);
}

/** A legacy client answers. @param id raw JSON */
export const answerTo = (id = '', name = 'me') =>
  `{"jsonrpc":"2.0","id":${id},"result":{"action":"accept","content":{"name":"${name}"}}}`;
