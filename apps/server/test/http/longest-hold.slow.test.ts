import { parseJsonBody, requestProblem } from '@gatehouse/contract';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { operations } from '../fuzz/operations.ts';
import { useServer } from '../support/server.ts';
import { fieldsOf } from './expensive/fields.ts';
import { expensiveValues } from './expensive/values.ts';

/**
 * Milliseconds of CPU. One request may hold the process for 50 ms on a free machine; this is ten times
 * as much, and what it is to find took seconds. `bench/holds.mjs` has the real bar.
 */
const BOUND = 500;

/** Characters that fit into a request line. */
const LONG = 12_000;

const server = useServer();
const NOWHERE = '00000000-0000-4000-8000-000000000000';

const bodies = operations.flatMap(({ id, route, entry }) =>
  'body' in entry && entry.body ? [{ id, route, schema: schemaOf(entry.body) }] : [],
);
const queries = operations.flatMap(({ id, route, entry }) =>
  entry.query ? [{ id, route, schema: schemaOf(entry.query) }] : [],
);

function schemaOf(value: unknown): z.core.$ZodType {
  if (value instanceof z.core.$ZodType) return value;
  throw new Error('The contract has a body or query that is no schema of zod.');
}

/** CPU does not grow with the load of the machine as time does. */
async function cpuOf(act: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Measures again if the first time was long: some call includes the compilation of our code. */
async function expectLittle(what: string, act: () => unknown): Promise<void> {
  const cpu = await cpuOf(act);
  if (cpu > BOUND) expect(await cpuOf(act), what).toBeLessThan(BOUND);
}

function judge(schema: z.core.$ZodType, bytes: Uint8Array): void {
  let body: unknown;
  try {
    body = parseJsonBody(bytes);
  } catch {
    return;
  }
  requestProblem({ body: z.safeParse(schema, body).error?.issues });
}

describe('judging what is expensive takes little time', () => {
  const seen = new Set<z.core.$ZodType>();

  it.each(bodies)(
    'in every field of the body of $id',
    async ({ schema }) => {
      for (const field of fieldsOf(schema)) {
        // The same schema costs the same wherever it stands.
        if (seen.has(field.schema) && field.schema !== schema) continue;
        for (const [name, value] of Object.entries(expensiveValues)) {
          const bytes = Buffer.from(field.with(value));
          await expectLittle(`${name} at ${field.pointer}`, () => judge(schema, bytes));
        }
      }
      for (const field of fieldsOf(schema)) seen.add(field.schema);
    },
    600_000,
  );
});

const WHOLE = ['a long text', 'very many names', 'many names', 'many ids', 'nesting at the limit'];

describe('a request that is expensive takes little time', () => {
  async function send(method: string, path: string, body?: string): Promise<void> {
    const answer = await fetch(server.baseUrl + path.replaceAll(/:\w+/g, NOWHERE), {
      method,
      headers: { authorization: `Bearer ${server.owner}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body }),
    });
    expect(answer.status).toBeLessThan(500);
    await answer.arrayBuffer();
  }

  it.each(bodies)(
    'with the body of $id',
    async ({ route: { method, path } }) => {
      for (const name of WHOLE) {
        await expectLittle(name, () => send(method, path, expensiveValues[name]));
      }
    },
    600_000,
  );

  it.each(queries)(
    'with the query of $id',
    async ({ route: { method, path }, schema }) => {
      for (const { pointer } of fieldsOf(schema).filter((field) => field.pointer !== '')) {
        for (const part of ['0', '%C3%A4', `&${pointer.slice(1)}=`]) {
          const query = `${pointer.slice(1)}=${part.repeat(LONG / part.length)}`;
          await expectLittle(query.slice(0, 40), () => send(method, `${path}?${query}`));
        }
      }
    },
    600_000,
  );
});
