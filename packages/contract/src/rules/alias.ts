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
  const base = slugOf(name, MAX_ALIAS) || NAMELESS;
  if (base !== RESERVED_ALIAS && !taken.has(base)) return base;
  for (let number = 2; ; number += 1) {
    const suffix = `-${number}`;
    const alias = `${cutAtWord(base, MAX_ALIAS - suffix.length)}${suffix}`;
    if (!taken.has(alias)) return alias;
  }
}

/** A name as lower-case words of `a-z0-9` with `-` between them, as many as fit; empty where it has no such character. */
export function slugOf(name: string, length: number): string {
  const plain = name.normalize('NFKD').replace(ACCENTS, '').toLowerCase();
  return cutAtWord(plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, ''), length);
}

/** Only a first word that is longer is cut within. */
function cutAtWord(slug: string, length: number): string {
  if (slug.length <= length) return slug;
  const end = slug.lastIndexOf('-', length);
  return slug.slice(0, end > 0 ? end : length);
}
