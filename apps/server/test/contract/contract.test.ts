import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabaseKind } from '../support/database.ts';
import { mocksCannot } from './mocks-cannot.ts';
import { describeContract, groups, type Refusals } from './suite.ts';
import { startMocks } from './targets/mocks.ts';
import { rawClient } from './targets/raw.ts';
import { sdkClient } from './targets/sdk.ts';
import { startServer } from './targets/server.ts';
import type { Client, Service, Target } from './targets/target.ts';
import { tsRestClient } from './targets/ts-rest.ts';

const clients: Readonly<Record<string, (service: Service) => Client>> = {
  fetch: rawClient,
  sdk: sdkClient,
  'ts-rest': tsRestClient,
};
/** `npm run test:all` adds the other clients of the server. */
const USUAL = ['fetch → server', 'fetch → mocks', 'sdk → mocks'];
const chosen = process.env.GATEHOUSE_CONTRACT_TARGETS?.split(',') ?? USUAL;
/** Clients do not see which database the server has, and the mocks have no database. */
const names = testDatabaseKind === 'postgresql' ? ['fetch → server'] : chosen;
const services = new Map<string, Service>();

beforeAll(async () => {
  // The mocks intercept fetch from then on, so the server's targets keep the one before.
  services.set('server', await startServer());
  services.set('mocks', startMocks());
});
afterAll(async () => {
  for (const service of services.values()) await service.close();
});

function targetOf(name: string): Target {
  const [client = '', wanted = ''] = name.split(' → ');
  const service = services.get(wanted);
  const create = clients[client];
  if (!service || !create) throw new Error(`There is no target ${name}.`);
  return { name, service, client: create(service) };
}

const refusals = new Map(names.map((name): [string, Refusals] => [name, new Map()]));

describe.each(names)('%s', (name) => {
  describeContract(name, () => targetOf(name), refusals.get(name) ?? new Map());
});

const [ofServer, ofMocks] = [refusals.get('fetch → server'), refusals.get('fetch → mocks')];

it.runIf(ofServer && ofMocks)('the mocks refuse in the words of the server', () => {
  const cases = [...(ofServer ?? [])].filter(([name]) => !Object.hasOwn(mocksCannot, name));
  expect(cases.flatMap(([, said]) => said).length).toBeGreaterThan(100);
  const inServer = Object.fromEntries(cases);
  const inMocks = Object.fromEntries(cases.map(([name]) => [name, ofMocks?.get(name)]));
  expect(inMocks).toEqual(inServer);
});

describe('the list of what the mocks cannot do', () => {
  it('names cases that exist', () => {
    const sentences = groups.flatMap(({ cases }) => cases.map(({ name }) => name));
    expect(Object.keys(mocksCannot).filter((name) => !sentences.includes(name))).toEqual([]);
    expect(new Set(sentences).size).toBe(sentences.length);
  });
});
