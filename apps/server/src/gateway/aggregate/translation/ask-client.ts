import { messageOf } from '../../../mcp/server/reply.ts';
import { readMessage } from '../../../mcp/translation/message-reader.ts';
import { FROM_CLIENT } from '../../../mcp/translation/shapes.ts';
import { MAX_ANSWER } from '../../../sessions/questions.ts';
import type { AggregateSession, GatewaySessions } from '../../../sessions/sessions.ts';
import type { ClientCall } from '../client-call.ts';
import { type InputRequest, notAnswered } from './asked-input.ts';
import type { ClientStream } from './client-stream.ts';

/** Where the questions of a call go, and the answers come from. */
export interface AskedClient {
  readonly call: ClientCall;
  readonly session: AggregateSession;
  readonly stream: ClientStream;
}

/**
 * Asks a legacy client on its open call, and waits until it has answered everything.
 *
 * @param end rejects once nobody waits for the answers any more
 * @returns the answers by the upstream's names for its questions, as raw JSON
 * @throws CallEnd if the client refuses to answer one
 */
export async function askClient(
  requests: readonly InputRequest[],
  client: AskedClient,
  questions: Pick<GatewaySessions['questions'], 'ask'>,
  end: Promise<never>,
): Promise<string> {
  const forgets: (() => void)[] = [];
  const ask = async (request: InputRequest): Promise<string> => {
    const body = await new Promise<Buffer>((resolve) => {
      const { id, forget } = questions.ask(client.session, resolve);
      forgets.push(forget);
      client.stream.send(Buffer.from(messageOf(request.method, request.params, id)));
    });
    return `${JSON.stringify(request.key)}:${await resultIn(body, request, client)}`;
  };
  try {
    const members = await Promise.race([Promise.all(requests.map(ask)), end]);
    return `{${members.join(',')}}`;
  } finally {
    for (const forget of forgets) forget();
  }
}

async function resultIn(
  body: Buffer,
  { method }: InputRequest,
  { call }: AskedClient,
): Promise<string> {
  const hasRoom = body.length <= MAX_ANSWER && call.keepOfBody(body.length);
  const message = hasRoom ? await readMessage(body, FROM_CLIENT) : undefined;
  const result = message?.object.member('result')?.raw(message.bytes);
  if (result !== undefined) return result;
  // A client that fails to ask its person has not been given anything.
  if (method === 'elicitation/create') return '{"action":"cancel"}';
  throw notAnswered();
}
