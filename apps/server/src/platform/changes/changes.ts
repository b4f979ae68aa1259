/**
 * What may change under a cache. `id` is the row's id, except for a connection, whose id is
 * `<integrationId>:<userId>`. Attach, detach and application archive are changes of the application;
 * a server token or OAuth configuration is a change of the integration.
 */
export type ChangeKind =
  | 'token'
  | 'member'
  | 'application'
  | 'integration'
  | 'connection'
  | 'session';

export interface Change {
  readonly kind: ChangeKind;
  readonly id: string;
}

/** What a listener hears: the changes of one transaction, or that anything may have changed. */
export type Heard = readonly Change[] | 'everything';

/** Tells this node what any node wrote. */
export interface Changes {
  /** True while this node is sure to have heard every change older than one second. */
  isFresh(): boolean;
  /** Calls `listener` for each committed change, synchronously on the node that wrote it. */
  subscribe(listener: (heard: Heard) => void): () => void;
}

/** The tag under which caches file an entry that depends on a row. */
export function tagOf(change: Change): string {
  return `${change.kind}:${change.id}`;
}
