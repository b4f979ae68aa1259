import type { AuditBlock as BlockRow } from '../generated/prisma/client.ts';
import type { Db } from '../platform/database/store.ts';
import { blockHashOf, type RunHead } from './block.ts';
import { type AuditKey, isSignedByOneOf } from './keys.ts';
import { listKeys } from './signing-keys.ts';
import { blockOf } from './stored-block.ts';

/**
 * Those of these blocks that are as they were signed, with their hashes. A block is dropped for the age in its id, which
 * whoever can write to the database can change: one that is not intact stays, so that verification finds it.
 */
export async function findIntact(
  db: Db,
  blocks: readonly Pick<RunHead, 'run' | 'number'>[],
): Promise<RunHead[]> {
  if (blocks.length === 0) return [];
  const keys = await listKeys(db);
  const intact: RunHead[] = [];
  for (const { run, number } of blocks) {
    const row = await db.auditBlock.findUnique({ where: { run_number: { run, number } } });
    if (row !== null && isIntact(row, keys)) intact.push({ run, number, hash: row.hash });
  }
  return intact;
}

function isIntact(row: BlockRow, keys: readonly AuditKey[]): boolean {
  try {
    const { head, signature } = blockOf(row);
    const hash = blockHashOf(head);
    return hash === row.hash && isSignedByOneOf(keys, hash, { keyId: head.keyId, signature });
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
