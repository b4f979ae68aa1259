import * as z from 'zod';

/** A timestamp in a response: UTC with milliseconds and `Z` (RFC 3339). */
export const timestampSchema = z.iso.datetime({ precision: 3 });

/** A future instant in a request: any RFC 3339 offset, normalized to UTC with milliseconds. */
export const futureTimestampSchema = z.iso
  .datetime({ offset: true, error: 'Must be an RFC 3339 timestamp.', abort: true })
  .refine((value) => Date.parse(value) > Date.now(), 'Must be in the future.')
  .transform((value) => new Date(value).toISOString());
