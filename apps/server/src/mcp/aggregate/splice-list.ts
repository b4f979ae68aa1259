import { setImmediate } from 'node:timers/promises';
import { addition, type Edit, edit, removal, replacement } from '../json/edit.ts';
import { type JsonNode, OBJECT } from '../json/node.ts';
import { type ListKey, mcpLists } from '../methods.ts';
import type { LeftOutReason } from './left-out.ts';
import { pagesNamedBy } from './named-pages.ts';
import {
  type AttachmentNames,
  type NamingAttachment,
  namesOfAttachment,
} from './names-of-attachment.ts';
import { needsTask } from './needs-task.ts';
import type { PageEntry } from './page-entry.ts';

/** Bytes that are written without a pause. */
const MAX_AT_ONCE = 1024 * 1024;

/** An attachment as its entries tell where they come from. */
export interface ListedAttachment extends NamingAttachment {
  readonly integrationName: string;
}

/** An entry as the aggregate lists it. */
export interface ListedEntry {
  /** The exposed name; of a resource the URI, of a template the URI template. */
  readonly identifier: string;
  readonly bytes: Buffer;
}

/** An entry that the aggregate does not list. */
export interface LeftOut {
  /** Undefined where the entry does not tell it. */
  readonly name: string | undefined;
  readonly reason: LeftOutReason | 'offered_by_another';
}

/** What an integration lists, as the aggregate lists it. */
export interface SplicedList {
  /** In the integration's order. */
  readonly entries: readonly ListedEntry[];
  readonly leftOut: readonly LeftOut[];
  /** Undefined for resources and templates, which keep their names. */
  readonly names: AttachmentNames | undefined;
  /** The pages that its tools name, by their keys. */
  readonly pages: ReadonlySet<string>;
}

/**
 * The entries of an integration's list, each byte for byte as it came but for the exposed name and one member of
 * `_meta`, which tells the integration.
 *
 * @param entries of all pages: two that have one name are left out
 */
export async function spliceList(
  list: ListKey,
  entries: readonly PageEntry[],
  attachment: ListedAttachment,
): Promise<SplicedList> {
  const names = mcpLists[list].identifier === 'name' ? namesIn(entries, attachment) : undefined;
  const member = memberFor(attachment);
  const spliced: ListedEntry[] = [];
  const leftOut: LeftOut[] = [];
  const pages = new Set<string>();
  let unpaused = 0;
  for (const entry of entries) {
    const name = entry.identifier ?? '';
    const reason = entry.fault ?? names?.leftOut.get(name) ?? taskFault(list, entry);
    if (reason !== undefined) {
      leftOut.push({ name: entry.identifier, reason });
      continue;
    }
    const identifier = names?.exposed.get(name) ?? name;
    spliced.push({ identifier, bytes: spliceEntry(list, entry, identifier, member) });
    if (list === 'tools' && entry.node.member('_meta') !== undefined)
      for (const page of pagesNamedBy(entry.bytes)) pages.add(page);
    unpaused += entry.bytes.length;
    if (unpaused < MAX_AT_ONCE) continue;
    await setImmediate();
    unpaused = 0;
  }
  return { entries: spliced, leftOut, names, pages };
}

function taskFault(list: ListKey, { bytes }: PageEntry): LeftOutReason | undefined {
  return list === 'tools' && needsTask(bytes) ? 'needs_task' : undefined;
}

/** Also entries with a fault have names, which others may meet. */
function namesIn(entries: readonly PageEntry[], attachment: NamingAttachment): AttachmentNames {
  const names = entries.flatMap(({ identifier }) => identifier ?? []);
  return namesOfAttachment(attachment, names);
}

/** The member of `_meta` that tells the integration; raw JSON. */
function memberFor({ integrationId, alias, integrationName }: ListedAttachment): string {
  const integration = { id: integrationId, alias, name: integrationName };
  return `"gatehouse/integration":${JSON.stringify(integration)}`;
}

/** @param exposed the identifier as the aggregate lists it */
function spliceEntry(list: ListKey, entry: PageEntry, exposed: string, member: string): Buffer {
  const { identifier, bytes, node } = entry;
  const named = node.member(mcpLists[list].identifier);
  // A name that stays may have escapes, which stay too.
  const names = named && exposed !== identifier ? [replacement(named, `"${exposed}"`)] : [];
  const meta = node.member('_meta');
  const metas = meta
    ? metaEdits(meta, member, bytes, node.start)
    : [addition(node.lastEnd, `,"_meta":{${member}}`)];
  return edit(bytes, [...names, ...metas], node.start);
}

/**
 * Our member comes first, and members of the upstream go if a parser may take their keys for ours. A comma goes with the
 * member after it, so that those that stay keep theirs.
 *
 * @param bytes of the entry, which begin at `from`
 */
function metaEdits(meta: JsonNode, member: string, bytes: Buffer, from: number): Edit[] {
  // MCP has no other value than an object. Strict clients refuse a list with one, so that it cannot stay either.
  if (meta.kind !== OBJECT) return [replacement(meta, `{${member}}`)];
  if (meta.count === 0) return [addition(meta.start + 1, member)];
  const edits = meta.members.map(({ index, keyStart, previousEnd, end }) =>
    index === 0
      ? replacement({ start: keyStart, end }, member)
      : removal({ start: previousEnd, end }),
  );
  if (meta.members[0]?.index === 0) return edits;
  const firstKey = bytes.indexOf('"', meta.start + 1 - from) + from;
  return [addition(firstKey, `${member},`), ...edits];
}
