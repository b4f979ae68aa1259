import type { Names } from '../../platform/events/write-events.ts';
import { callIdOf, createBlockId } from '../block.ts';
import { type CallInput, type EncodedCalls, encodeCalls } from '../encode-calls.ts';
import { hashOfText } from '../hash.ts';
import { deflateBody } from '../stored-block.ts';

/** Call events in one block, at most: their encoding holds the process for 3 ms. */
export const CALLS_IN_BLOCK = 500;

/** A call that has begun: the id of its event, from the moment that a block has it. */
export interface BegunCall {
  id: string | undefined;
}

/** Calls that are about to go upstream. */
export interface BegunCalls {
  readonly begun: readonly BegunCall[];
  readonly stored: Promise<void>;
}

/** A call event that waits for a block. */
export interface WaitingCall {
  readonly input: CallInput;
  /** The event says that this call has begun. */
  readonly begins?: BegunCall | undefined;
  /** The event says how this call, which had begun, has ended. */
  readonly ends?: BegunCall | undefined;
}

/** The call events of one block, as it stores them. */
export interface CallsOfBlock extends Omit<EncodedCalls, 'body'> {
  /** The id of the block. */
  readonly id: string;
  readonly count: number;
  /** The hash of the body before it is deflated. */
  readonly hash: string;
  readonly deflated: string;
}

/** @param events their names are filled in from `names` */
export function prepareCalls(events: readonly WaitingCall[], names: Names): CallsOfBlock {
  const id = createBlockId();
  const inputs = events.map(({ input, begins, ends }, index) => {
    if (begins !== undefined) begins.id = callIdOf(id, index);
    return ended(named(input, names), ends);
  });
  const { body, ...sets } = encodeCalls(inputs);
  const deflated = deflateBody(body);
  return { ...sets, id, count: events.length, hash: hashOfText(body), deflated };
}

function ended(event: CallInput, begun: BegunCall | undefined): CallInput {
  if (begun?.id === undefined) return event;
  return { ...event, details: { ...event.details, begun: begun.id } };
}

function named(event: CallInput, names: Names): CallInput {
  const { actor, target } = event;
  return {
    ...event,
    actor: { ...actor, name: names.get(actor.id ?? '') ?? null },
    target: { ...target, name: names.get(target.id ?? '') ?? null },
  };
}
