import type { AuditBlock as BlockRow, Prisma } from '../generated/prisma/client.ts';
import type { BlockContent, BlockHead } from './block.ts';
import { contentHashOf, ownerOf } from './block.ts';

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
