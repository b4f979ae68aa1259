/** The lists of MCP, by their keys at the top of a result. */
export type ListKey = 'tools' | 'prompts' | 'resources' | 'resourceTemplates';

/** What identifies an entry of each list. */
export const IDENTIFIERS: Readonly<Record<ListKey, 'name' | 'uri' | 'uriTemplate'>> = {
  tools: 'name',
  prompts: 'name',
  resources: 'uri',
  resourceTemplates: 'uriTemplate',
};

export interface ListFilterOptions {
  /**
   * Whether an entry stays.
   *
   * @param identifier name, URI or URI template
   * @param entry its bytes, to be read before the return only
   */
  allows(list: ListKey, identifier: string, entry: Buffer): boolean;
  /** Whether a result that any cache may keep (`cacheScope`) becomes one for the caller alone. */
  readonly makePrivate: boolean;
}

/** Why an answer cannot be filtered and must end. */
export type ListFault =
  /** An entry of more than 1 MiB. */
  | 'entry_too_large'
  /** An event of more than 16 MiB. */
  | 'event_too_large'
  /** Two results, lists or identifiers, or a key that some parser may take for one. */
  | 'ambiguous'
  /** No JSON, or JSON that ends too soon. */
  | 'unreadable';

/** What may be sent on. After a fault nothing more may follow. */
export interface Filtered {
  readonly bytes: Buffer;
  readonly fault?: ListFault;
}

/** A change of bytes: what stands between the two positions is replaced, or cut. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly replacement: Buffer;
}
