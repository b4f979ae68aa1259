import { LRUCache } from 'lru-cache';
import { pageKeyOf } from '../../../mcp/aggregate/named-pages.ts';
import type { ListPart } from './page.ts';

/**
 * The attachment with the tools that name a page. `unnamed`: no tool names it. `unclear`: tools of several integrations
 * name it, or those of an integration are not known.
 */
export type PageOwner = { readonly attachmentId: string } | 'unnamed' | 'unclear';

/** The owners of pages (`ui://`), which belong to the integration with the tool that names them. */
export interface Pages {
  /** @param uri of any scheme */
  ownerOf(uri: string): PageOwner;
}

const MAX_BYTES = 8 * 1024 * 1024;

/** Bytes that the pages of an integration take besides their URIs. */
const OVERHEAD = 200;

/** The pages that the tools of integrations name, as this node has read them last for each person. */
export class NamedPages {
  readonly #named = new LRUCache<string, ReadonlySet<string>>({
    maxSize: MAX_BYTES,
    sizeCalculation: (pages) =>
      [...pages].reduce((sum, page) => sum + 2 * page.length + OVERHEAD, OVERHEAD),
  });

  /** Keeps what a list of tools names. What is known of a list that cannot be read stays. */
  note(subjectId: string, { attachment, list }: ListPart): void {
    if (list !== undefined) this.#named.set(keyOf(attachment, subjectId), list.pages);
  }

  /** @param parts of the list of tools, of all integrations, also of those that the person may not use now */
  owners(subjectId: string, parts: readonly ListPart[]): Pages {
    const owners = new Map<string, PageOwner>();
    let isComplete = true;
    for (const part of parts) {
      const { attachmentId } = part.attachment;
      const named = part.list?.pages ?? this.#named.get(keyOf(part.attachment, subjectId));
      if (named === undefined && mayHaveListed(part)) isComplete = false;
      for (const page of named ?? []) {
        owners.set(page, owners.has(page) ? 'unclear' : { attachmentId });
      }
    }
    return {
      ownerOf(uri) {
        const page = pageKeyOf(uri);
        if (page === undefined) return 'unnamed';
        return isComplete ? (owners.get(page) ?? 'unnamed') : 'unclear';
      },
    };
  }
}

function keyOf({ attachmentId }: ListPart['attachment'], subjectId: string): string {
  return `${attachmentId} ${subjectId}`;
}

/** Tools of an integration that a person cannot use are listed on no node. */
function mayHaveListed({ access }: ListPart): boolean {
  return access.kind === 'ready' || access.kind === 'failed';
}

export function hasPages(parts: readonly ListPart[]): boolean {
  return parts.some(({ list }) =>
    list?.entries.some(({ identifier }) => pageKeyOf(identifier) !== undefined),
  );
}

/** The parts of a list of resources without the pages that belong to another integration. */
export function withoutPagesOfOthers(parts: readonly ListPart[], pages: Pages): ListPart[] {
  return parts.map((part) => {
    const { attachment, list } = part;
    if (list === undefined) return part;
    const isOwn = (uri: string): boolean => {
      const owner = pages.ownerOf(uri);
      if (typeof owner === 'object') return owner.attachmentId === attachment.attachmentId;
      return owner === 'unnamed';
    };
    const others = list.entries.filter(({ identifier }) => !isOwn(identifier));
    if (others.length === 0) return part;
    const entries = list.entries.filter((entry) => !others.includes(entry));
    const leftOut = others.map(
      ({ identifier }) => ({ name: identifier, reason: 'offered_by_another' }) as const,
    );
    return { ...part, list: { ...list, entries, leftOut: [...list.leftOut, ...leftOut] } };
  });
}
