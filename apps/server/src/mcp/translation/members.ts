import { KnownKeys, mayBeginWith, textOf } from '../json/keys.ts';
import type { Span } from '../json/node.ts';

/** An object of a message that is looked into, and the members that are looked for in it. */
export interface Place {
  readonly keys: KnownKeys;
  /** Members with keys that begin with this, in lower case, are found too, under this name. */
  readonly prefix: string | undefined;
  /** Every member is found. */
  readonly isWhole: boolean;
  /** The objects in it that are looked into, by their keys; those of a whole place share one. */
  placeOf(name: string): Place | undefined;
}

/** A member that was found. */
export interface Member {
  readonly name: string;
  /** How many members come before it. */
  readonly index: number;
  readonly keyStart: number;
  /** Where what comes before it ends: another member, or the brace. */
  readonly lastEnd: number;
  /** Where the key of the next member begins; undefined for the last one. */
  nextKey: number | undefined;
  value: Span;
  /** Of a value that is looked into. */
  object: ObjectSpan | undefined;
}

/** An object that was looked into. */
export interface ObjectSpan {
  readonly start: number;
  end: number;
  /** Of all members. */
  count: number;
  readonly members: Member[];
}

/** @param children the objects that are looked into, by their keys */
export function placeOf(
  names: readonly string[],
  children: Readonly<Record<string, Place>> = {},
  prefix?: string,
): Place {
  const places = new Map(Object.entries(children));
  const keys = new KnownKeys([...names, ...places.keys()]);
  return { keys, prefix, isWhole: false, placeOf: (name) => places.get(name) };
}

/** A place with members of any name. */
export function wholePlace(child: Place): Place {
  return { keys: new KnownKeys([]), prefix: undefined, isWhole: true, placeOf: () => child };
}

/** The name of a member of a place; undefined if it is not looked for. */
export function soughtName(
  place: Place,
  json: Buffer,
  start: number,
  end: number,
): string | undefined {
  if (place.isWhole) return textOf(json, start, end, end - start) ?? undefined;
  const found = place.keys.find(json, start, end);
  if (found !== undefined) return found.isLookAlike ? undefined : found.name;
  const { prefix } = place;
  return prefix !== undefined && mayBeginWith(json, start, end, prefix) ? prefix : undefined;
}

/** The one member of that name. */
export function memberOf(object: ObjectSpan | undefined, name: string): Member | undefined {
  return object?.members.find((member) => member.name === name);
}
