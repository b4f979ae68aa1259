import { setImmediate } from 'node:timers/promises';
import type { Envelope } from '../../../mcp/envelope/message.ts';
import { readBatch } from '../../../mcp/envelope/read-batch.ts';
import { envelopeOf } from '../../../mcp/envelope/read-envelope.ts';
import type { JudgedHeaders } from '../../policy/judged-headers.ts';
import { answerMessage, refuseInvalid } from '../answer-message.ts';
import type { AnswerRequestDeps } from '../answer-request.ts';
import type { Admitted } from '../client-call.ts';
import { sessionOf } from '../session-of.ts';
import { BatchStream } from './batch-stream.ts';

/** The only version that has batches. */
const BATCHING = '2025-03-26';

const MAX_MESSAGES = 50;

/** Milliseconds after which other calls go on. */
const TURN = 5;

interface Item {
  readonly envelope: Envelope;
  readonly body: Buffer;
}

/**
 * Answers a batch (2025-03-26 transports, "Sending Messages to the Server"): each message goes its own way, as if it had
 * come alone, and all answers come in one event stream. Only a fault of the batch itself refuses all of it.
 */
export async function answerBatch(
  admitted: Admitted,
  body: Buffer,
  headers: JudgedHeaders,
  deps: AnswerRequestDeps,
): Promise<void> {
  const { call } = admitted;
  const fault = (await isOfVersion(admitted, deps)) ? undefined : 'Batches are not supported.';
  const bodies = fault ?? (await readBatch(body, MAX_MESSAGES));
  if (typeof bodies === 'string') {
    refuseInvalid(call, bodies);
    return;
  }
  const items: Item[] = [];
  const pause = pausing();
  for (const one of bodies) {
    await pause();
    items.push({ envelope: await envelopeOf(one), body: one });
  }
  const refusal = faultOf(items);
  if (refusal !== undefined) refuseInvalid(call, refusal);
  else await answerEach(admitted, items, headers, deps);
}

/** Whether the session of the client has such a version. @throws ProblemError `session_not_found` */
async function isOfVersion(admitted: Admitted, deps: AnswerRequestDeps): Promise<boolean> {
  const { era, inbound } = admitted.call;
  if (era === 'modern' || inbound.sessionId === undefined) return false;
  const session = await sessionOf(admitted, {}, deps);
  return session?.hello.protocolVersion === BATCHING;
}

/** 2025-03-26 lifecycle: `initialize` is in no batch. Of two requests with one id, nobody could tell the answers apart. */
function faultOf(items: readonly Item[]): string | undefined {
  const ids = new Set<string>();
  for (const { envelope } of items) {
    if (envelope.kind !== 'message') continue;
    const { id, method } = envelope.message;
    if (method === 'initialize') return 'An initialize is not part of a batch.';
    if (id === undefined || method === undefined) continue;
    if (ids.has(id)) return 'Two requests of the batch have the same id.';
    ids.add(id);
  }
  return undefined;
}

async function answerEach(
  admitted: Admitted,
  items: readonly Item[],
  headers: JudgedHeaders,
  deps: AnswerRequestDeps,
): Promise<void> {
  const { call } = admitted;
  const stream = new BatchStream(call);
  const pause = pausing();
  for (const { envelope, body } of items) {
    await pause();
    if (call.res.destroyed) return;
    const part = stream.partFor(idOf(envelope));
    const message = { ...admitted, call: call.messageOf(part) };
    answerMessage(message, { envelope, body, headers }, deps);
  }
  stream.close();
}

/** Undefined where no answer is awaited, or where it cannot be said which one. */
function idOf(envelope: Envelope): string | undefined {
  if (envelope.kind !== 'message' || envelope.message.method === undefined) return undefined;
  return envelope.message.id;
}

/** @returns lets other calls go on once it has been a while */
function pausing(): () => Promise<void> {
  let until = performance.now() + TURN;
  return async () => {
    if (performance.now() <= until) return;
    await setImmediate();
    until = performance.now() + TURN;
  };
}
