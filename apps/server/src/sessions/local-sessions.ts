/** Ids of sessions that this node has in memory, ahead of what it has written. */
export interface LocalSessions {
  readonly nodeId: string;
  /** Something is in flight on this node. */
  readonly live: readonly string[];
  /** Active within the window. */
  readonly active: readonly string[];
}
