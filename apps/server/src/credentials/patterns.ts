import type { PatternMatcher } from '@gatehouse/contract';
import { RE2JS } from 're2js';

/**
 * Compiles a pattern of a credential schema. Administrators write the patterns and users choose the
 * values. RE2 takes linear time for every pattern, where `RegExp` may backtrack for ever; the contract
 * bounds the size of the patterns.
 *
 * @throws Error for what is not a pattern, and for lookaround and backreferences
 */
export function compilePattern(pattern: string): RE2JS {
  return RE2JS.compile(RE2JS.translateRegExp(pattern));
}

/** Compiles each pattern once, however often it is used. */
export function createPatternMatcher(): PatternMatcher {
  const compiled = new Map<string, RE2JS>();
  return (pattern, text) => {
    const known = compiled.get(pattern) ?? compilePattern(pattern);
    compiled.set(pattern, known);
    return known.test(text);
  };
}
