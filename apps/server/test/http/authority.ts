import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { Db } from '../../src/platform/database/store.ts';
import { meetAt } from '../support/meet.ts';
import { type Fixture, guarded, makeFixture, requestOf, table } from '../support/operations.ts';
import type { TestServer } from '../support/server.ts';

/*
 * A write takes effect only if the caller's token, membership, role and scopes hold in the transaction
 * that commits it, however long the body took.
 */

const writes = guarded.filter(({ route }) => route.method !== 'GET');
type Write = (typeof writes)[number];

/** What decides how the caller of a write is checked; the writes of a class take the same path through the code. */
function classOf({ route }: Write): string {
  return `${route.access} ${route.idempotency}`;
}

/** The first write of each class, and the others. */
export const firstOfClass = writes.filter(
  (write) => writes.find((other) => classOf(other) === classOf(write)) === write,
);
export const othersOfClass = writes.filter((write) => !firstOfClass.includes(write));

interface Caller {
  readonly userId: string;
  readonly tokenId: string;
  readonly token: string;
}

/** What an admin can lose, and the answer to a request that was still allowed at its first byte. */
const losses = {
  token: {
    take: (db: Db, { tokenId }: Caller) => db.token.delete({ where: { id: tokenId } }),
    statusOf: () => 401,
  },
  membership: {
    take: (db: Db, { userId }: Caller) => db.user.delete({ where: { id: userId } }),
    statusOf: () => 401,
  },
  role: {
    take: (db: Db, { userId }: Caller) =>
      db.user.update({ where: { id: userId }, data: { role: 'member' } }),
    statusOf: (operation: string) => table[operation]?.member,
  },
  // Nothing takes a scope away from a token today; the rule holds all the same.
  scope: {
    take: (db: Db, { tokenId }: Caller) =>
      db.token.update({ where: { id: tokenId }, data: { scopes: ['mcp', 'management:read'] } }),
    statusOf: () => 403,
  },
} as const;

type Loss = keyof typeof losses;

const ALL = ['token', 'membership', 'role', 'scope'] as const satisfies readonly Loss[];
/** With a membership its tokens are deleted: the next look at the caller finds in both cases no token. */
export const DISTINCT: readonly Loss[] = ALL.filter((loss) => loss !== 'membership');

/** Declares the tests of these writes, on one server. */
export function describeAuthority(
  operations: readonly Write[],
  server: TestServer,
  lost: readonly Loss[] = ALL,
): void {
  async function addAdmin(): Promise<Caller> {
    const { id: userId, token } = await server.addMember('admin');
    const { id: tokenId } = await server.store.db.token.findFirstOrThrow({
      where: { userId, kind: 'personal' },
    });
    return { userId, tokenId, token };
  }

  /** Everything that a write could change. */
  async function contents(): Promise<string> {
    const tables = ['Application', 'Attachment', 'Integration', 'Connection', 'Session'];
    const rows = [...tables, 'IntegrationSecret', 'User', 'IdempotencyKey', 'Grant'].map(
      (name) => `SELECT t::text FROM "${name}" t`,
    );
    const tokens = `SELECT "id"::text FROM "Token"`;
    const all = await server.store.db.$queryRawUnsafe(
      `${[...rows, tokens].join(' UNION ALL ')} ORDER BY 1`,
    );
    return JSON.stringify(all);
  }

  /** Sends the head, runs `meanwhile` once the server waits for the body, and then sends the body. */
  async function sendSlowly(
    operation: string,
    { request, token }: { request: ReturnType<typeof requestOf>; token: string },
    meanwhile: () => Promise<unknown>,
  ): Promise<number> {
    const { method, path, body = {} } = request;
    const bytes = Buffer.from(JSON.stringify(body));
    const { hostname, port, host } = new URL(server.origin);
    const socket = connect(Number(port), hostname);
    socket.write(
      [
        `${method} /api/v1${path} HTTP/1.1`,
        `Host: ${host}`,
        `Authorization: Bearer ${token}`,
        `Idempotency-Key: ${operation}-${crypto.randomUUID()}`,
        'Content-Type: application/json',
        `Content-Length: ${bytes.length}`,
        'Expect: 100-continue',
        'Connection: close',
        '\r\n',
      ].join('\r\n'),
    );
    const [continued] = (await new Promise<[Buffer]>((resolve) =>
      socket.once('data', (chunk: Buffer) => resolve([chunk])),
    )) as [Buffer];
    expect(continued.toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    await meanwhile();
    socket.write(bytes);
    return Number((await text(socket)).slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
  }

  /** Serves until a write takes effect: one that is refused changes nothing. */
  let fixture: Fixture | undefined;

  async function prepare(operation: string) {
    const caller = await addAdmin();
    fixture ??= await makeFixture(server, { own: server.owner, admin: server.owner });
    // From now on the caller is cached, and so authorized as soon as the head is read.
    expect((await server.call('GET', '/me', { token: caller.token })).status).toBe(200);
    return { caller, request: requestOf(operation, fixture) };
  }

  describe.each(operations)('$operation', ({ operation }) => {
    it.each(lost)(
      'does nothing for a caller who loses the %s between head and body',
      async (loss) => {
        const { caller, request } = await prepare(operation);
        const { take, statusOf } = losses[loss];
        let before = '';
        const sent = { request, token: caller.token };
        const status = await sendSlowly(operation, sent, async () => {
          await take(server.store.db, caller);
          before = await contents();
        });
        if (status < 400) fixture = undefined;
        expect(status).toBe(statusOf(operation));
        if (status >= 400) expect(await contents()).toBe(before);
      },
    );

    it.each(lost.filter((loss) => loss !== 'scope'))(
      'does nothing for a caller if the loss of their %s commits first',
      async (loss) => {
        const { caller, request } = await prepare(operation);
        const { take, statusOf } = losses[loss];
        const { method, path, body } = request;
        const [response] = await meetAt(server, (db) => take(db, caller), [
          () => server.call(method, path, { token: caller.token, body: body ?? {} }),
        ]);
        if (response === undefined || response.status < 400) fixture = undefined;
        expect(response?.status).toBe(statusOf(operation));
      },
    );
  });
}
