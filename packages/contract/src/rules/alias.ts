/** Characters of the longest alias. */
const MAX_ALIAS = 16;

/** The name of an integration without any character that an alias may have. */
const NAMELESS = 'integration';

/** Names of the gateway's own tools begin with it. */
export const RESERVED_ALIAS = 'gatehouse';

/** Accents, which NFKD takes off their letters. */
const ACCENTS = /[\u0300-\u036f]+/g;

/** With the empty alias, names stay as they are. */
export const ALIAS_PATTERN = /^[a-z0-9-]{0,16}$/;

/**
 * The alias of an integration that is attached: its name as far as an alias can have it, with a number where that is taken.
 *
 * @param taken the other aliases of the application
 */
export function aliasFor(name: string, taken: ReadonlySet<string>): string {
  const base = baseOf(name);
  if (base !== RESERVED_ALIAS && !taken.has(base)) return base;
  for (let number = 2; ; number += 1) {
    const suffix = `-${number}`;
    const alias = `${cut(base, MAX_ALIAS - suffix.length)}${suffix}`;
    if (!taken.has(alias)) return alias;
  }
}

function baseOf(name: string): string {
  const plain = name.normalize('NFKD').replace(ACCENTS, '').toLowerCase();
  const base = plain.replace(/[^a-z0-9]+/g, '-').replace(/^-/, '');
  return cut(base, MAX_ALIAS) || NAMELESS;
}

function cut(base: string, length: number): string {
  return base.slice(0, length).replace(/-$/, '');
}
