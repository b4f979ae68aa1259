import * as z from 'zod';
import { limits } from './limits.ts';

/**
 * Control characters (NUL, which PostgreSQL cannot store, among them) and lone surrogates, which
 * UTF-8 cannot carry. In a line for people also characters that reorder the text around them or cannot be
 * seen (Unicode Technical Report 36 section 2.5), tags of languages and regions among them; not the joiners and
 * variation selectors that scripts and emoji need.
 */
const UNPRINTABLE =
  /\u034F|[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u00AD\u061C\u115F\u1160\u180E\u3164\uFFA0\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/u;
const UNSTORABLE = /[\0\p{Cs}]/u;

/** True when text contains no control, bidirectional or zero-width characters, and no lone surrogates. */
export function isPrintable(text: string): boolean {
  return !UNPRINTABLE.test(text);
}

/** True when PostgreSQL can store text unchanged: no NUL, no lone surrogate. */
export function isStorable(text: string): boolean {
  return !UNSTORABLE.test(text);
}

/** True when text has at most `max` characters. Does not read text that is much longer. */
export function hasAtMost(text: string, max: number): boolean {
  // A character has one or two UTF-16 code units.
  if (text.length <= max) return true;
  return text.length <= 2 * max && [...text].length <= max;
}

/** Limits text to `max` characters. The checks after it do not see text that is longer. */
export function atMost(text: z.ZodString, max: number): z.ZodString {
  return text
    .superRefine((value, context) => {
      if (hasAtMost(value, max)) return;
      const issue = { code: 'too_big', origin: 'string', maximum: max, inclusive: true } as const;
      context.addIssue({ ...issue, input: value, continue: false });
    })
    .meta({ maxLength: max });
}

/** A line of text: trimmed, 1 to `max` characters, without control characters. */
export function lineSchema(max: number) {
  return atMost(z.string().trim().min(1), max).refine(
    isPrintable,
    'Must not contain control characters.',
  );
}

/** The display name of a resource. */
export const nameSchema = lineSchema(limits.name);

/** An e-mail address in lower case, because addresses are compared case-insensitively. */
export const emailSchema = atMost(z.string().trim().toLowerCase(), limits.email)
  .regex(z.regexes.email, 'Must be an e-mail address.')
  .meta({ format: 'email' });
