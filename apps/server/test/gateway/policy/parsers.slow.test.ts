import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram, isRuntimeMissing } from '@gatehouse/harness';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { hostileBodies, oddBodies } from '../../mcp/envelope/hostile-bodies.ts';
import { useRules } from './fixture.ts';

const { fixture, setRules, send } = useRules();
const source = (name: string) => fileURLToPath(new URL(`parsers/${name}`, import.meta.url));

/** Bodies made of pieces that parsers treat differently. */
const piece = fc.constantFrom(
  ...['{', '}', '[', ']', ',', ':', ' ', '"', '\\u0000', '\\u004e', '\u017f', '"name"', '"Name"'],
  ...['"params"', '"Params"', '"param\u017f"', '"method"', '"tools/call"', '"allowed"', '"denied"'],
);
const mutated = fc
  .sample(
    fc
      .tuple(fc.constantFrom(...oddBodies, ...hostileBodies), fc.nat(), piece)
      .map(([{ body }, at, text]) => {
        const index = at % (body.length + 1);
        return Buffer.concat([body.subarray(0, index), Buffer.from(text), body.subarray(index)]);
      }),
    { numRuns: 1_500, seed: 23 },
  )
  .filter(({ length }) => length < 10_000);

const bodies = [...hostileBodies, ...oddBodies].map(({ body }) => body).concat(mutated);
let relayed: readonly Buffer[];

beforeAll(async () => {
  await setRules({
    tools: { allow: ['allowed'] },
    prompts: { deny: ['*'] },
    resources: { deny: ['*'] },
  });
  fixture.upstream.otherwise((exchange) => exchange.respond({ body: {} }));
  const before = fixture.upstream.requests.length;
  for (const body of bodies) await (await send({ body })).text();
  relayed = fixture.upstream.requests.slice(before).map(({ body }) => body);
}, 120_000);

type Parse = (bodies: readonly Buffer[]) => readonly unknown[];

const inNode: Parse = (all) =>
  all.map((body) => {
    try {
      return JSON.parse(body.toString()).params.name ?? null;
    } catch {
      return null;
    }
  });

/** The tools that a program finds in the bodies. */
const by =
  (program: string, ...args: readonly string[]): Parse =>
  (all) => {
    const input = all.map((body) => `${body.toString('base64')}\n`).join('');
    const output = execFileSync(program, args, { input, maxBuffer: 10_000_000 }).toString();
    return output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  };

function inGo(all: readonly Buffer[]): readonly unknown[] {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-go-'));
  try {
    const program = join(folder, 'tool');
    const env = { ...process.env, GOCACHE: join(folder, 'cache'), GO111MODULE: 'off' };
    execFileSync('go', ['build', '-o', program, source('tool.go')], { env });
    return by(program)(all);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const isMissing = (name: string) => isRuntimeMissing(name, findProgram([name], '/usr/bin'));

describe.each<[string, Parse, boolean]>([
  ['Node', inNode, false],
  ['Python', by('python3', source('tool.py')), isMissing('python3')],
  ['Go', inGo, isMissing('go')],
])('%s', (_, parse, isLeftOut) => {
  it.skipIf(isLeftOut)('calls no other tool than the one that was allowed', () => {
    expect(relayed.length).toBeGreaterThan(oddBodies.length);
    const called = parse(relayed);
    expect(called).toHaveLength(relayed.length);
    expect(new Set(called.filter((name) => name !== null))).toEqual(new Set(['allowed']));
  });

  it.skipIf(isLeftOut)('would call another one for some of the refused bodies', () => {
    expect(parse(hostileBodies.map(({ body }) => body))).toContain('denied');
  });
});
