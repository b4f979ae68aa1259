import { z } from 'zod';
import { MAX_CALLS } from './block-ids.ts';
import { hashOf, hashSchema } from './hash.ts';
import { keyIdSchema } from './keys.ts';

/** Management events that one block takes in. */
const MAX_MANAGED = 10_000;

/** Heads of other runs that one block names. */
const MAX_WITNESSES = 100_000;

const time = z.iso.datetime({ precision: 3 });
const number = z.int().min(1);
const ids = z.array(z.string().max(4_096)).max(MAX_CALLS);

/** The last block of a run, as someone has seen it. */
export const runHeadSchema = z.strictObject({ run: z.uuid(), number, hash: hashSchema });
export type RunHead = z.infer<typeof runHeadSchema>;

/** What everyone may see of a block, whichever organization it belongs to. */
export const blockHeadSchema = z.strictObject({
  run: z.uuid(),
  /** From 1, without gaps. */
  number,
  node: z.string().max(256),
  /** When it was made. Never before the block before it. */
  at: time,
  /** The hash of the block before it; null in the first one. */
  previous: hashSchema.nullable(),
  /** The last block of a run that ended in good order. */
  ends: z.boolean(),
  keyId: keyIdSchema,
  /** The last blocks of other runs that its node had seen. */
  witnesses: z.array(runHeadSchema).max(MAX_WITNESSES),
  /** `ownerOf` its organization: without it, someone could show a block as another organization's to hide its events. */
  owner: hashSchema,
  /** `contentHashOf` */
  content: hashSchema,
});
export type BlockHead = z.infer<typeof blockHeadSchema>;

/** A management event in a block. */
const managedSchema = z.strictObject({
  id: z.uuid(),
  /** `digestOf` */
  digest: hashSchema,
  /** The run that committed it and ended before it had it in a block; null for the block's own run. */
  run: z.uuid().nullable(),
});

/** What a block has of its organization. */
export const blockContentSchema = z.strictObject({
  /** `createBlockId` */
  id: z.uuid().endsWith('0000'),
  /** Null for a block that is only a witness. */
  organizationId: z.string().max(64).nullable(),
  /** The times of the earliest and of the latest call event; of the block if it has no calls. */
  from: time,
  to: time,
  /** The number of call events. */
  calls: z.int().min(0).max(MAX_CALLS),
  applications: ids,
  integrations: ids,
  people: ids,
  /** Ids of events of begun calls that ended here. Undefined in a block without any. */
  ended: ids.min(1).optional(),
  managed: z.array(managedSchema).max(MAX_MANAGED),
  /** The hash of its body before it is deflated; null without call events. */
  body: hashSchema.nullable(),
});
export type BlockContent = z.infer<typeof blockContentSchema>;

export function contentHashOf(content: BlockContent): string {
  const { id, organizationId, from, to, calls, applications, integrations, people } = content;
  const managed = content.managed.map(({ id, digest, run }) => [id, digest, run]);
  const sets = [applications, integrations, people];
  const ended = content.ended === undefined ? [] : [content.ended];
  return hashOf('content', [
    ...[id, organizationId, from, to, calls, ...sets, managed, content.body, ...ended],
  ]);
}

/** Says to those who know the organization that a block is its, and nothing to others. */
export function ownerOf(run: string, number: number, organizationId: string | null): string {
  return hashOf('owner', [run, number, organizationId]);
}

/** The hash of a block, which the next one names and a key signs. */
export function blockHashOf(head: BlockHead): string {
  const { run, number, node, at, previous, ends, keyId, owner, content } = head;
  const witnesses = head.witnesses.map(({ run, number, hash }) => [run, number, hash]);
  return hashOf('block', [
    ...[run, number, node, at, previous, ends, keyId, witnesses, owner, content],
  ]);
}
