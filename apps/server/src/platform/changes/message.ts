import type { Change, ChangeKind } from './changes.ts';

/** The NOTIFY channel of all nodes on one database. */
export const CHANNEL = 'gatehouse_changes';

/** PostgreSQL refuses a payload of 8,000 bytes or more; a change takes at most some 100. */
export const CHANGES_PER_MESSAGE = 64;

/** Changes of one transaction, as one notification carries them. */
export interface Message {
  /** The node that wrote. */
  readonly origin: string;
  /** Tells the messages of one node apart. */
  readonly sequence: number;
  readonly changes: readonly Change[];
}

/** The notification's payload. */
export function encodeMessage({ origin, sequence, changes }: Message): string {
  return JSON.stringify([origin, sequence, changes.map(({ kind, id }) => [kind, id])]);
}

/** `undefined` when the payload is not one of ours; kinds of a newer version pass through. */
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
