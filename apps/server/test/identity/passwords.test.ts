import { describe, expect, it } from 'vitest';
import { refusalOfPassword } from '../../src/identity/password-rules.ts';
import { hashPassword, passwordSlots, verifyPassword } from '../../src/identity/passwords.ts';
import { Slots } from '../../src/platform/slots.ts';
import { observeScrypt, useRealScrypt } from '../support/scrypt.ts';

/** Python: hashlib.scrypt(b'correct horse battery', salt=bytes(range(16)), n=2**17, r=8, p=1, dklen=32) */
const DERIVED_ELSEWHERE =
  '$scrypt$ln=17,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$r17NvsAt3wR6PfK0lC4hewtpyA/TJ24ZI6u+DRyA6ok';

describe('a password', () => {
  it('is stored as scrypt with its own salt, at the cost that OWASP recommends', async () => {
    const [first, second] = await Promise.all([
      hashPassword('seven grey herons'),
      hashPassword('seven grey herons'),
    ]);
    expect(first).toMatch(/^\$scrypt\$ln=17,r=8,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(first).not.toBe(second);
  });

  it('is recognized, and no other is', async () => {
    const hash = await hashPassword('seven grey herons');
    expect(await verifyPassword(hash, 'seven grey herons', {})).toBe(true);
    expect(await verifyPassword(hash, 'Seven grey herons', {})).toBe(false);
    expect(await verifyPassword(hash, '', {})).toBe(false);
    expect(await verifyPassword(hash, 'x'.repeat(100_000), {})).toBe(false);
  });

  it('is the same in either Unicode form', async () => {
    const hash = await hashPassword('Zürich, Genève, Ñ'.normalize('NFC'));
    expect(await verifyPassword(hash, 'Zürich, Genève, Ñ'.normalize('NFD'), {})).toBe(true);
  });

  it('a person without a password is refused after the same hashing work', async () => {
    const costs = observeScrypt();
    expect(await verifyPassword(null, 'another password', {})).toBe(false);
    expect(await verifyPassword(DERIVED_ELSEWHERE, 'another password', {})).toBe(false);
    expect(costs).toHaveLength(2);
    expect(costs[0]).toEqual(costs[1]);
  });

  it('with a stored hash that nobody can read is an error, not a refusal', async () => {
    await expect(verifyPassword('$argon2id$v=19$…', 'x', {})).rejects.toThrow('unknown format');
  });

  describe('at its real cost', () => {
    useRealScrypt();

    it('is recognized where it was derived elsewhere with these parameters, and no other is', async () => {
      const verify = (password: string) => verifyPassword(DERIVED_ELSEWHERE, password, {});
      expect(await verify('correct horse battery')).toBe(true);
      expect(await verify('Correct horse battery')).toBe(false);
    });
  });
});

describe('a new password', () => {
  const refusal = (password: string) => refusalOfPassword(password, 'someone@example.com');

  it.each([
    ['too short', 'short pass!', 'at least 12'],
    ['too short in characters, not in bytes', '🦩🦩🦩🦩🦩🦩', 'at least 12'],
    ['too long', 'a long sentence '.repeat(13), 'too long'],
    ['among the commonest', '1q2w3e4r5t6y', 'one of the first'],
    ['among the commonest, in capitals', '1Q2W3E4R5T6Y', 'one of the first'],
    ['one letter', 'aaaaaaaaaaaaaaaa', 'one of the first'],
    ['a short word again and again', 'qwertyQwerty', 'one of the first'],
    ["the person's email", 'Someone@Example.com', 'not your email'],
  ])('is refused when it is %s', (_name, password, reason) => {
    expect(refusal(password)).toContain(reason);
  });

  it.each(['seven grey herons', 'пароль из слов', '🦩 and a few words'])(
    'may be %s',
    (password) => {
      expect(refusal(password)).toBeUndefined();
    },
  );
});

describe('the queue', () => {
  it('runs two at a time in order, and refuses what is too much', async () => {
    const queue = new Slots({ ...passwordSlots, waiting: 2 });
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const run = (i: number) =>
      queue.run(() => {
        begun.push(i);
        return new Promise<void>((resolve) => ends.push(resolve));
      });
    const all = [run(0), run(1), run(2), run(3)];
    await expect(run(4)).rejects.toMatchObject({ code: 'overloaded' });
    expect(begun).toEqual([0, 1]);
    for (let i = 0; i < 4; i += 1) {
      ends[i]?.();
      await all[i];
    }
    expect(begun).toEqual([0, 1, 2, 3]);
    const failing = queue.run(() => Promise.reject(new Error('failed')));
    await expect(failing).rejects.toThrow('failed');
    expect(await queue.run(async () => 'free again')).toBe('free again');
  });
});
