import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import { createId } from '../platform/ids.ts';
import { hashOf, hashSchema } from './hash.ts';
import { keyIdSchema, signatureSchema, signHash } from './keys.ts';

/** How many events one block can hold: their numbers are the last 16 bits of their ids. */
const MAX_CALLS = 0x10000;

/** A UUIDv7 that ends with 16 zero bits, which its call events count up. */
export function createBlockId(): string {
  return `${createId().id.slice(0, -4)}0000`;
}

/** The id of a block's call event at this index, from 0. */
export function callIdOf(blockId: string, index: number): string {
  return `${blockId.slice(0, -4)}${index.toString(16).padStart(4, '0')}`;
}

/** The block and the index of a call event. */
export function blockOfCall(eventId: string): { readonly blockId: string; readonly index: number } {
  return {
    blockId: `${eventId.slice(0, -4)}0000`,
    index: Number.parseInt(eventId.slice(-4), 16),
  };
}

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

/** The part of a block that everyone may see, whichever organization it belongs to. */
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

/** The part of a block that is for its organization. */
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

/** The last block of a run that retention has dropped: the run goes on after it. */
export const anchorSchema = runHeadSchema.extend({
  keyId: keyIdSchema,
  signature: signatureSchema,
});
export type Anchor = z.infer<typeof anchorSchema>;

export function anchorHashOf({ run, number, hash, keyId }: Omit<Anchor, 'signature'>): string {
  return hashOf('anchor', [run, number, hash, keyId]);
}

export function makeAnchor(dropped: RunHead, keyId: string, privateKey: KeyObject): Anchor {
  const unsigned = { ...dropped, keyId };
  return { ...unsigned, signature: signHash(anchorHashOf(unsigned), privateKey) };
}
