import { type Route, routes } from '@gatehouse/contract';
import express from 'express';
import { afterAll } from 'vitest';

/** A path of the pages or of OAuth, as the service registers it with Express. */
export interface RegisteredPath {
  readonly path: string;
  /** In capitals; empty where every method is refused. */
  readonly methods: readonly string[];
}

interface ExpressRoute {
  readonly methods: Readonly<Record<string, boolean>>;
}

const contractPaths: ReadonlySet<string> = new Set(
  Object.values(routes).flatMap((resource: Readonly<Record<string, Route>>) =>
    Object.values(resource).map(({ path }) => path),
  ),
);

/** Records the paths that services of this file register. Those of the management API are in the contract. */
export function recordPaths(): () => readonly RegisteredPath[] {
  const { prototype } = express.Router as unknown as {
    prototype: { route(path: unknown): ExpressRoute };
  };
  const register = prototype.route;
  const found: { path: string; route: ExpressRoute }[] = [];
  prototype.route = function (path) {
    const route = register.call(this, path);
    for (const one of Array.isArray(path) ? path : [path]) found.push({ path: String(one), route });
    return route;
  };
  afterAll(() => {
    prototype.route = register;
  });
  return () => {
    const methods = new Map<string, Set<string>>();
    for (const { path, route } of found) {
      if (contractPaths.has(path)) continue;
      const known = methods.get(path) ?? new Set();
      methods.set(path, known);
      for (const name of Object.keys(route.methods)) {
        if (name !== '_all') known.add(name.toUpperCase());
      }
    }
    return [...methods].map(([path, known]) => ({ path, methods: [...known] }));
  };
}
