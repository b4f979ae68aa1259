import { z } from 'zod';

const keyState = z.object({
  id: z.string(),
  /** Here: in the running server, or in the command where it works by itself. */
  isLoaded: z.boolean(),
  isSealing: z.boolean(),
  /** It has sealed at some time. */
  hasSealed: z.boolean(),
  isRetired: z.boolean(),
  /** Rows that it has sealed, by table. */
  rows: z.record(z.string(), z.number()),
  total: z.number(),
  /** Running nodes that have it, and those that do not. */
  nodes: z.array(z.string()),
  missingOn: z.array(z.string()),
});

/** Everything about the encryption keys but the keys. */
export const keyReport = z.object({
  /** Where the keys are changed: by this command, in the file; or by the operator. */
  source: z.enum(['file', 'environment']),
  keys: z.array(keyState),
  nodes: z.array(z.object({ name: z.string(), version: z.string(), keyIds: z.array(z.string()) })),
  nextStep: z.string(),
});

export type KeyState = z.infer<typeof keyState>;
export type KeyReport = z.infer<typeof keyReport>;
