import * as z from 'zod';

/** A timestamp in a response: UTC with milliseconds and `Z` (RFC 3339). */
export const timestampSchema = z.iso.datetime({ precision: 3 });

/** `Date` writes later years with a sign and six digits, which RFC 3339 does not have. */
const YEAR_10000 = Date.UTC(10_000, 0, 1);

const NOT_A_TIME = 'Must be a time such as 2026-11-27T00:00:00Z (RFC 3339).';

/** An instant in a query: any RFC 3339 offset, normalized to UTC with milliseconds. */
export const instantSchema = z.iso
  .datetime({ offset: true, error: NOT_A_TIME, abort: true })
  .refine((value) => Date.parse(value) >= 0, 'Must be in 1970 or later.')
  .refine((value) => Date.parse(value) < YEAR_10000, 'Must be before the year 10000 in UTC.')
  .transform((value) => new Date(value).toISOString());

/** A future instant in a request: any RFC 3339 offset, normalized to UTC with milliseconds. */
export const futureTimestampSchema = z.iso
  .datetime({ offset: true, error: NOT_A_TIME, abort: true })
  .refine((value) => Date.parse(value) > Date.now(), 'Must be in the future.')
  .refine((value) => Date.parse(value) < YEAR_10000, 'Must be before the year 10000 in UTC.')
  .transform((value) => new Date(value).toISOString());
