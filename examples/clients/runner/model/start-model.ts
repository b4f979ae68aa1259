import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { ToolCall } from '../clients.ts';
import { anthropic } from './anthropic.ts';
import type { Answer, Asked } from './dialect.ts';
import { gemini } from './gemini.ts';
import { openai } from './openai.ts';

/** A running model. */
export interface Model {
  readonly origin: string;
  /** What it calls. */
  wanted: ToolCall | undefined;
  /** Called with what the tool has returned before, if anything; the tool is called when it resolves. */
  beforeCall: (result: string | undefined) => Promise<void>;
  close(): void;
}

const DIALECTS = [anthropic, openai, gemini];

/** How the gateway ends what it says of a limit. */
const TRY_AGAIN = /Try again in \d+ second/;

/**
 * Starts a model for the programs that need one. It calls the tool that is wanted, again if the answer says so, and then
 * says what the tool has returned.
 */
export async function startModel(): Promise<Model> {
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://model');
    const dialect = DIALECTS.find(({ path }) => path.test(pathname));
    if (dialect === undefined || request.method !== 'POST') {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    const body = await bodyOf(request);
    const events = dialect.write(await answerTo(dialect.read(body), model));
    if (body.stream === true || searchParams.get('alt') === 'sse') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(events.map(eventOf).join(''));
    } else {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(events.at(-1)));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const model: Model = {
    origin: `http://127.0.0.1:${port}`,
    wanted: undefined,
    beforeCall: async () => undefined,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return model;
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of others, of which a few fields are read
const bodyOf = (request: IncomingMessage): Promise<any> => json(request);

async function answerTo({ tools, result }: Asked, model: Model): Promise<Answer> {
  const { part = '', args = {} } = model.wanted ?? {};
  const found = tools.find(({ tool }) => tool.includes(part));
  if (result !== undefined && !TRY_AGAIN.test(result)) {
    return { text: `${found?.tool} says: ${result}` };
  }
  if (found === undefined) return { text: 'I have no tool for that.' };
  await model.beforeCall(result);
  return { ...found, args };
}

function eventOf(event: object): string {
  const name = 'type' in event ? `event: ${event.type}\n` : '';
  return `${name}data: ${JSON.stringify(event)}\n\n`;
}
