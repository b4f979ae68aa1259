import type { Tx } from '../../platform/database/store.ts';

/** More than these are not announced one by one: a notification has little room. */
const FEW = 50;

/**
 * Announces ended grants, whose ids are those of the tokens that an actor and a session name. Of many,
 * every node hears by the application or member that they belong to: who ends grants announces that too.
 */
export function announceEnded(tx: Tx, grantIds: readonly string[]): void {
  if (grantIds.length > FEW) return;
  tx.announce(...grantIds.map((id) => ({ kind: 'token', id }) as const));
}
