import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type ContractRoute, contract, problemSchema, type Route, routes } from '../src/index.ts';

const tables: [string, Record<string, Route>][] = Object.entries(routes);
const routers: Record<string, Record<string, ContractRoute>> = contract;
const flat = tables.flatMap(([resource, table]) =>
  Object.entries(table).map(([name, route]) => ({ id: `${resource}.${name}`, route })),
);

describe('the route table', () => {
  it('has exactly one contract entry with the same method and path for each route, and no more', () => {
    const entries = Object.entries(routers).flatMap(([resource, router]) =>
      Object.entries(router).map(([name, { method, path }]) => ({
        id: `${resource}.${name}`,
        method,
        path,
      })),
    );
    expect(entries).toEqual(flat.map(({ id, route: { method, path } }) => ({ id, method, path })));
  });

  it('travels with each contract entry as metadata', () => {
    for (const [resource, table] of tables) {
      for (const [name, route] of Object.entries(table)) {
        expect(routers[resource]?.[name]?.metadata).toBe(route);
      }
    }
  });

  it('names each method and path once', () => {
    const keys = flat.map(({ route }) => `${route.method} ${route.path}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('puts literal paths before the parameters that would match them', () => {
    for (const [index, { id, route }] of flat.entries()) {
      const pattern = new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/:]+')}$`);
      const shadowed = flat
        .slice(index + 1)
        .filter((later) => later.route.method === route.method && pattern.test(later.route.path));
      expect(shadowed, `${id} comes first`).toEqual([]);
    }
  });

  it('replays the answer of every write for an Idempotency-Key, unless it only looks or hands out', () => {
    const isWrite = (route: Route) => route.method !== 'GET';
    const reads = flat.filter(({ route }) => !isWrite(route));
    const without = flat.filter(({ route }) => isWrite(route) && route.idempotency === 'none');
    expect(reads.every(({ route }) => route.idempotency === 'none')).toBe(true);
    expect(without.map(({ id }) => id)).toEqual([
      // They change nothing that a repetition would change again.
      ...['integrations.discover', 'integrations.validate', 'connections.test'],
      'applications.whatIf',
      // A credential is never kept for a replay.
      'credentials.handOut',
    ]);
  });

  it('imports nothing, so that a client can bundle it alone', async () => {
    const source = await readFile(new URL('../src/routes.ts', import.meta.url), 'utf8');
    expect(source).not.toMatch(/\bimport\b[^.\n]*['"(]|\bfrom\s+['"]|\brequire\(/);
  });
});

describe('the contract', () => {
  const all = Object.values(routers).flatMap((router) => Object.values(router));

  it('answers 201 to creates, 204 to what attaches or adds and to every DELETE but that of a member, 200 otherwise', () => {
    for (const entry of all) {
      const success = Object.keys(entry.responses).filter((status) => Number(status) < 300);
      const isEmpty =
        (entry.method === 'DELETE' && entry !== contract.members.remove) ||
        entry === contract.applications.attachIntegration ||
        entry === contract.groups.addMember;
      const isCreate =
        entry === contract.members.createSignInLink ||
        entry === contract.connections.authorize ||
        Object.values(routers).some((router) => router.create === entry);
      expect(success).toEqual([isEmpty ? '204' : isCreate ? '201' : '200']);
    }
  });

  it('allows no undeclared status and describes each error as a problem document', () => {
    for (const entry of all) {
      expect(entry.strictStatusCodes).toBe(true);
      const errors = Object.entries(entry.responses).filter(([status]) => Number(status) >= 400);
      expect(errors.length).toBeGreaterThan(10);
      for (const [, response] of errors) {
        expect(response).toBe(problemSchema);
      }
    }
  });

  it('checks every path parameter and no other', () => {
    for (const entry of all) {
      const inPath = [...entry.path.matchAll(/:(\w+)/g)].map((match) => match[1]);
      const { pathParams } = entry;
      expect(pathParams instanceof z.ZodObject ? Object.keys(pathParams.shape) : []).toEqual(
        inPath,
      );
    }
  });
});
