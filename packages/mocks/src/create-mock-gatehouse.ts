import type { Organization } from '@gatehouse/contract';
import { type HttpHandler, http } from 'msw';
import { createFixtures, type Fixtures } from './fixtures/create-fixtures.ts';
import { seed } from './fixtures/seed.ts';
import { respondToLink } from './http/connect-page.ts';
import type { Environment } from './http/operation.ts';
import { respond } from './http/respond.ts';
import { type MockGatehouseOptions, publicUrlOf } from './options.ts';
import { createAddressPolicy } from './rules/egress.ts';
import type { ConnectOutcome, MockDiscovery, MockValidation } from './state/outcomes.ts';
import { createState, type State } from './state/state.ts';

/** The bearer tokens of the first three users. They stay valid after a reset. */
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
  /** The first organization, as it is after a reset. */
  readonly organization: Organization;
  readonly tokens: MockTokens;
  /** Adds data without a request. */
  readonly fixtures: Fixtures;
  /** Sets the result of validating an integration. `undefined` restores the default. */
  setValidation(integrationId: string, outcome: MockValidation | undefined): void;
  /** Sets the result of testing a connection to an integration. `undefined` restores the default. */
  setConnectionTest(integrationId: string, outcome: MockValidation | undefined): void;
  /** Sets the result of looking at a URL. `undefined` restores the default. */
  setDiscovery(url: string, outcome: MockDiscovery | undefined): void;
  /**
   * Sets what opening the links does that `POST /integrations/:id/connection/authorize` makes.
   * `undefined` restores the default: it connects.
   */
  setConnectOutcome(integrationId: string, outcome: ConnectOutcome | undefined): void;
  /** Deletes everything except the first organization, its three users and their tokens. */
  reset(): void;
}

/**
 * Creates a mock Gatehouse with one organization, an owner, an admin and a member.
 *
 * @example
 * ```ts
 * const gatehouse = createMockGatehouse({ baseUrl: 'https://gatehouse.example.com' });
 * const server = setupServer(...gatehouse.handlers);
 * ```
 */
export function createMockGatehouse(options: MockGatehouseOptions = {}): MockGatehouse {
  const publicUrl = publicUrlOf(options);
  const addresses = createAddressPolicy(options.allowedNetworks ?? [], publicUrl);
  const initial = seed();
  let state = stateOf(initial);
  const allowedOrigins = [new URL(publicUrl).origin, ...(options.allowedOrigins ?? [])];
  const environment = (): Environment => ({ state, publicUrl, addresses, allowedOrigins });
  const baseUrl = `${publicUrl}/api/v1`;
  return {
    baseUrl,
    handlers: [
      http.all(below(baseUrl), ({ request }) => respond(environment(), request)),
      http.get(below(`${publicUrl}/connect`), ({ request }) =>
        respondToLink(environment(), request),
      ),
    ],
    organization: initial.organization,
    tokens: initial.secrets,
    fixtures: createFixtures(environment, initial),
    setValidation: (integrationId, outcome) => put(state.outcomes, integrationId, outcome),
    setConnectionTest: (integrationId, outcome) =>
      put(state.connectionTests, integrationId, outcome),
    setDiscovery: (url, outcome) => put(state.discoveries, url, outcome),
    setConnectOutcome: (integrationId, outcome) =>
      put(state.connectOutcomes, integrationId, outcome),
    reset() {
      state = stateOf(initial);
    },
  };
}

function put<Value>(map: Map<string, Value>, key: string, value: Value | undefined): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}

/** A pattern without groups, because MSW would fail to decode a path with invalid percent-encoding. */
function below(baseUrl: string): RegExp {
  return new RegExp(`^${baseUrl.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}/`);
}

function stateOf({ organization, users, tokens, node }: ReturnType<typeof seed>): State {
  const state = createState();
  state.nodes.set(node.id, node);
  state.organizations.set(organization.id, organization);
  for (const user of users) state.users.set(user.id, user);
  for (const token of tokens) state.tokens.set(token.id, token);
  return state;
}
