import { type FoundKey, KnownKeys, mayBeginWith, textOf } from './keys.ts';

/** The members and items of a value that are found. Everything else is checked to be JSON, and skipped. */
export interface Shape {
  /** Of an object; undefined if objects are skipped. */
  readonly members?: MembersShape | undefined;
  /** Of each item of an array; undefined if arrays are skipped. */
  readonly items?: Shape | undefined;
  /** Items above this number are only counted. */
  readonly maxItems?: number;
}

interface MembersShape {
  /** Undefined if no member of that key is found. The bytes are a JSON string with its quotes. */
  find(json: Buffer, start: number, end: number): FoundKey | undefined;
  shapeOf(name: string): Shape;
}

/** A value of any kind that is not looked into. */
export const VALUE: Shape = {};

/**
 * An object with known members.
 *
 * @param names of members that are not looked into
 * @param children the other members
 * @param prefix members with keys that begin with this, in lower case, are found too, under this name
 */
export function objectOf(
  names: readonly string[],
  children: Readonly<Record<string, Shape>> = {},
  prefix?: string,
): Shape {
  const shapes = new Map(Object.entries(children));
  const keys = new KnownKeys([...names, ...shapes.keys()]);
  const prefixed = prefix === undefined ? undefined : { name: prefix, isLookAlike: false };
  return {
    members: {
      find: (json, start, end) =>
        keys.find(json, start, end) ??
        (prefixed && mayBeginWith(json, start, end, prefixed.name) ? prefixed : undefined),
      shapeOf: (name) => shapes.get(name) ?? VALUE,
    },
  };
}

/** An object of which every member is found. */
export function recordOf(shape: Shape): Shape {
  return {
    members: {
      find(json, start, end) {
        const name = textOf(json, start, end, end - start);
        return name === null ? undefined : { name, isLookAlike: false };
      },
      shapeOf: () => shape,
    },
  };
}

/** Every value at any depth. A key that parsers may read differently is a look-alike without a name. */
export const EVERYTHING: Shape = {
  members: {
    find(json, start, end) {
      const name = textOf(json, start, end, end - start);
      return { name: name ?? '', isLookAlike: name === null };
    },
    shapeOf: () => EVERYTHING,
  },
  get items() {
    return EVERYTHING;
  },
};

/** An array of such items. */
export function arrayOf(items: Shape, maxItems?: number): Shape {
  return maxItems === undefined ? { items } : { items, maxItems };
}
