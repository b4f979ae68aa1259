/**
 * The kind of row that changed. `id` is the row's id, except for a connection, whose id is
 * `<integrationId>:<userId>`. Attaching, detaching and archiving an application change the
 * application; a server token or OAuth configuration changes the integration. `revocation`: tokens of a
 * connection, with its id, wait to be revoked at their provider.
 */
export type ChangeKind =
  | 'token'
  | 'member'
  | 'application'
  | 'integration'
  | 'connection'
  | 'session'
  | 'revocation';

export interface Change {
  readonly kind: ChangeKind;
  readonly id: string;
}

/** Changes of one transaction (a large one arrives in several sets), or `everything` when any row may have changed. */
export type ChangeSet = readonly Change[] | 'everything';

/** Notifies this node of the changes that any node commits. */
export interface Changes {
  /** True while this node has certainly received every change older than one second. */
  isFresh(): boolean;
  /**
   * Calls `listener` with each set of committed changes, in the order of subscription and synchronously on the
   * node that wrote it.
   */
  subscribe(listener: (changes: ChangeSet) => void): () => void;
}

/** One string per changed row, to index what depends on it. */
export function rowKey(change: Change): string {
  return `${change.kind}:${change.id}`;
}
