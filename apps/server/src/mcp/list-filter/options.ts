import type { AwaitedMessages } from '../awaited-messages.ts';
import type { ListKey } from '../methods.ts';

/** Bytes of an entry. */
export const MAX_ENTRY = 1024 * 1024;

export interface ListFilterOptions {
  /**
   * Whether an entry stays. Undefined where lists pass as they are.
   *
   * @param identifier name, URI or URI template
   * @param entry its bytes, which may be read only before it returns
   */
  readonly allows?: ((list: ListKey, identifier: string, entry: Buffer) => boolean) | undefined;
  /** Undefined where every message passes. */
  readonly messages?: AwaitedMessages | undefined;
  /** Whether a result that any cache may keep (`cacheScope`) is changed to be for the caller alone. */
  readonly makePrivate: boolean;
}

/** Why a response cannot be filtered and must end. */
export type ListFault =
  /** An entry of more than 1 MiB. */
  | 'entry_too_large'
  /** An event of more than 16 MiB. */
  | 'event_too_large'
  /** Two results, lists or identifiers, or a key that some parser may take for theirs. */
  | 'ambiguous'
  /** A message that is not passed on. */
  | 'dropped'
  /** Not JSON, or JSON that ends too soon. */
  | 'unreadable';

/** What may be sent on. After a fault nothing more may follow. */
export interface Filtered {
  readonly bytes: Buffer;
  readonly fault?: ListFault;
}

/** Bytes that are read in one step: at most 125 entries, which take 12 ms under the longest rules. */
export const STEP = 2 * 1024;

/** Cuts entries from the lists of one response, as its bytes arrive. */
export interface ListFilter {
  /** Bytes that are held of what has arrived and is not sent yet; copies count too. */
  readonly held: number;
  append(chunk: Buffer): void;
  /**
   * Reads a step of what has arrived.
   *
   * @returns whether there is more to read
   */
  read(): boolean;
  /** What may be sent of what has been read. */
  take(): Filtered;
  /** The response has ended, and everything has been read. */
  end(): Filtered;
}
