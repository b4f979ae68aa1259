import { JsonBodyError, parseJsonBody, requestProblem } from '@gatehouse/contract';
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

/** Deeper than any field of a body, with members before and after. */
const nested = (value: string) => `{"a":[{"b":{"c":[0,${value},0]}}]}`;
const nestedSchema = z.object({
  a: z.tuple([z.object({ b: z.object({ c: z.tuple([z.number(), z.unknown(), z.number()]) }) })]),
});

function judge(schema: z.core.$ZodType, body: unknown): void {
  requestProblem({ body: z.safeParse(schema, body).error?.issues });
}

describe('judging what is expensive takes little time', () => {
  const seen = new Set<z.core.$ZodType>();
  /** Those that are not refused as JSON already, by name. */
  const parsed = new Map<string, unknown>();

  it.each(Object.entries(expensiveValues))('as JSON: %s', async (name, value) => {
    const bytes = Buffer.from(nested(value));
    await expectLittle(name, () => {
      try {
        parsed.set(name, nestedSchema.parse(parseJsonBody(bytes)).a[0].b.c[1]);
      } catch (error) {
        expect(error).toBeInstanceOf(JsonBodyError);
      }
    });
  });

  it.each(bodies)(
    'in every field of the body of $id',
    async ({ schema }) => {
      for (const field of fieldsOf(schema)) {
        // The same schema costs the same wherever it stands.
        if (seen.has(field.schema) && field.schema !== schema) continue;
        for (const [name, value] of parsed) {
          const body = field.with(value);
          await expectLittle(`${name} at ${field.pointer}`, () => judge(schema, body));
        }
      }
      for (const field of fieldsOf(schema)) seen.add(field.schema);
    },
    600_000,
  );
});

const WHOLE = ['a long text', 'very many names', 'many names', 'many ids', 'nesting at the limit'];
/** A body of it is read, judged and refused with a long list of names. */
const DEAREST = ['many names'];

/** The operations of a class read a body and refuse it in the same way; what is in it is judged above. */
const classOf = ({ access, idempotency }: (typeof bodies)[number]['route']) =>
  `${access} ${idempotency}`;

function valuesFor({ id, route }: (typeof bodies)[number]): readonly string[] {
  const first = bodies.find((other) => classOf(other.route) === classOf(route));
  return first?.id === id ? WHOLE : DEAREST;
}

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
    async (body) => {
      const { method, path } = body.route;
      for (const name of valuesFor(body)) {
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
