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
/** Rows for what is refused or only reads. The last test of this file shows that nothing has changed them. */
let kept: { own: Fixture; foreign: Fixture };
let keptContents: string;
const foreignOwner = useStranger(server);

beforeAll(async () => {
  tokens = {
    owner: server.owner,
    admin: (await server.addMember('admin')).token,
    member: (await server.addMember('member')).token,
  };
  kept = { own: await makeRows(tokens.owner), foreign: await makeRows(foreignOwner.token) };
  keptContents = await contentsOfKept();
});

/** Rows of the user with this token; a member's integration is made by the owner. */
function makeRows(own: string): Promise<Fixture> {
  return makeFixture(server, { own, admin: own === tokens.member ? tokens.owner : own });
}

/** Every row of the kept ones, and every row that names one of them. */
async function contentsOfKept(): Promise<string> {
  const ids = [kept.own, kept.foreign].flatMap((fixture) => Object.values(fixture));
  const tables = ['Integration', 'IntegrationSecret', 'Application', 'Attachment', 'Connection'];
  const rows = [...tables, 'Session', 'Token', 'User', 'Grant', 'Group', 'GroupMember'].map(
    (name) => `SELECT '${name}' || t::text AS "row" FROM "${name}" t`,
  );
  const all = await server.store.db.$queryRawUnsafe<{ row: string }[]>(
    `${rows.join(' UNION ALL ')} ORDER BY 1`,
  );
  return all
    .map(({ row }) => row)
    .filter((row) => ids.some((id) => row.includes(id)))
    .join('\n');
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
  const parameters = parametersOf(route, table[operation]);
  const rowsFor = (status: number | undefined) => {
    const changesRows = parameters.length > 0 && route.method !== 'GET' && (status ?? 0) < 400;
    return changesRows ? makeRows(tokens.owner) : kept.own;
  };

  it('requires a token, and one that exists', async () => {
    expect(await perform(operation, null, kept.own)).toBe(401);
    expect(await perform(operation, `gh_pat_${'x'.repeat(43)}`, kept.own)).toBe(401);
  });

  it('refuses a token with the scope of the gateway alone', async () => {
    const body = { name: 'MCP client', scopes: ['mcp'] };
    const { secret } = (await server.call('POST', '/tokens', { body })).body;
    expect(await perform(operation, secret, kept.own)).toBe(operation === 'me.get' ? 200 : 403);
  });

  if (route.method === 'POST')
    it('takes no message of an MCP client, whatever its token allows', async () => {
      const message = { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} };
      expect(await perform(operation, tokens.owner, kept.own, message)).toBe(400);
    });

  it.each(['owner', 'admin', 'member'] as const)(
    'answers the %s as the table says',
    async (role) => {
      const status = table[operation]?.[role];
      expect(await perform(operation, tokens[role], await rowsFor(status))).toBe(status);
    },
  );

  if (table[operation]?.own !== undefined)
    it('answers a member on their own resource', async () => {
      const fixture = await makeRows(tokens.member);
      expect(await perform(operation, tokens.member, fixture)).toBe(table[operation]?.own);
    });

  if (parameters.length > 0)
    it('hides the ids of another organization', async () => {
      expect(await perform(operation, tokens.owner, kept.foreign)).toBe(404);
    });

  it.each(parameters.length > 1 ? parameters : [])(
    'hides the id of another organization in place of %s alone',
    async (_parameter, id) => {
      const mixed = { ...kept.own, [id]: kept.foreign[id] };
      expect(await perform(operation, tokens.owner, mixed)).toBe(404);
    },
  );
});

describe('an operation that is refused, or only reads', () => {
  it('changes nothing', async () => {
    expect(keptContents).toContain(kept.foreign.session);
    expect(await contentsOfKept()).toBe(keptContents);
  });
});
