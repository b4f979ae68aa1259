import { afterAll, beforeAll } from 'vitest';

/** What a test ends when it has done with it. */
interface Closable {
  close(): unknown;
}

/**
 * Starts something before the tests of this file, or of this block, and closes it after them.
 *
 * @returns what was started, to be used by tests and by hooks registered later.
 */
export function use<T extends Closable>(start: () => Promise<T>): T {
  let started: T | undefined;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(() => started?.close());
  return later(() => started);
}

/** Stands for an object that is not there yet; its properties can be read once it is. */
export function later<T extends object>(find: () => T | undefined): T {
  const found = (): T => {
    const object = find();
    if (object === undefined) throw new Error('It is used before the hook that makes it has run.');
    return object;
  };
  return new Proxy({} as T, {
    get: (_target, key) => Reflect.get(found(), key),
    has: (_target, key) => Reflect.has(found(), key),
    ownKeys: () => Reflect.ownKeys(found()),
    getOwnPropertyDescriptor: (_target, key) => Reflect.getOwnPropertyDescriptor(found(), key),
  });
}
