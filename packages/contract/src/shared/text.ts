import * as z from 'zod';
import { limits } from './limits.ts';

/**
 * Control characters (NUL, which PostgreSQL cannot store, among them) and lone surrogates, which
 * UTF-8 cannot carry.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;
const UNSTORABLE = /[\0\p{Cs}]/u;

/** True when text contains no control characters and no lone surrogates. */
export function isPrintable(text: string): boolean {
  return !UNPRINTABLE.test(text);
}

/** True when PostgreSQL can store text unchanged: no NUL, no lone surrogate. */
export function isStorable(text: string): boolean {
  return !UNSTORABLE.test(text);
}

/** A line of text: trimmed, 1 to `max` characters, without control characters. */
export function lineSchema(max: number) {
  return z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine(isPrintable, 'Must not contain control characters.');
}

/** The display name of a resource. */
export const nameSchema = lineSchema(limits.name);

/** An e-mail address in lower case, because addresses are compared case-insensitively. */
export const emailSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(limits.email)
  .regex(z.regexes.email, 'Must be an e-mail address.')
  .meta({ format: 'email' });
