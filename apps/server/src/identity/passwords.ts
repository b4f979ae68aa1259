import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { Tx } from '../platform/database/store.ts';
import { ProblemError } from '../platform/problem-error.ts';
import { type SlotLimits, Slots, type Turn } from '../platform/slots.ts';
import type { Actor } from './actor.ts';
import { deleteBrowserSessionsOf } from './browser-sessions.ts';
import { isTooLong, normalizePassword } from './password-rules.ts';
import { deleteSignInLinks } from './sign-in-links.ts';

/** The cost of a hash. */
interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** A stored hash, taken apart. */
interface ParsedHash {
  readonly cost: Cost;
  readonly salt: Buffer;
  readonly key: Buffer;
}

/** OWASP Password Storage Cheat Sheet, "scrypt". It takes 128 MiB. */
const COST: Cost = { N: 2 ** 17, r: 8, p: 1 };
const MAX_MEMORY = 160 * 1024 * 1024;
const SALT_BYTES = 16;
const KEY_BYTES = 32;

/** Verified where there is no hash, so that it takes as long. No password has this key. */
const DUMMY: ParsedHash = {
  cost: COST,
  salt: randomBytes(SALT_BYTES),
  key: randomBytes(KEY_BYTES),
};

/** PHC string format: `$scrypt$ln=17,r=8,p=1$salt$key`, in base64 without padding. */
const PHC = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d)\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/;

/**
 * Two at a time, because each takes 128 MiB and a thread of libuv's four. The last in the queue waits for
 * ten seconds or so.
 */
export const passwordSlots: SlotLimits = {
  running: 2,
  waiting: 60,
  maxWait: 15_000,
  // One address holds up no other: the second slot is free for it.
  ofKey: { running: 1, waiting: 20 },
  refusal: () =>
    new ProblemError('overloaded', 'Many people are signing in just now. Try again soon.', {
      headers: { 'Retry-After': '5' },
    }),
};
const slots = new Slots(passwordSlots);

/** The hash of a new password, as a PHC string. @throws ProblemError `overloaded` */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await slots.run(() => derive(normalizePassword(password), salt, COST));
  return `$scrypt$ln=${Math.log2(COST.N)},r=${COST.r},p=${COST.p}$${base64Of(salt)}$${base64Of(key)}`;
}

/**
 * Compares a password with a hash. It takes as long when there is no hash, because there is no
 * such person or they have no password, and is then false.
 *
 * @param turn when the attempt goes, if many wait
 * @throws ProblemError `overloaded`
 */
export async function verifyPassword(
  hash: string | null,
  password: string,
  turn: Turn,
): Promise<boolean> {
  const parsed = hash === null ? undefined : parse(hash);
  const { cost, salt, key } = parsed ?? DUMMY;
  const normal = normalizePassword(password);
  const given = isTooLong(normal) ? '' : normal;
  const derived = await slots.run(() => derive(given, salt, cost), turn);
  return timingSafeEqual(derived, key) && parsed !== undefined && given === normal;
}

function derive(password: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, KEY_BYTES, { ...cost, maxmem: MAX_MEMORY }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}

function parse(hash: string): ParsedHash {
  const [, ln, r, p, salt, key] = PHC.exec(hash) ?? [];
  if (salt === undefined || key === undefined) {
    throw new TypeError('A stored password hash has an unknown format.');
  }
  return {
    cost: { N: 2 ** Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    key: Buffer.from(key, 'base64'),
  };
}

function base64Of(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}

interface ChosenPassword {
  readonly userId: string;
  /** By `hashPassword`, before the transaction. */
  readonly passwordHash: string;
  /** The hash that the present password was compared with; left out where a link allows the change. */
  readonly previousHash?: string | null;
}

/**
 * Stores a new password, in its own transaction or that of the link that allows it. Ends the person's
 * browser sessions and other links, because someone else may have them.
 *
 * @returns false when the member is gone or the password has changed since
 */
export async function storePassword(
  { db, record, announce }: Pick<Tx, 'db' | 'record' | 'announce'>,
  chosen: ChosenPassword,
  actor: Actor,
): Promise<boolean> {
  const { userId, passwordHash, previousHash } = chosen;
  const { count } = await db.user.updateMany({
    where: { id: userId, ...(previousHash === undefined ? {} : { passwordHash: previousHash }) },
    data: { passwordHash },
  });
  if (count === 0) return false;
  await deleteBrowserSessionsOf({ db, announce }, userId);
  await deleteSignInLinks(db, userId);
  record({ action: 'member.password_set', actor, targetId: userId });
  return true;
}
