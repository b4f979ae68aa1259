import { commonPasswords } from './common-passwords.ts';

const MIN_CHARACTERS = 12;
const MAX_BYTES = 200;

/** A few characters, again and again. */
const REPETITION = /^(.{1,6})\1+$/su;

/** NFKC, so that one password typed on two keyboards is one password (NIST SP 800-63B, section 3.1.1.2). */
export function normalizePassword(password: string): string {
  return password.normalize('NFKC');
}

/** Why a person may not choose a password, as a sentence for them; `undefined` when they may. */
export function refusalOfPassword(password: string, email: string): string | undefined {
  const normal = normalizePassword(password);
  if ([...normal].length < MIN_CHARACTERS) {
    return `That is too short. Use at least ${MIN_CHARACTERS} characters.`;
  }
  if (isTooLong(normal)) return 'That password is too long. Use a shorter one.';
  const lower = normal.toLowerCase();
  if (commonPasswords.has(lower) || REPETITION.test(lower)) {
    return 'That password is one of the first that an attacker tries. Choose another one.';
  }
  if (lower === email) return 'Choose a password that is not your email address.';
  return undefined;
}

/** True when it is longer than any password. */
export function isTooLong(password: string): boolean {
  return Buffer.byteLength(password) > MAX_BYTES;
}
