import { areLimited, type Kind, type Rules } from './rules.ts';

/** No pattern is longer, so a longer name is refused where there are rules of its kind. */
const LONGEST = 2048;

/** An upstream may read these as other URIs: chosen by hand. The last is a template. */
export const AMBIGUOUS = [
  'docs://a/../secret',
  'docs://a/%2e%2E/secret',
  'docs://a/%252e%252e/secret',
  'docs://a/./b',
  'docs://a\\b',
  'docs://a%5Cb',
  'docs://a\tb',
  'docs://a/../{id}',
];

const CODES = { tools: 'tool', prompts: 'prompt', resources: 'resource' } as const;

/** A regular expression for each pattern. */
function isMatch(pattern: string, name: string): boolean {
  const pieces = pattern.split('*').map((piece) => piece.replaceAll(/[^\w]/g, '\\$&'));
  return new RegExp(`^${pieces.join('.*')}$`, 's').test(name);
}

/** `deny` wins, and without `allow` everything else is allowed. */
export function whyNotNamed(kind: Kind, rules: Rules, name: string): string | undefined {
  if (!areLimited(kind, rules)) return undefined;
  const { allow, deny = [] } = rules[kind] ?? {};
  const isUnreadable = kind === 'resources' && AMBIGUOUS.includes(name);
  if (name.length > LONGEST || isUnreadable) return `${CODES[kind]}_not_allowed`;
  if (deny.some((pattern) => isMatch(pattern, name))) return `${CODES[kind]}_denied`;
  if (allow?.some((pattern) => isMatch(pattern, name)) ?? true) return undefined;
  return `${CODES[kind]}_not_allowed`;
}

const EXPRESSION = /\{[^}]*\}/;
const EXPANSIONS = ['', 'a', 'secret', 'b/c', '\u{10FFFF}'];

/** A template is refused if one pattern denies all its expansions, or no pattern allows any. */
export function whyNotTemplate(rules: Rules, template: string): string | undefined {
  if (!EXPRESSION.test(template) || AMBIGUOUS.includes(template)) {
    return whyNotNamed('resources', rules, template);
  }
  if (!areLimited('resources', rules)) return undefined;
  const { allow, deny = [] } = rules.resources ?? {};
  const expanded = expansionsOf(template);
  if (deny.some((pattern) => expanded.every((uri) => isMatch(pattern, uri)))) {
    return 'resource_denied';
  }
  const wild = template.replaceAll(new RegExp(EXPRESSION, 'g'), '*');
  const isPossible = allow?.some((pattern) => haveCommon(pattern, wild)) ?? true;
  return isPossible ? undefined : 'resource_not_allowed';
}

/** With each expression replaced by each of a few texts. */
function expansionsOf(template: string): string[] {
  if (!EXPRESSION.test(template)) return [template];
  return EXPANSIONS.flatMap((text) => expansionsOf(template.replace(EXPRESSION, () => text)));
}

/** Whether two texts with wildcards stand for some text in common: character by character. */
function haveCommon(one: string, other: string): boolean {
  if (one === '' && other === '') return true;
  if (one.startsWith('*')) {
    return haveCommon(one.slice(1), other) || (other !== '' && haveCommon(one, other.slice(1)));
  }
  if (other.startsWith('*')) return haveCommon(other, one);
  return one !== '' && one[0] === other[0] && haveCommon(one.slice(1), other.slice(1));
}
