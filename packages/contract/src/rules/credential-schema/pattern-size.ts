/** What `\p{…}` counts once: a Unicode class has hundreds of ranges. Repeating it shares them. */
const UNICODE_CLASS = 50;

const REPETITION = /\{(\d{1,9})(,?)(\d{0,9})\}/y;
const UNICODE_NAME = /[pP](?:\{[^}]*\}|.)/suy;
const NAMED_CLASS = /\[:\^?\w*:\]/y;

/** A part of a pattern that a quantifier can repeat. */
interface Part {
  readonly size: number;
  readonly end: number;
}

interface Group {
  total: number;
  /** How much the next repetition repeats. */
  repeated: number;
}

/**
 * How large a program a pattern makes, about one for each state: a part in `{2,10}` counts ten times.
 * Linear in the length of the pattern, so that a pattern can be judged before it is compiled.
 */
export function patternSize(pattern: string): number {
  const outer: Group[] = [];
  let group: Group = { total: 1, repeated: 0 };
  for (let at = 0; at < pattern.length; ) {
    const char = pattern[at];
    const repetition = char === '{' ? repetitionAt(pattern, at) : undefined;
    if (repetition !== undefined) {
      group.total += group.repeated * (repetition.count - 1);
      group.repeated *= repetition.count;
      at = repetition.end;
    } else if (char === '(') {
      outer.push(group);
      group = { total: 2, repeated: 0 };
      at += 1;
    } else if (char === ')') {
      const { total } = group;
      const { total: before } = outer.pop() ?? { total: 0 };
      group = { total: before + total, repeated: total };
      at += 1;
    } else {
      const { size, end } = char === '[' ? classAt(pattern, at) : atomAt(pattern, at);
      group.total += size;
      group.repeated = 1;
      at = end;
    }
  }
  return outer.reduce((sum, { total }) => sum + total, group.total);
}

function repetitionAt(pattern: string, at: number): { count: number; end: number } | undefined {
  const [text, least, comma, most] = matchAt(REPETITION, pattern, at) ?? [];
  if (text === undefined) return undefined;
  const count = most ? Number(most) : Number(least) + (comma ? 1 : 0);
  return { count: Math.max(count, 1), end: at + text.length };
}

function atomAt(pattern: string, at: number): Part {
  if (pattern[at] !== '\\') return { size: 1, end: at + 1 };
  const [name] = matchAt(UNICODE_NAME, pattern, at + 1) ?? [];
  if (name !== undefined) return { size: UNICODE_CLASS, end: at + 1 + name.length };
  // Quotes the text up to `\E` in RE2, which is not in ECMA-262: what follows would be read in two ways.
  const isQuote = pattern[at + 1] === 'Q';
  return { size: isQuote ? Number.POSITIVE_INFINITY : 1, end: at + 2 };
}

/**
 * A class in brackets is one state, however many characters it has; each makes it a little larger. As in
 * ECMA-262, `[]` is empty.
 */
function classAt(pattern: string, at: number): Part {
  let size = 1;
  let next = pattern[at + 1] === '^' ? at + 2 : at + 1;
  while (next < pattern.length && pattern[next] !== ']') {
    const [named] = matchAt(NAMED_CLASS, pattern, next) ?? [];
    const atom =
      named === undefined ? atomAt(pattern, next) : { size: 1, end: next + named.length };
    size += atom.size === 1 ? 0.1 : atom.size;
    next = atom.end;
  }
  return { size: Math.ceil(size), end: next + 1 };
}

function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at;
  return expression.exec(text);
}
