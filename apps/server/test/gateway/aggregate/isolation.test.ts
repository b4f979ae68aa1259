import type { Exchange } from '@gatehouse/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { use } from '../../support/use.ts';
import { useFixture } from '../fixture.ts';
import { type AggregateClient, newApplication, openClient } from './aggregate-client.ts';
import { startScriptedServer, toolOf } from './scripted-server.ts';

const PEOPLE = ['ann', 'ben'] as const;
type Person = (typeof PEOPLE)[number];

const fixture = useFixture();
const [first, second] = [
  use(() => startScriptedServer('first')),
  use(() => startScriptedServer('second')),
];
const tokens = {} as Record<Person, string>;
let url: string;
let applicationId: string;

const credentialOf = (person: Person, alias: string) => `${alias}-secret-of-${person}`;
const bearerOf = ({ request }: Exchange) => String(request.headers.authorization).slice(7);

beforeAll(async () => {
  applicationId = await newApplication(fixture);
  url = `${fixture.server.origin}/mcp/${applicationId}`;
  for (const person of PEOPLE) tokens[person] = (await fixture.server.addMember('member')).token;
  for (const [alias, server] of [
    ['first', first],
    ['second', second],
  ] as const) {
    const id = await fixture.integrate({ name: alias, url: server.url, authMode: 'user_token' });
    await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
    for (const person of PEOPLE) {
      const connection = { token: credentialOf(person, alias) };
      await fixture.api('POST', `/integrations/${id}/connection`, connection, tokens[person]);
    }
    server.on('tools/list', (exchange) =>
      exchange.respondResult({ tools: [toolOf('echo'), toolOf(bearerOf(exchange))] }),
    );
    server.on('tools/call', (exchange) =>
      exchange.respondResult({ content: [{ type: 'text', text: bearerOf(exchange) }] }),
    );
  }
});

const openFor = (person: Person, era: 'legacy' | 'modern') => openClient(url, tokens[person], era);

/** Who was named by what a server has received in each of its sessions. */
function peopleBySession(): Map<string, Set<string>> {
  const people = new Map<string, Set<string>>();
  for (const server of [first, second]) {
    for (const { headers } of server.requests) {
      const session = headers['mcp-session-id'];
      const bearer = String(headers.authorization);
      if (session === undefined) continue;
      people.set(String(session), (people.get(String(session)) ?? new Set()).add(bearer));
    }
  }
  return people;
}

describe.each(['legacy', 'modern'] as const)('two people at one URL, in the %s era', (era) => {
  it('call with their own credentials, however their calls meet', async () => {
    const clients = await Promise.all(PEOPLE.map((person) => openFor(person, era)));
    const calls = Array.from({ length: 40 }, async (_, index) => {
      const person = PEOPLE[index % 2] as Person;
      const alias = index % 3 === 0 ? 'first' : 'second';
      const { body } = await (clients[index % 2] as AggregateClient).call(`${alias}__echo`);
      expect(body.result.content[0].text).toBe(credentialOf(person, alias));
    });
    await Promise.all(calls);
  });

  it('are each shown their own lists', async () => {
    const lists = PEOPLE.map(async (person) => (await openFor(person, era)).listTools());
    for (const [index, person] of PEOPLE.entries()) {
      expect((await lists[index])?.names).toEqual([
        'first__echo',
        `first__${credentialOf(person, 'first')}`,
        'second__echo',
        `second__${credentialOf(person, 'second')}`,
      ]);
    }
  });

  it('cannot call what only the other is shown', async () => {
    const ben = await openFor('ben', era);
    const { body } = await ben.call(`first__${credentialOf('ann', 'first')}`);
    expect(body.result.content[0].text).toBe(credentialOf('ben', 'first'));
  });
});

it('each session of a server was used with one credential', () => {
  const sessions = peopleBySession();
  expect(sessions.size).toBeGreaterThan(3);
  for (const bearers of sessions.values()) expect(bearers.size).toBe(1);
});

it('no server has received a token of ours, or a credential for the other', () => {
  for (const token of Object.values(tokens)) {
    expect(first.hasReceived(token)).toBe(false);
    expect(second.hasReceived(token)).toBe(false);
  }
  for (const person of PEOPLE) {
    expect(first.hasReceived(credentialOf(person, 'second'))).toBe(false);
    expect(second.hasReceived(credentialOf(person, 'first'))).toBe(false);
  }
});

it('a session of another person does not exist, on any method', async () => {
  const ann = await openFor('ann', 'legacy');
  const ben = await openFor('ben', 'legacy');
  const before = first.requests.length;
  for (const method of ['POST', 'DELETE', 'GET']) {
    const answer = await ben.send({ method, headers: ann.headers });
    expect([404, 405]).toContain(answer.status);
  }
  expect(first.requests.length).toBe(before);
  expect((await ann.call('first__echo')).status).toBe(200);
});

it('a person who connects another account is shown the lists of that one', async () => {
  const { id, token } = await fixture.server.addMember('member');
  expect(id).toBeDefined();
  const { body } = await fixture.api('GET', `/applications/${applicationId}`);
  const { id: integrationId } = body.application.integrations.find(
    ({ alias }: { alias: string }) => alias === 'first',
  );
  const connect = (secret: string) =>
    fixture.api('POST', `/integrations/${integrationId}/connection`, { token: secret }, token);
  await connect('one-account');
  const client = await openClient(url, token, 'legacy');
  expect((await client.listTools()).names).toContain('first__one-account');
  await connect('other-account');
  const { names } = await client.listTools();
  expect(names).toContain('first__other-account');
  expect(names).not.toContain('first__one-account');
  expect((await client.call('first__echo')).body.result.content[0].text).toBe('other-account');
});
