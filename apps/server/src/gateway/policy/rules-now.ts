import type { Catalogue } from '../../catalogue/cached-catalogue.ts';
import type { Catalogues } from '../../catalogue/catalogues.ts';
import type { Route, Routes } from '../routes.ts';

/** The rules of a route, and what is known of its tools. */
export interface RulesNow {
  readonly route: Route;
  /** Undefined where no rule is about definitions of tools. */
  readonly catalogue: Catalogue | undefined;
}

export interface RulesDeps {
  readonly routes: Pick<Routes, 'peek' | 'get'>;
  readonly catalogues: Pick<Catalogues, 'peek' | 'get'>;
}

/** Undefined if something must be read. @param route as it is now */
export function peekRules(
  route: Route,
  { catalogues }: Pick<RulesDeps, 'catalogues'>,
): RulesNow | undefined {
  if (!route.policy?.hasDefinitionRules) return { route, catalogue: undefined };
  const catalogue = catalogues.peek(route.target);
  return catalogue && { route, catalogue };
}

/**
 * The rules of the admitted route, as they are now. The rest stays as admitted: the credential belongs to that upstream.
 * Rejects with ProblemError `not_found`, `not_proxied`.
 */
export async function readRulesFor(
  admitted: Route,
  { routes, catalogues }: RulesDeps,
): Promise<RulesNow> {
  const { organizationId, key } = admitted;
  const { policy } = routes.peek(organizationId, key) ?? (await routes.get(organizationId, key));
  const route = policy === admitted.policy ? admitted : { ...admitted, policy };
  if (!policy?.hasDefinitionRules) return { route, catalogue: undefined };
  const { target } = route;
  return { route, catalogue: catalogues.peek(target) ?? (await catalogues.get(target)) };
}

/** The rules during a response that may take long. */
export class CurrentRules {
  readonly #deps: RulesDeps;
  #last: RulesNow;
  #isReading = false;

  constructor(admitted: RulesNow, deps: RulesDeps) {
    this.#last = admitted;
    this.#deps = deps;
  }

  /** As last read. While something is read again, what was known before. If the route is gone, the call ends anyway. */
  get now(): RulesNow {
    const { routes, catalogues } = this.#deps;
    const { organizationId, key } = this.#last.route;
    try {
      const route = routes.peek(organizationId, key);
      const catalogue = route?.policy?.hasDefinitionRules && catalogues.peek(route.target);
      const isRead = route && (catalogue || !route.policy?.hasDefinitionRules);
      if (!isRead) this.#read();
      const { route: lastRoute, catalogue: lastCatalogue } = this.#last;
      this.#last = { route: route ?? lastRoute, catalogue: catalogue || lastCatalogue };
    } catch {
      return this.#last;
    }
    return this.#last;
  }

  #read(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    const over = (): void => {
      this.#isReading = false;
    };
    readRulesFor(this.#last.route, this.#deps).then(over, over);
  }
}
