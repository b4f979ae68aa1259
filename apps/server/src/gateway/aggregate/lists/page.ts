import type { ListedEntry, SplicedList } from '../../../mcp/aggregate/splice-list.ts';
import type { ListKey } from '../../../mcp/methods.ts';
import type { AggregateAttachment } from '../applications.ts';
import type { Access } from './access.ts';

/** How an integration's entries came into a list. */
export type ListState = 'ok' | 'partial' | 'stale' | 'late' | 'failed' | 'connect' | 'refused';

/** What an integration gives to a list. */
export interface ListPart {
  readonly attachment: AggregateAttachment;
  readonly access: Access;
  readonly state: ListState;
  /** Undefined where nothing is listed. */
  readonly list: SplicedList | undefined;
  /** Milliseconds until it is read again. */
  readonly ttlMs: number;
}

/** Where a page goes on: an attachment, and how many of its entries come before. */
export interface ListPosition {
  readonly attachmentId: string;
  readonly index: number;
}

/** Bytes of the entries of one page. */
const MAX_PAGE = 2 * 1024 * 1024;

/** A list of all integrations: the entries of one page, and where the next one begins. */
export interface Page {
  readonly entries: readonly Buffer[];
  readonly next: ListPosition | undefined;
}

/**
 * The entries of one page. A resource that two integrations offer belongs to the older attachment.
 *
 * @param from undefined for the first page. If its attachment is gone, the list goes on behind those that were older.
 */
export function pageOf(
  parts: readonly ListPart[],
  list: ListKey,
  from: ListPosition | undefined,
): Page {
  const entries: Buffer[] = [];
  let bytes = 0;
  let isBefore = from !== undefined;
  for (const { attachmentId, listed } of withoutRepeated(parts, list)) {
    if (isBefore && attachmentId !== from?.attachmentId) continue;
    const start = isBefore ? (from?.index ?? 0) : 0;
    isBefore = false;
    for (let index = start; index < listed.length; index += 1) {
      const { bytes: entry } = listed[index] as ListedEntry;
      bytes += entry.length + 1;
      if (bytes > MAX_PAGE && entries.length > 0) return { entries, next: { attachmentId, index } };
      entries.push(entry);
    }
  }
  return { entries, next: undefined };
}

interface Listed {
  readonly attachmentId: string;
  readonly listed: readonly ListedEntry[];
  /** URIs that an older attachment has. */
  readonly repeated: readonly string[];
}

/** Exposed names of tools and prompts never meet; URIs can. */
export function withoutRepeated(parts: readonly ListPart[], list: ListKey): readonly Listed[] {
  const isShared = list === 'resources' || list === 'resourceTemplates';
  const seen = new Set<string>();
  return parts.map(({ attachment: { attachmentId }, list: spliced }) => {
    const all = spliced?.entries ?? [];
    if (!isShared) return { attachmentId, listed: all, repeated: [] };
    const listed = all.filter(({ identifier }) => !seen.has(identifier));
    const repeated = all.flatMap(({ identifier }) => (seen.has(identifier) ? [identifier] : []));
    for (const { identifier } of listed) seen.add(identifier);
    return { attachmentId, listed, repeated };
  });
}
