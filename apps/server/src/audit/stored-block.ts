import { promisify } from 'node:util';
import { deflateRawSync, inflateRaw } from 'node:zlib';
import { type AuditBlock as BlockRow, Prisma } from '../generated/prisma/client.ts';
import type { Db } from '../platform/database/store.ts';
import {
  type BlockContent,
  type BlockHead,
  blockHashOf,
  contentHashOf,
  ownerOf,
  type RunHead,
} from './block.ts';
import { type AuditKey, isSignedByOneOf } from './keys.ts';
import { listKeys } from './signing-keys.ts';

/** A block of any organization, with everything that its row has. */
export interface StoredBlock {
  readonly head: BlockHead;
  readonly content: BlockContent;
  readonly hash: string;
  readonly signature: string;
  /** Deflated; null without call events, and after their retention. */
  readonly body: string | null;
}

export function rowOf(block: StoredBlock): Prisma.AuditBlockCreateManyInput {
  const { head, content, hash, signature, body } = block;
  const { run, number, node, at, previous, ends, keyId, witnesses } = head;
  const { id, organizationId, from, to, calls, applications, integrations, people } = content;
  return {
    ...{ run, number, id, node, at, previous, ends, signedBy: keyId, organizationId },
    ...{ from, to, calls, applications, integrations, people, hash, signature, body },
    ended: content.ended ?? [],
    witnesses: JSON.stringify(witnesses),
    managed: JSON.stringify(content.managed),
    bodyHash: content.body,
  };
}

/** @throws SyntaxError when the row was written by another program */
export function blockOf(row: BlockRow): StoredBlock {
  const { run, number, id, node, previous, ends, organizationId, hash, signature, body } = row;
  const { calls, applications, integrations, people } = row;
  const content: BlockContent = {
    ...{ id, organizationId, calls, applications, integrations, people },
    from: row.from.toISOString(),
    to: row.to.toISOString(),
    ...(row.ended.length === 0 ? {} : { ended: row.ended }),
    managed: JSON.parse(row.managed),
    body: row.bodyHash,
  };
  const head: BlockHead = {
    ...{ run, number, node, previous, ends },
    at: row.at.toISOString(),
    keyId: row.signedBy,
    witnesses: JSON.parse(row.witnesses),
    owner: ownerOf(run, number, organizationId),
    content: contentHashOf(content),
  };
  return { head, content, hash, signature, body };
}

/** Bytes of the longest body, inflated. */
const MAX_BODY = 16 * 1024 * 1024;

/** Texts are in a body once, so that the least effort takes 60 % of the time and 8 % more space than the usual one. */
const LEVEL = 1;

const inflate = promisify(inflateRaw);

/** As it is stored: deflated (RFC 1951), in base64. The way through Node's thread pool takes longer than the 0.3 ms of a block. */
export function deflateBody(body: string): string {
  return deflateRawSync(body, { level: LEVEL }).toString('base64');
}

/** @throws Error when it is damaged, or too long */
export async function inflateBody(stored: string): Promise<string> {
  const bytes = await inflate(Buffer.from(stored, 'base64'), { maxOutputLength: MAX_BODY });
  return bytes.toString();
}

/** `SELECT` of the last block `b` of each run, found from the run before it: the log is not read as a whole. */
export function selectLastBlocks(columns: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    WITH RECURSIVE "runs" ("run") AS (
      (SELECT "run" FROM "AuditBlock" ORDER BY "run" LIMIT 1)
      UNION ALL
      SELECT (SELECT b."run" FROM "AuditBlock" b WHERE b."run" > r."run" ORDER BY b."run" LIMIT 1)
      FROM "runs" r WHERE r."run" IS NOT NULL)
    SELECT last.* FROM "runs" r CROSS JOIN LATERAL (
      SELECT ${columns}
      FROM "AuditBlock" b WHERE b."run" = r."run" ORDER BY b."number" DESC LIMIT 1) last`;
}

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
