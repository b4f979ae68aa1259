import { matchesPieces, type Pieces, piecesOf } from './pattern.ts';

/** The patterns of a list, split by how they are compared. */
interface PatternList {
  readonly literals: ReadonlySet<string>;
  readonly wildcards: readonly Pieces[];
}

/** Rules are read once and used often. A list must not be changed after its first use. */
const lists = new WeakMap<readonly string[], PatternList>();

/** The patterns of a list, prepared at its first use. */
export function patternListOf(patterns: readonly string[]): PatternList {
  let list = lists.get(patterns);
  if (list === undefined) {
    const isWildcard = (pattern: string) => pattern.includes('*');
    list = {
      literals: new Set(patterns.filter((pattern) => !isWildcard(pattern))),
      wildcards: [...new Set(patterns.filter(isWildcard))].map(piecesOf),
    };
    lists.set(patterns, list);
  }
  return list;
}

/** Whether any pattern of a list matches a name. */
export function anyMatches(patterns: readonly string[], name: string): boolean {
  const { literals, wildcards } = patternListOf(patterns);
  if (literals.has(name)) return true;
  for (const pieces of wildcards) if (matchesPieces(pieces, name)) return true;
  return false;
}
