/** Why a name is not exposed. */
export type NameReason =
  /** Another name of the integration has the same exposed name, or the integration lists the name twice. */
  | 'name_not_unique'
  /** A name of the attachment without an alias begins like the exposed names of another attachment. */
  | 'alias_of_another'
  /** It begins like the names of Gatehouse's tools. */
  | 'reserved_name';

/** Why an entry of a list cannot be listed. */
export type EntryReason =
  /** More than 1 MiB. */
  | 'entry_too_large'
  /** Without a name (a resource: URI, a template: URI template) of at most 16 KiB that is text for every parser. */
  | 'unidentified'
  /** Its identifier or `_meta` is repeated, or has a key that some parser may take for it. */
  | 'ambiguous'
  /** A tool that runs as a task only (MCP 2025-11-25), which the aggregate does not offer. */
  | 'needs_task';

/** All reasons for which the aggregate leaves out something that an integration lists. */
export type LeftOutReason = NameReason | EntryReason;
