import { z } from 'zod';

export const FORMAT = 'gatehouse';

/** Incremented when a program that knows the previous version could misread a file. */
export const FORMAT_VERSION = 1;

const tableSchema = z.object({
  name: z.string(),
  columns: z.array(z.string()).min(1),
  rows: z.int().min(0),
});

/** The first line of a file: what it holds, in which order. */
export const headerSchema = z.object({
  format: z.literal(FORMAT),
  version: z.literal(FORMAT_VERSION),
  /** The version of Gatehouse that wrote it. */
  writtenBy: z.string(),
  writtenAt: z.iso.datetime(),
  /** The migrations that had made these tables, oldest first. */
  migrations: z.array(z.string()).min(1),
  tables: z.array(tableSchema),
  /** The ids of the encryption keys that the rows name. */
  keyIds: z.array(z.string()),
  /** The key file of the data directory, as it is; null where the keys are kept elsewhere. */
  keyFile: z.string().nullable(),
});

export type Header = z.output<typeof headerSchema>;
export type TransferTable = z.output<typeof tableSchema>;

/** The fields of every version, by which a newer one is recognized. */
export const anyHeaderSchema = z.object({
  format: z.literal(FORMAT),
  version: z.int(),
  writtenBy: z.string(),
});

/** All rows of the file. */
export function countRows({ tables }: Pick<Header, 'tables'>): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}
