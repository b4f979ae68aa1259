import { z } from 'zod';
import { anchorSchema, blockContentSchema, blockHeadSchema, runHeadSchema } from './block.ts';
import { auditEventSchema } from './event.ts';
import { hashOf, hashSchema } from './hash.ts';
import { auditKeySchema, keyIdSchema, signatureSchema } from './keys.ts';

/** Incremented when a program that knows the previous version could misread an export. */
export const EXPORT_VERSION = 1;

/** Runs that one export tells of: a node that starts every hour makes them in 11 years. */
const MAX_RUNS = 100_000;

const time = z.iso.datetime({ precision: 3 });

/** How a run ended: `crashed` if its last block does not say that it ended, and its node is gone. */
const RUN_STATES = ['live', 'ended', 'crashed'] as const;

/**
 * The first line of an export. Its runs follow in any order, each with all of its blocks by number. With `from` and `to`
 * they are the blocks made at these times (`to` exclusive), and for each run the block before them and the one after them
 * as heads only, where these exist; so each run has a line.
 */
export const exportLineSchema = z.strictObject({
  type: z.literal('export'),
  version: z.literal(EXPORT_VERSION),
  /** The version of Gatehouse. */
  writtenBy: z.string().max(256),
  at: time,
  /** Null for all of them. */
  organizationId: z.string().max(64).nullable(),
  from: time.nullable(),
  to: time.nullable(),
  /** Oldest first. */
  keys: z.array(auditKeySchema).min(1).max(10_000),
  /** The last block of each run that has blocks. */
  heads: z
    .array(runHeadSchema.extend({ node: z.string().max(256), state: z.enum(RUN_STATES) }))
    .max(MAX_RUNS),
  anchors: z.array(anchorSchema).max(MAX_RUNS),
});
export type ExportLine = z.infer<typeof exportLineSchema>;

const block = { type: z.literal('block'), signature: signatureSchema };

/** A block of another organization, or one beside the times of the export. */
export const headLineSchema = blockHeadSchema.extend(block);
export type HeadLine = z.infer<typeof headLineSchema>;

/**
 * A block of the export's organization. Its call events follow in their order, and then its management events in the order
 * of `managed`.
 */
export const blockLineSchema = z.strictObject({
  ...headLineSchema.shape,
  /** `content` is the hash of this. */
  ...blockContentSchema.shape,
  /** Retention has dropped its call events. */
  bodyDropped: z.literal(true).optional(),
  /** Retention has dropped management events of it. Those that are left follow. */
  managedDropped: z.literal(true).optional(),
});
export type BlockLine = z.infer<typeof blockLineSchema>;

/** An event of the block before it. At the end of an export: a management event that is too young for a block. */
export const eventLineSchema = z.strictObject({
  type: z.literal('event'),
  event: auditEventSchema,
});

/** The last line of an export. */
export const endLineSchema = z.strictObject({
  type: z.literal('end'),
  blocks: z.int().min(0),
  events: z.int().min(0),
  /** The hash of all lines before it, each with its line break. */
  hash: hashSchema,
  keyId: keyIdSchema,
  signature: signatureSchema,
});
export type EndLine = z.infer<typeof endLineSchema>;

/** The hash that the end line signs. */
export function endHashOf({ blocks, events, hash, keyId }: Omit<EndLine, 'type' | 'signature'>) {
  return hashOf('end', [blocks, events, hash, keyId]);
}
