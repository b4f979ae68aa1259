import * as z from 'zod';
import { limits } from './limits.ts';

/**
 * Control characters (NUL, which PostgreSQL cannot store, among them) and lone surrogates, which
 * UTF-8 cannot carry.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;
const UNSTORABLE = /[\0\p{Cs}]/u;

/** True when text holds no control character and no lone surrogate. */
export function isPrintable(text: string): boolean {
  return !UNPRINTABLE.test(text);
}

/** True when PostgreSQL can store text unchanged: no NUL, no lone surrogate. */
export function isStorable(text: string): boolean {
  return !UNSTORABLE.test(text);
}

/** One line of text for people: trimmed, 1 to `max` long, without control characters. */
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

/** An e-mail address, lower-cased: addresses are compared without regard to case. */
export const emailSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(limits.email)
  .regex(z.regexes.email, 'Must be an e-mail address.')
  .meta({ format: 'email' });
