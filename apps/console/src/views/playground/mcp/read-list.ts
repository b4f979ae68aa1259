import type { JsonObject } from '@gatehouse/contract';
import { CallRefused, type Exchange } from './exchange.ts';
import { type StatesById, statesIn } from './integration-states.ts';
import { type Kind, type List, type Listed, listedIn } from './listed.ts';

/** What was read of one list. */
export interface ReadList {
  readonly entries: readonly Listed[];
  /** Whether the server has more. */
  readonly isPartial: boolean;
  /** Of the integrations behind the one URL of an application. */
  readonly states: StatesById;
}

const MOST_PAGES = 20;
const MOST_ENTRIES = 1_000;
const METHOD_NOT_FOUND = -32601;

/** @throws CallRefused where there is no list in an answer */
export async function readList(
  kind: Kind,
  list: List,
  ask: (params: JsonObject) => Promise<Exchange>,
): Promise<ReadList> {
  const entries: Listed[] = [];
  let states: StatesById = new Map();
  let params: JsonObject = {};
  for (let page = 0; page < MOST_PAGES && entries.length < MOST_ENTRIES; page += 1) {
    const listed = await ask(params);
    const { answer } = listed;
    const isMissing = answer.kind === 'error' && answer.code === METHOD_NOT_FOUND;
    if (isMissing && list.isOptional) return { entries, isPartial: false, states };
    if (answer.kind !== 'result') throw new CallRefused(listed);
    entries.push(...listedIn(kind, list, answer.result));
    states = statesIn(answer.result);
    const { nextCursor: cursor } = answer.result;
    if (typeof cursor !== 'string') return { ...atMost(entries), states };
    params = { cursor };
  }
  return { ...atMost(entries), isPartial: true, states };
}

function atMost(entries: readonly Listed[]): Omit<ReadList, 'states'> {
  return { entries: entries.slice(0, MOST_ENTRIES), isPartial: entries.length > MOST_ENTRIES };
}
