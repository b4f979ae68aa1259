import type { Names } from '../../platform/events/read-names.ts';
import { deflateBody } from '../body.ts';
import { type CallInput, type EncodedCalls, encodeCalls } from '../encode-calls.ts';
import { hashOfText } from '../hash.ts';

/** Call events in one block, at most: their encoding holds the process for 3 ms. */
export const CALLS_IN_BLOCK = 500;

/** The call events of one block, as it stores them. */
export interface CallsOfBlock extends Omit<EncodedCalls, 'body'> {
  readonly count: number;
  /** Of the body before it is deflated. */
  readonly hash: string;
  readonly deflated: string;
}

/** @param events their names are filled in from `names` */
export async function prepareCalls(
  events: readonly CallInput[],
  names: Names,
): Promise<CallsOfBlock> {
  const { body, ...sets } = encodeCalls(events.map((event) => named(event, names)));
  const deflated = await deflateBody(body);
  return { ...sets, count: events.length, hash: hashOfText(body), deflated };
}

function named(event: CallInput, names: Names): CallInput {
  const { actor, target } = event;
  return {
    ...event,
    actor: { ...actor, name: names.get(actor.id ?? '') ?? null },
    target: { ...target, name: names.get(target.id ?? '') ?? null },
  };
}
