import { Stream } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Response } from 'express';
import * as z from 'zod';

/** Items that are validated and written at once: a few milliseconds. */
const PART = 500;

/** A body with lists that may be produced while they are written. */
type InParts<Body> = {
  readonly [Name in keyof Body]: Body[Name] extends readonly (infer Item)[]
    ? Iterable<Item>
    : Body[Name];
};

/**
 * The body of a response with long lists, at its top or in its objects, validated by its schema and written as JSON in
 * parts, so that other requests get their turn in between. It is sent whole, so a slow client only holds text.
 */
export async function jsonInParts<Schema extends z.ZodObject>(
  res: Response,
  schema: Schema,
  body: InParts<z.output<Schema>>,
  { part = PART }: { readonly part?: number } = {},
): Promise<z.output<Schema>> {
  const text = await textOfMembers(schema, body, part);
  res.type('json');
  // ts-rest pipes a stream as it is, and its types leave that out.
  return new Text(text) as unknown as z.output<Schema>;
}

async function textOfMembers(schema: z.ZodObject, body: object, part: number): Promise<string> {
  const given = new Map<string, unknown>(Object.entries(body));
  const members: string[] = [];
  for (const [name, field] of Object.entries(schema.shape)) {
    members.push(`${JSON.stringify(name)}:${await textOf(field, given.get(name), part)}`);
  }
  return `{${members.join()}}`;
}

function textOf(schema: z.core.$ZodType, value: unknown, part: number): string | Promise<string> {
  if (schema instanceof z.ZodObject && typeof value === 'object' && value !== null) {
    return textOfMembers(schema, value, part);
  }
  if (schema instanceof z.ZodArray && isIterable(value)) {
    return textOfItems(schema.element, value, part);
  }
  return JSON.stringify(z.parse(schema, value));
}

async function textOfItems(
  schema: z.core.$ZodType,
  items: Iterable<unknown>,
  part: number,
): Promise<string> {
  const texts: string[] = [];
  // Before the next item is produced, which takes time too.
  await nextTurn();
  for (const item of items) {
    texts.push(JSON.stringify(z.parse(schema, item)));
    if (texts.length % part === 0) await nextTurn();
  }
  return `[${texts.join()}]`;
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

/** Written with one call; its length becomes the Content-Length. */
class Text extends Stream {
  readonly #text: string;

  constructor(text: string) {
    super();
    this.#text = text;
  }

  override pipe<T extends NodeJS.WritableStream>(destination: T): T {
    destination.end(this.#text);
    return destination;
  }
}
