import type { AuditBlock as BlockRow } from '../generated/prisma/client.ts';
import type { Db } from '../platform/database/store.ts';
import { blockHashOf, type RunHead } from './block.ts';
import { type AuditKey, keyIdOf, readPublicKey } from './keys.ts';
import { isSignatureOf } from './signature.ts';
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
  const keys = new Map((await listKeys(db)).map((key) => [key.id, key]));
  const intact: RunHead[] = [];
  for (const { run, number } of blocks) {
    const row = await db.auditBlock.findUnique({ where: { run_number: { run, number } } });
    if (row !== null && isIntact(row, keys)) intact.push({ run, number, hash: row.hash });
  }
  return intact;
}

function isIntact(row: BlockRow, keys: ReadonlyMap<string, AuditKey>): boolean {
  const publicKey = keys.get(row.signedBy)?.publicKey;
  if (publicKey === undefined || keyIdOf(publicKey) !== row.signedBy) return false;
  try {
    const hash = blockHashOf(blockOf(row).head);
    return hash === row.hash && isSignatureOf(hash, row.signature, readPublicKey(publicKey));
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
