import * as z from 'zod';
import { limits } from './limits.ts';
import { isStorable } from './text.ts';

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | JsonValue[]
  | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

/** True for a JSON object: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * False for an integer so large that parsing it may have rounded it (RFC 8259 section 6). The value
 * that was sent is then unknown.
 */
export function isExact(value: number): boolean {
  return !Number.isInteger(value) || Number.isSafeInteger(value);
}

/** The message for a number that is not exact. */
export const INEXACT = 'An integer beyond 2^53 - 1 would be rounded. Send it as a string.';

function leafProblem(value: unknown): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'A number is out of range.';
  if (typeof value === 'number' && !isExact(value)) return INEXACT;
  if (typeof value === 'string' && !isStorable(value)) {
    return 'Must not contain NUL or unpaired surrogates.';
  }
  return undefined;
}

/** Not recursive: a body of 1 MiB can be nested more deeply than the stack allows. */
function walkProblem(root: JsonObject): string | undefined {
  const pending: { value: unknown; depth: number }[] = [{ value: root, depth: 1 }];
  let length = 0;
  for (let entry = pending.pop(); entry; entry = pending.pop()) {
    const { value, depth } = entry;
    length += leafLength(value);
    if (length > limits.jsonBytes) return TOO_LONG;
    if (typeof value !== 'object' || value === null) {
      const problem = leafProblem(value);
      if (problem) return problem;
      continue;
    }
    if (depth > limits.jsonDepth) return `Must not nest deeper than ${limits.jsonDepth} levels.`;
    for (const [key, child] of Object.entries(value)) {
      length += key.length;
      if (length > limits.jsonBytes) return TOO_LONG;
      if (!isStorable(key)) return 'Must not contain NUL or unpaired surrogates.';
      pending.push({ value: child, depth: depth + 1 });
    }
  }
  return undefined;
}

const TOO_LONG = `Must not exceed ${limits.jsonBytes} bytes.`;

/**
 * The least that a value takes as text. PostgreSQL stores and returns numbers without an exponent, so
 * that 5e-324 takes 326 characters.
 */
function leafLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'number') return 1;
  const text = String(value);
  const [, exponent] = text.split('e-');
  return exponent === undefined ? text.length : text.length + Number(exponent);
}

function boundsProblem(value: JsonObject): string | undefined {
  const problem = walkProblem(value);
  if (problem) return problem;
  const bytes = new TextEncoder().encode(JSON.stringify(value)).length;
  return bytes > limits.jsonBytes ? TOO_LONG : undefined;
}

/**
 * Any JSON object in a response. It is not copied, so that all keys survive, even `__proto__`, which a
 * schema that rebuilds the object would drop.
 */
export const jsonObjectSchema = z
  .custom<JsonObject>(isJsonObject, 'Must be an object.')
  .meta({ type: 'object', additionalProperties: true });

/** A JSON object in a request: at most 16 KiB, as PostgreSQL writes it, and 32 levels, with strings that PostgreSQL can store. */
export const boundedJsonObjectSchema = jsonObjectSchema
  .superRefine((value, context) => {
    const message = boundsProblem(value);
    if (message) context.addIssue({ code: 'custom', message });
  })
  .meta({ type: 'object', additionalProperties: true });
