/**
 * The kind of row that changed. `id` is the row's id; for a connection it is
 * `<integrationId>:<userId>`. Attaching, detaching and archiving an application change the application;
 * a server token or OAuth configuration changes the integration. `tools`: what is known of the tools of
 * the integration with this id, or it was validated. `revocation`: tokens of the connection with this id are to be revoked at
 * their provider. Three are about no row that is read: `lists`, an integration has announced to a person that
 * its lists have changed (`<attachmentId>:<subjectId>`), `answer`, a client has answered what a node has asked
 * it (`<node>:<question>`), and `cancellation`, it has cancelled a request (`<session>:<hash of its id>`).
 */
export type ChangeKind =
  | 'token'
  | 'member'
  | 'application'
  | 'integration'
  | 'tools'
  | 'lists'
  | 'connection'
  | 'session'
  | 'answer'
  | 'cancellation'
  | 'revocation';

export interface Change {
  readonly kind: ChangeKind;
  readonly id: string;
}

/** Changes of one transaction (a large one arrives in several sets), or `everything` when any row may have changed. */
export type ChangeSet = readonly Change[] | 'everything';

/**
 * A subscriber either drops what it has read from the changed rows, or reacts to the change, which may
 * read them again.
 */
export type Subscriber =
  | { readonly drop: (changes: ChangeSet) => void }
  | { readonly react: (changes: ChangeSet) => void };

/** Notifies this node of the changes that any node commits. */
export interface Changes {
  /** True while this node has certainly received every change older than one second. */
  isFresh(): boolean;
  /**
   * Calls the subscriber with each set of committed changes, synchronously on the node that wrote it. All
   * subscribers that drop are called before those that react, in whatever order they subscribed.
   */
  subscribe(subscriber: Subscriber): () => void;
}

/** One string per changed row, to index what depends on it. */
export function rowKey(change: Change): string {
  return `${change.kind}:${change.id}`;
}

/** The outcome of the transaction that sent an announcement. Exactly one of these is called. */
export interface Announcement {
  /** Payloads that the transaction must send by NOTIFY on `CHANNEL`, as its last statement or in it. */
  readonly notifications: readonly string[];
  /** The transaction committed: calls this node's listeners. */
  committed(): void;
  /** The transaction failed, or its outcome is unknown. */
  abandoned(): void;
}

/** Sends the changes of a transaction to the listeners. */
export interface Announcer {
  prepare(changes: readonly Change[]): Announcement;
}
