import type { Organization, ValidateIntegrationResponse } from '@gatehouse/contract';
import { type HttpHandler, http } from 'msw';
import { createFixtures, type Fixtures } from './fixtures/create-fixtures.ts';
import { seed } from './fixtures/seed.ts';
import type { Surroundings } from './http/operation.ts';
import { respond } from './http/respond.ts';
import { type MockGatehouseOptions, publicUrlOf } from './options.ts';
import { createAddressPolicy } from './rules/egress.ts';
import { createState, type State } from './state/state.ts';

/** Bearers of the three users that every mock Gatehouse begins with; they outlive a reset. */
export interface MockTokens {
  readonly owner: string;
  readonly admin: string;
  readonly member: string;
}

/** A Gatehouse in memory, with the rules of the service. */
export interface MockGatehouse {
  /** Ends in `/api/v1`. */
  readonly baseUrl: string;
  /** For MSW's `setupServer` or `setupWorker`. */
  readonly handlers: readonly HttpHandler[];
  readonly organization: Organization;
  readonly tokens: MockTokens;
  /** Puts rows in place without a request. */
  readonly fixtures: Fixtures;
  /** Decides what validating an integration answers from now on; `undefined` leaves it to the rules again. */
  setValidation(integrationId: string, outcome: ValidateIntegrationResponse | undefined): void;
  /** Forgets everything but the first organization, its three users and their tokens. */
  reset(): void;
}

/**
 * Makes a mock Gatehouse with one organization and an owner, an admin and a member.
 *
 * @example
 * ```ts
 * const gatehouse = createMockGatehouse({ baseUrl: 'https://gatehouse.example.com' });
 * const server = setupServer(...gatehouse.handlers);
 * ```
 */
export function createMockGatehouse(options: MockGatehouseOptions = {}): MockGatehouse {
  const publicUrl = publicUrlOf(options);
  const addresses = createAddressPolicy(options.allowedNetworks ?? []);
  const beginning = seed();
  let state = stateOf(beginning);
  const surroundings = (): Surroundings => ({ state, publicUrl, addresses });
  const baseUrl = `${publicUrl}/api/v1`;
  return {
    baseUrl,
    handlers: [http.all(below(baseUrl), ({ request }) => respond(surroundings(), request))],
    organization: beginning.organization,
    tokens: beginning.secrets,
    fixtures: createFixtures(surroundings, beginning),
    setValidation(integrationId, outcome) {
      if (outcome === undefined) state.outcomes.delete(integrationId);
      else state.outcomes.set(integrationId, outcome);
    },
    reset() {
      state = stateOf(beginning);
    },
  };
}

/** A pattern without groups, of which MSW decodes nothing: a path may be wrongly percent-encoded. */
function below(baseUrl: string): RegExp {
  return new RegExp(`^${baseUrl.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}/`);
}

function stateOf({ organization, users, tokens }: ReturnType<typeof seed>): State {
  const state = createState();
  state.organizations.set(organization.id, organization);
  for (const user of users) state.users.set(user.id, user);
  for (const token of tokens) state.tokens.set(token.id, token);
  return state;
}
