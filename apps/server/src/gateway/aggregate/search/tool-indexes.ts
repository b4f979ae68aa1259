import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { ListedEntry } from '../../../mcp/aggregate/splice-list.ts';
import { ToolIndex } from '../../../mcp/search/tool-index.ts';
import { toolTextOf } from '../../../mcp/search/tool-text.ts';

const MAX_BYTES = 64 * 1024 * 1024;

/** Bytes of a definition that are hashed, and those that are indexed, without a pause. */
const HASHED_AT_ONCE = 1024 * 1024;
const INDEXED_AT_ONCE = 32 * 1024;

/** Bytes of memory for a byte of a definition, of which no more than these are indexed, and for each tool. */
const GROWTH = 6;
const MAX_INDEXED = 8_000;
const OVERHEAD = 200;

/**
 * The indexes of this node, the least recently used ones dropped first. People with the same tools share one: what is in
 * it depends on nothing else.
 */
export class ToolIndexes {
  readonly #indexes = new LRUCache<string, Promise<ToolIndex>>({ maxSize: MAX_BYTES });
  readonly #digests = new WeakMap<readonly ListedEntry[], Promise<string>>();

  /** @param lists of tools; a tool's position is that in all of them together */
  async of(lists: readonly (readonly ListedEntry[])[]): Promise<ToolIndex> {
    const digests = await Promise.all(lists.map((list) => this.#digestOf(list)));
    const key = digests.join(' ');
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    const tools = lists.flat();
    const index = indexOf(tools);
    this.#indexes.set(key, index, { size: sizeOf(tools) });
    index.catch(() => this.#indexes.delete(key));
    return index;
  }

  /** Once for each time that a list is read. */
  #digestOf(list: readonly ListedEntry[]): Promise<string> {
    const known = this.#digests.get(list);
    if (known !== undefined) return known;
    const digest = digestOf(list);
    this.#digests.set(list, digest);
    return digest;
  }
}

async function digestOf(list: readonly ListedEntry[]): Promise<string> {
  const digest = createHash('sha256');
  await inPieces(list, HASHED_AT_ONCE, ({ bytes }) => {
    // Two lists of the same bytes may be divided differently.
    digest.update(`${bytes.length} `).update(bytes);
  });
  return digest.digest('base64');
}

async function indexOf(tools: readonly ListedEntry[]): Promise<ToolIndex> {
  const index = new ToolIndex();
  await inPieces(tools, INDEXED_AT_ONCE, ({ identifier, bytes }) => {
    index.add(toolTextOf(identifier, bytes));
  });
  return index;
}

/** Does work for each tool, with pauses in which other calls go on. */
async function inPieces(
  tools: readonly ListedEntry[],
  atOnce: number,
  work: (tool: ListedEntry) => void,
): Promise<void> {
  let unpaused = 0;
  for (const tool of tools) {
    work(tool);
    unpaused += tool.bytes.length;
    if (unpaused < atOnce) continue;
    await setImmediate();
    unpaused = 0;
  }
}

function sizeOf(tools: readonly ListedEntry[]): number {
  return tools.reduce(
    (sum, { bytes }) => sum + GROWTH * Math.min(bytes.length, MAX_INDEXED) + OVERHEAD,
    OVERHEAD,
  );
}
