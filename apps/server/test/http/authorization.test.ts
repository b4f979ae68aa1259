import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Fixture,
  guarded,
  makeFixture,
  parametersOf,
  requestOf,
  table,
} from '../support/operations.ts';
import { useServer } from '../support/server.ts';
import { useStranger } from '../support/users.ts';

const server = useServer();
let tokens: Record<'owner' | 'admin' | 'member', string>;
const foreignOwner = useStranger(server);

beforeAll(async () => {
  tokens = {
    owner: server.owner,
    admin: (await server.addMember('admin')).token,
    member: (await server.addMember('member')).token,
  };
});

/** Rows of the user with this token; a member's integration is made by the owner. */
function makeRows(own: string): Promise<Fixture> {
  return makeFixture(server, { own, admin: own === tokens.member ? tokens.owner : own });
}

async function perform(
  operation: string,
  token: string | null,
  fixture: Fixture,
  replacement?: unknown,
): Promise<number> {
  const request = requestOf(operation, fixture);
  const body = replacement ?? request.body;
  const { status } = await server.call(request.method, request.path, {
    token,
    ...(body === undefined ? {} : { body }),
  });
  return status;
}

describe('every operation of the route table', () => {
  it('has a row in this table, and no row is left over', () => {
    expect(Object.keys(table).sort()).toEqual(guarded.map(({ operation }) => operation).sort());
  });

  it.each(guarded)(
    'has an id for each parameter of its path: $operation',
    ({ operation, route }) => {
      const known = parametersOf(route, table[operation]).map(([parameter]) => parameter);
      expect(known).toEqual(route.path.split('/').filter((part) => part.startsWith(':')));
    },
  );
});

describe.each(guarded)('$operation', ({ operation, route }) => {
  it('requires a token, and one that exists', async () => {
    const fixture = await makeRows(tokens.owner);
    expect(await perform(operation, null, fixture)).toBe(401);
    expect(await perform(operation, `gh_pat_${'x'.repeat(43)}`, fixture)).toBe(401);
  });

  it('refuses a token with the scope of the gateway alone', async () => {
    const body = { name: 'MCP client', scopes: ['mcp'] };
    const { secret } = (await server.call('POST', '/tokens', { body })).body;
    const fixture = await makeRows(tokens.owner);
    expect(await perform(operation, secret, fixture)).toBe(operation === 'me.get' ? 200 : 403);
  });

  if (route.method === 'POST')
    it('takes no message of an MCP client, whatever its token allows', async () => {
      const fixture = await makeRows(tokens.owner);
      const message = { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} };
      expect(await perform(operation, tokens.owner, fixture, message)).toBe(400);
    });

  it.each(['owner', 'admin', 'member'] as const)(
    'answers the %s as the table says',
    async (role) => {
      const fixture = await makeRows(tokens.owner);
      expect(await perform(operation, tokens[role], fixture)).toBe(table[operation]?.[role]);
    },
  );

  if (table[operation]?.own !== undefined)
    it('answers a member on their own resource', async () => {
      const fixture = await makeRows(tokens.member);
      expect(await perform(operation, tokens.member, fixture)).toBe(table[operation]?.own);
    });

  const parameters = parametersOf(route, table[operation]);
  if (parameters.length > 0)
    it('hides the ids of another organization', async () => {
      const fixture = await makeRows(foreignOwner.token);
      expect(await perform(operation, tokens.owner, fixture)).toBe(404);
    });

  it.each(parameters.length > 1 ? parameters : [])(
    'hides the id of another organization in place of %s alone',
    async (_parameter, id) => {
      const own = await makeRows(tokens.owner);
      const foreign = await makeRows(foreignOwner.token);
      const mixed = { ...own, [id]: foreign[id] };
      expect(await perform(operation, tokens.owner, mixed)).toBe(404);
    },
  );
});
