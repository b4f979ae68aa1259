import { MAX_TEXT } from '../envelope/messages.ts';
import { type JsonNode, OBJECT } from '../json/node.ts';
import { objectOf, type Shape } from '../json/shape.ts';
import { MAX_ENTRY } from '../list-filter/options.ts';
import { type ListKey, mcpLists } from '../methods.ts';
import type { EntryReason } from './left-out.ts';

/** An entry of a list as an upstream sent it. */
export interface PageEntry {
  /** Its name; of a resource the URI, of a template the URI template. */
  readonly identifier: string | undefined;
  /** Why it cannot be listed. */
  readonly fault: EntryReason | undefined;
  readonly bytes: Buffer;
  /** Its positions are those in the page. */
  readonly node: JsonNode;
}

/** What keys of ours begin with, and no key of an upstream may. */
const PREFIX = 'gatehouse/';

/** Of an entry only the identifier and the keys of `_meta` are looked at. */
export function entryShapeOf(list: ListKey): Shape {
  return objectOf([mcpLists[list].identifier], { _meta: objectOf([], {}, PREFIX) });
}

/** @param page in which the entry was found, with the shape of its list */
export function pageEntryOf(page: Buffer, list: ListKey, node: JsonNode): PageEntry {
  const bytes = page.subarray(node.start, node.end);
  const [identifier] = node
    .membersWith((name) => name === mcpLists[list].identifier)
    .flatMap((member) => member.string(page, MAX_TEXT) ?? []);
  return { identifier, fault: faultOf(node, identifier), bytes, node };
}

function faultOf(node: JsonNode, identifier: string | undefined): EntryReason | undefined {
  if (node.kind === OBJECT && node.end - node.start > MAX_ENTRY) return 'entry_too_large';
  if (node.members.some((member) => node.member(member.name) !== member)) return 'ambiguous';
  return identifier === undefined ? 'unidentified' : undefined;
}
