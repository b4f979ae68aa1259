import { type LeftOutReason, limits } from '@gatehouse/contract';
import { LRUCache } from 'lru-cache';
import { type ListKey, listKeys } from '../../../mcp/methods.ts';
import { type ListPart, type ListState, withoutRepeated } from './page.ts';

/** How one list of an integration was when it was listed last for a person. */
export interface LastList {
  readonly state: ListState;
  /** How many of its entries were listed. */
  readonly count: number;
  readonly leftOut: readonly LeftOutName[];
}

export interface LeftOutName {
  readonly name: string | null;
  readonly reason: LeftOutReason;
}

export type LastListsOf = Readonly<Partial<Record<ListKey, LastList>>>;

const MAX_BYTES = 8 * 1024 * 1024;

/** Bytes that a list, and an entry that is left out, take besides its name. */
const OVERHEAD = 200;

/** How the lists of integrations were when this node listed them last, for each person. */
export class LastLists {
  readonly #lists = new LRUCache<string, LastList>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ leftOut }) =>
      leftOut.reduce((sum, { name }) => sum + 2 * (name?.length ?? 0) + OVERHEAD, OVERHEAD),
  });

  /** @param parts of all integrations of the application that the person may use, the oldest attachment first */
  note(subjectId: string, list: ListKey, parts: readonly ListPart[]): void {
    const shown = withoutRepeated(parts, list);
    for (const [index, { attachment, access, state, list: spliced }] of parts.entries()) {
      // Its list has not been read: what is known of it stays.
      if (access.kind !== 'ready' && state !== 'late') continue;
      const { listed = [], repeated = [] } = shown[index] ?? {};
      const offered = repeated.map((name) => ({ name, reason: 'offered_by_another' }) as const);
      const leftOut = [...(spliced?.leftOut ?? []), ...offered].slice(0, limits.leftOut).map(cut);
      const last = { state, count: listed.length, leftOut };
      this.#lists.set(keyOf(attachment.attachmentId, subjectId, list), last);
    }
  }

  of(attachmentId: string, subjectId: string): LastListsOf {
    const found: Partial<Record<ListKey, LastList>> = {};
    for (const list of listKeys) {
      const last = this.#lists.get(keyOf(attachmentId, subjectId, list));
      if (last !== undefined) found[list] = last;
    }
    return found;
  }
}

function keyOf(attachmentId: string, subjectId: string, list: ListKey): string {
  return `${attachmentId} ${subjectId} ${list}`;
}

function cut({
  name,
  reason,
}: {
  readonly name: string | undefined;
  readonly reason: LeftOutReason;
}): LeftOutName {
  return { name: name === undefined ? null : cutText(name), reason };
}

/** Whole characters: half of one is no text. */
function cutText(name: string): string {
  if (name.length <= limits.leftOutName) return name;
  return [...name.slice(0, 2 * limits.leftOutName)].slice(0, limits.leftOutName).join('');
}
