import { blockHashOf, contentHashOf } from '../../src/audit/block.ts';
import { hashOfText } from '../../src/audit/hash.ts';
import { type NewAuditKey, signHash } from '../../src/audit/keys.ts';
import { readSigningKey } from '../../src/audit/signing-keys.ts';
import { blockOf, rowOf, type StoredBlock } from '../../src/audit/stored-block.ts';
import { AuditWriter } from '../../src/audit/writing/audit-writer.ts';
import type { Db, Store } from '../../src/platform/database/store.ts';
import { createId, smallestIdAt } from '../../src/platform/ids.ts';
import type { Vault } from '../../src/vault/vault.ts';
import { callOf } from './call.ts';

const DAY = 24 * 60 * 60 * 1_000;

/** What a run has written long ago. */
interface Past {
  readonly organizationId: string;
  readonly userId: string;
  /** How many days ago its blocks were made, the oldest first. The last one ends the run. */
  readonly days: readonly number[];
  /** Call events in each block but the last. */
  readonly calls?: number;
  /** By how many days its management events are older than their blocks. */
  readonly eventsOlderBy?: number;
}

/** Writes a run, each block with a management event, and sets its ids and times back. @returns its id */
export async function writePast(store: Store, vault: Vault, past: Past): Promise<string> {
  const { organizationId, userId, days, calls = 1 } = past;
  const run = createId().id;
  const own = { ...store, run };
  const writer = new AuditWriter({ store: own, vault, node: 'past', onError: () => undefined });
  const via = { kind: 'personal_token', id: userId } as const;
  const actor = { kind: 'person', organizationId, userId, via } as const;
  for (const _ of days.slice(1)) {
    await store.transaction(async ({ record }) =>
      record({ action: 'member.access_revoked', actor, targetId: userId }),
    );
    // Afterwards: a write of the timer has not come between.
    for (let call = 0; call < calls; call += 1) writer.add(organizationId, callOf());
    await writer.flush();
  }
  await writer.close();
  await setBack(store.db, await readSigningKey(store, vault), run, past);
  return run;
}

/** As if the blocks of a run had been made then: only ids and times change, and what follows from them. */
export async function setBack(
  db: Db,
  key: NewAuditKey,
  run: string,
  { days, eventsOlderBy = 0 }: Pick<Past, 'days' | 'eventsOlderBy'>,
): Promise<void> {
  const rows = await db.auditBlock.findMany({ where: { run }, orderBy: { number: 'asc' } });
  await db.auditBlock.deleteMany({ where: { run } });
  let previous: string | null = null;
  const blocks: StoredBlock[] = [];
  for (const [index, row] of rows.entries()) {
    // Ids of one time would be the same.
    const time = Date.now() - (days[index] ?? 0) * DAY + index;
    const block = blockOf(row);
    const managed = [];
    for (const { id, run: from } of block.content.managed) {
      managed.push({
        ...(await setEventBack(db, id, from ?? run, time - eventsOlderBy * DAY)),
        run: from,
      });
    }
    const content = { ...block.content, managed, id: idAt(time, block.content.id) };
    const at = new Date(time).toISOString();
    const head = { ...block.head, at, previous, content: contentHashOf(content) };
    const hash = blockHashOf(head);
    blocks.push({ ...block, head, content, hash, signature: signHash(hash, key.privateKey) });
    previous = hash;
  }
  await db.auditBlock.createMany({ data: blocks.map(rowOf) });
}

async function setEventBack(db: Db, id: string, run: string, time: number) {
  const { event } = await db.auditEvent.findUniqueOrThrow({ where: { id } });
  const older = idAt(time - 1, id);
  const text = event.replace(id, older);
  await db.auditEvent.update({ where: { id }, data: { id: older, event: text, run } });
  return { id: older, digest: hashOfText(text) };
}

/** An id of this time that ends as another one. */
function idAt(time: number, id: string): string {
  return smallestIdAt(time).slice(0, 14) + id.slice(14);
}
