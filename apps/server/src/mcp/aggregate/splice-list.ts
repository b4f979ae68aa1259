import { setImmediate } from 'node:timers/promises';
import { HeldBytes } from '../held-bytes.ts';
import { type ListKey, mcpLists } from '../methods.ts';
import type { PageEntry } from './entry-reader.ts';
import type { LeftOutReason } from './left-out.ts';
import { pagesNamedBy } from './named-pages.ts';
import {
  type AttachmentNames,
  type NamingAttachment,
  namesOfAttachment,
} from './names-of-attachment.ts';
import { needsTask } from './needs-task.ts';
import type { Fill } from './spots.ts';

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
  const fills = fillsFor(attachment);
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
    spliced.push({ identifier, bytes: spliceEntry(entry, identifier, fills) });
    if (list === 'tools' && entry.hasMeta)
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

type Fills = Readonly<Record<Exclude<Fill, 'identifier'>, Buffer>>;

function fillsFor({ integrationId, alias, integrationName }: ListedAttachment): Fills {
  const integration = { id: integrationId, alias, name: integrationName };
  const member = `"gatehouse/integration":${JSON.stringify(integration)}`;
  return {
    member: Buffer.from(member),
    member_and_comma: Buffer.from(`${member},`),
    meta_value: Buffer.from(`{${member}}`),
    comma_and_meta: Buffer.from(`,"_meta":{${member}}`),
    nothing: Buffer.alloc(0),
  };
}

function spliceEntry(
  { identifier, bytes, spots }: PageEntry,
  exposed: string,
  fills: Fills,
): Buffer {
  const edits = spots.flatMap(({ start, end, fill }) => {
    if (fill !== 'identifier') return { start, end, replacement: fills[fill] };
    // A name that stays may have escapes, which stay too.
    return exposed === identifier ? [] : { start, end, replacement: Buffer.from(`"${exposed}"`) };
  });
  const held = new HeldBytes();
  held.append(bytes);
  return held.take(bytes.length, edits);
}
