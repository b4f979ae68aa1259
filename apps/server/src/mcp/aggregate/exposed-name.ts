import { hash } from 'node:crypto';

/** Stands between an alias and a name. No alias has an underscore, so the first one of these ends the alias. */
const SEPARATOR = '__';

/** Base32 (RFC 4648, section 6) in lower case. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** Bytes of the hash in a shortened name, which give eight characters without padding. */
const HASHED = 5;
const DIGITS = 8;

const OTHER_CHARACTERS = /[^A-Za-z0-9_-]/gu;
const SHORTENED = new RegExp(`_[${ALPHABET}]{${DIGITS}}$`);

/**
 * All that an exposed name depends on: nothing is renamed because something else came, went or moved.
 */
export interface NameSource {
  readonly integrationId: string;
  /** `[a-z0-9-]{1,16}`, or empty for the attachment that exposes names as they are. */
  readonly alias: string;
  /** The name by which the integration lists it. */
  readonly name: string;
  /** Characters of the longest exposed name, from 32 to 64: room for an alias, a few characters and the hash. */
  readonly nameLength: number;
}

/**
 * The name under which a tool or prompt of an integration is listed. One that models and hosts would refuse, as it is
 * too long or has other characters than `[A-Za-z0-9_-]`, is shortened: it ends in a hash of the integration and the
 * name. A name that already ends like a shortened one (`list_projects` does) stays as it is, so that common names stay
 * readable; the way back looks such a name up.
 */
export function exposedNameOf({ integrationId, alias, name, nameLength }: NameSource): string {
  const prefix = prefixOf(alias);
  // One underscore for a code point, also for one that takes two units of UTF-16.
  const readable = name.replace(OTHER_CHARACTERS, '_');
  if (readable === name && prefix.length + name.length <= nameLength) return prefix + name;
  const room = nameLength - prefix.length - 1 - DIGITS;
  return `${prefix}${readable.slice(0, room)}_${hashOf(integrationId, name)}`;
}

/** What each exposed name of an attachment with this alias begins with. */
export function prefixOf(alias: string): string {
  return alias === '' ? '' : alias + SEPARATOR;
}

/** What stands before the first separator; undefined for a name that no alias can begin. */
export function aliasIn(exposedName: string): string | undefined {
  const end = exposedName.indexOf(SEPARATOR);
  return end > 0 ? exposedName.slice(0, end) : undefined;
}

/** Whether an exposed name without its prefix ends like a shortened one. */
export function looksShortened(name: string): boolean {
  return SHORTENED.test(name);
}

function hashOf(integrationId: string, name: string): string {
  const bits = hash('sha256', `${integrationId}\0${name}`, 'buffer').readUIntBE(0, HASHED);
  const digits = bits.toString(ALPHABET.length).padStart(DIGITS, '0');
  return digits.replace(/./g, (digit) => ALPHABET.charAt(Number.parseInt(digit, 32)));
}
