import fc from 'fast-check';
import { expect, it } from 'vitest';
import { exportOf, makeInstallation, seal, verifyLines } from './make-export.ts';

const made = makeInstallation();
const [oldKey, newKey] = made.keys;
const options = { key: oldKey.key.publicKey };
const lines = exportOf(made);

type Path = readonly (string | number)[];

/** Where each value of a line is, beside those that are empty. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...path, key]));
}

/** The same value with one bit of one place flipped. */
function withFlipped(value: unknown, path: Path, random: number): unknown {
  const [key, ...rest] = path;
  if (key !== undefined) {
    const copy = Array.isArray(value) ? [...value] : { ...(value as object) };
    Reflect.set(copy, key, withFlipped(Reflect.get(copy, key), rest, random));
    return copy;
  }
  if (typeof value === 'number') return value ^ (1 << (random % 8));
  if (typeof value === 'boolean') return !value;
  if (typeof value !== 'string') return 'x';
  const place = random % value.length;
  const flipped = String.fromCharCode(value.charCodeAt(place) ^ (1 << (random % 4)));
  return value.slice(0, place) + flipped + value.slice(place + 1);
}

/** Each place of a block or an event, and the block that it is in. */
const places = lines.flatMap((line, index) => {
  const parsed = JSON.parse(line);
  // The last event is in no block, and only the end line covers it.
  if (!['block', 'event'].includes(parsed.type) || index === lines.length - 2) return [];
  const block = lines.slice(0, index + 1).findLast((one) => one.startsWith('{"type":"block"'));
  const { run, number } = JSON.parse(block ?? '');
  return pathsIn(parsed).map((path) => {
    // A block with another number is named by that.
    const where = path.at(-1) === 'number' && path.length === 1 ? { run } : { run, number };
    return { index, path, where };
  });
});

it('a flipped bit of any field is found in its block, although the file ends as the server ends it', async () => {
  expect(places.length).toBeGreaterThan(500);
  const random = fc.sample(fc.nat(), places.length);
  for (const [place, { index, path, where }] of places.entries()) {
    const value = withFlipped(JSON.parse(lines[index] ?? ''), path, random[place] ?? 0);
    const flipped = JSON.stringify(value);
    const { findings } = await verifyLines(seal(lines.with(index, flipped), newKey), options);
    expect(findings, `${path}: ${flipped}`).toContainEqual(expect.objectContaining(where));
  }
});
