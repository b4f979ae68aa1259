import type { Change, ChangeKind } from './changes.ts';

/** The NOTIFY channel of all nodes on one database. */
export const CHANNEL = 'gatehouse_changes';

/** PostgreSQL rejects a payload of 8,000 bytes or more; a change takes about 100 at most. */
export const CHANGES_PER_MESSAGE = 64;

/** The content of one notification: changes of one transaction. */
export interface Message {
  /** The node that wrote the changes. */
  readonly origin: string;
  /** Counts the messages of one node. */
  readonly sequence: number;
  readonly changes: readonly Change[];
}

/** The notification's payload. */
export function encodeMessage({ origin, sequence, changes }: Message): string {
  return JSON.stringify([origin, sequence, changes.map(({ kind, id }) => [kind, id])]);
}

/** `undefined` when the payload is not one of ours. Unknown kinds, from a newer version, pass through. */
export function decodeMessage(payload: string): Message | undefined {
  const parsed = parse(payload);
  if (!Array.isArray(parsed)) return undefined;
  const [origin, sequence, pairs]: unknown[] = parsed;
  if (typeof origin !== 'string' || typeof sequence !== 'number' || !Array.isArray(pairs)) {
    return undefined;
  }
  const changes: Change[] = [];
  for (const pair of pairs as unknown[]) {
    if (!Array.isArray(pair)) return undefined;
    const [kind, id]: unknown[] = pair;
    if (typeof kind !== 'string' || typeof id !== 'string') return undefined;
    changes.push({ kind: kind as ChangeKind, id });
  }
  return { origin, sequence, changes };
}

function parse(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}
