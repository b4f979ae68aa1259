import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findConnectionPage, PER_PAGE } from '../../src/connect/list-page.ts';
import { insertAttempt } from '../../src/credentials/connect/attempts.ts';
import { createConnectLinks } from '../../src/credentials/connect/connect-links.ts';
import { keepGrantsAlive } from '../../src/credentials/oauth/refresh/keep-alive.ts';
import type { TokensToRefresh } from '../../src/credentials/oauth/refresh/lease.ts';
import {
  findLastRevocation,
  takeRevocations,
} from '../../src/credentials/oauth/revocation/outbox.ts';
import { createRoutes } from '../../src/gateway/routes.ts';
import { changesOf } from '../../src/housekeeping.ts';
import { createStoredResponses } from '../../src/http/stored-responses.ts';
import { detachFromGrants } from '../../src/identity/grants/detach-integrations.ts';
import { endAccessOfApplication, endAccessOfMember } from '../../src/identity/grants/end-access.ts';
import { endGrant } from '../../src/identity/grants/end-grant.ts';
import { endOutsideSettings } from '../../src/identity/grants/end-outside-settings.ts';
import { listGrants } from '../../src/identity/grants/list-grants.ts';
import { findTokenCaller, hashToken, touchTokens } from '../../src/identity/tokens.ts';
import type { Db, Store, Tx } from '../../src/platform/database/store.ts';
import { listApplicationIds } from '../../src/resources/access-graph/application-pages.ts';
import { readAccessGraph } from '../../src/resources/access-graph/service.ts';
import {
  countAttachments,
  listApplications,
  listAttachedIntegrations,
} from '../../src/resources/applications/repository.ts';
import { listIntegrations } from '../../src/resources/integrations/repository.ts';
import { claimDue } from '../../src/resources/integrations/revalidation/schedule.ts';
import { listListed } from '../../src/resources/listings/repository.ts';
import {
  deleteTokens,
  listApplicationsWithSecret,
  listMembers,
} from '../../src/resources/members/repository.ts';
import { eraseResponsesWithSecretOf } from '../../src/resources/stored-response-repository.ts';
import { listTokens } from '../../src/resources/tokens/repository.ts';
import { listTools, type ToolsPage } from '../../src/resources/tools/repository.ts';
import { writeActivity, writeUses } from '../../src/sessions/activity-writes.ts';
import {
  endAggregateSessions,
  findAggregateSession,
} from '../../src/sessions/aggregate-session-repository.ts';

import { findBlock } from '../../src/sessions/blocked-tokens.ts';
import { countSessions } from '../../src/sessions/count-sessions.ts';
import { revokeSession } from '../../src/sessions/end-sessions.ts';
import { findSessions } from '../../src/sessions/find-sessions.ts';
import {
  endUnused,
  findByHash,
  findModernSession,
  findSessionBehind,
  isRefused,
} from '../../src/sessions/repository.ts';
import {
  revokeAndCount,
  revokeSessionsOfApplication,
  revokeSessionsOfAttachments,
  revokeSessionsOfConnection,
  revokeSessionsOfIntegration,
  revokeSessionsOfToken,
  revokeSessionsOfTokens,
  revokeSessionsOfUser,
} from '../../src/sessions/revocation.ts';
import { defaultWindows } from '../../src/sessions/windows.ts';
import { usageChangesOf } from '../../src/usage/retention.ts';
import { assertKeysLoaded } from '../../src/vault/key-check.ts';
import { createKeyring } from '../../src/vault/keyring.ts';
import { createMac } from '../../src/vault/mac.ts';
import { createVault } from '../../src/vault/vault.ts';
import { CLIENT, serverAt } from '../credentials/oauth/support/parties.ts';
import { testDatabaseKind } from '../support/database.ts';
import { TESTER, unrecorded } from '../support/events.ts';
import { describeReadsAcrossApplications } from './across-applications.ts';
import { describeAudit } from './audit.ts';
import {
  ARCHIVED,
  BUSY,
  BUSY_APPLICATION,
  EARLIEST,
  MIDDLE_OF_LISTED,
  ORGANIZATIONS,
  RARE_NAME,
  ROWS,
} from './fill.ts';
import { type FilledDatabase, openFilledDatabase } from './filled-database.ts';
import { idOf } from './ids.ts';
import { buffersOf, expectIndexed, PAGE, type Plan } from './plans.ts';

const FILLED_WITHIN = 240_000;
/** Of what is swept, about as many as take 20 ms. */
const BATCH = 1_000;
const ROWS_OF_ORGANIZATION = ROWS / ORGANIZATIONS;

interface Page {
  readonly before: string | undefined;
  readonly take: number;
}

type List = (db: Db, page: Page) => Promise<readonly unknown[]>;

const FIRST: Page = { before: undefined, take: PAGE };

function after(before: string): Page {
  return { before, take: PAGE };
}

const organizationId = idOf('organization', BUSY);
const userId = idOf('user', BUSY);
const viewer = { organizationId, userId };
const applicationId = idOf('application', BUSY_APPLICATION);
const integrationId = idOf('integration', BUSY_APPLICATION);
const earliestId = idOf('application', 0);
const ofEarliest = { organizationId: idOf('organization', EARLIEST), applicationId: earliestId };
/** Of the n-th of the first sessions. */
const attachmentOf = (number: number) => idOf('attachment', ROWS - 1 - number);
const local = { nodeId: userId, live: [], active: [] };
const admin = { windows: defaultWindows, viewOf: () => ({ windows: defaultWindows, local }) };

/** A separate suite, only on PostgreSQL: PGlite has the same planner. */
describe.runIf(testDatabaseKind === 'postgresql')('among a million rows', () => {
  let database: FilledDatabase;
  beforeAll(async () => {
    database = await openFilledDatabase();
  }, FILLED_WITHIN);
  afterAll(() => database?.close());

  const plansOf = (work: (db: Db) => Promise<unknown>): Promise<Plan[]> => database.plansOf(work);

  /** Both pages are read by index, and the deep one costs what the first one costs. */
  async function expectAnyDepth(list: List, deep: Page): Promise<void> {
    const planOf = (page: Page) =>
      plansOf(async (db) => expect(await list(db, page)).toHaveLength(PAGE));
    const first = await planOf(FIRST);
    const further = await planOf(deep);
    expectIndexed(first);
    expectIndexed(further);
    expect(buffersOf(further)).toBeLessThanOrEqual(buffersOf(first) * 1.2);
  }

  test('a page of what a person has connected costs the same at any depth', async () => {
    const planOf = (before: string | undefined) =>
      plansOf(async (db) =>
        expect(await findConnectionPage(db, viewer, before)).toHaveLength(PER_PAGE + 1),
      );
    const first = await planOf(undefined);
    const further = await planOf(idOf('connection', ROWS / 2 + BUSY));
    expectIndexed(first);
    expectIndexed(further);
    expect(buffersOf(further)).toBeLessThanOrEqual(buffersOf(first) * 1.2);
  });

  describe('a page of integrations', () => {
    const deep = after(idOf('integration', ROWS / 5));
    const list =
      (name: string | undefined, includeArchived: boolean): List =>
      (db, page) =>
        listIntegrations(db, viewer, { name, includeArchived }, page);

    test('costs the same at any depth', () => expectAnyDepth(list(undefined, false), deep));

    test('costs the same at any depth, archived ones included', () =>
      expectAnyDepth(list(undefined, true), deep));

    test('is not lengthened by ten thousand archived ones', async () => {
      const keeper = { organizationId: idOf('organization', ARCHIVED), userId };
      const filter = { name: undefined, includeArchived: false };
      const plans = await plansOf(async (db) => {
        expect(await listIntegrations(db, keeper, filter, FIRST)).toHaveLength(54);
      });
      expectIndexed(plans, { removed: 0 });
    });

    test('does not step over the newer ones of other organizations', async () => {
      const earliest = { organizationId: idOf('organization', EARLIEST), userId };
      await expectAnyDepth(
        (db, page) => {
          return listIntegrations(db, earliest, { name: undefined, includeArchived: false }, page);
        },
        after(idOf('integration', 50_000)),
      );
    });

    test.each([
      ['few', RARE_NAME.toLowerCase().slice(2, -2), 3],
      ['none', 'no such name', 0],
    ])('by a name that %s have is looked up in the trigram index', async (_, name, found) => {
      const plans = await plansOf(async (db) => {
        expect(await list(name, false)(db, FIRST)).toHaveLength(found);
      });
      expectIndexed(plans);
      expect(plans[0]?.indexes).toEqual(['Integration_organizationId_name_trgm_idx']);
      expect(buffersOf(plans)).toBeLessThan(300);
    });

    test('by a name that many have ends when the page is full', async () => {
      const plans = await plansOf(async (db) => {
        expect(await list('slack', false)(db, FIRST)).toHaveLength(PAGE);
      });
      expectIndexed(plans, { removed: 10 * PAGE });
    });

    test("by two letters without a match reads only the organization's integrations", async () => {
      const plans = await plansOf(async (db) => {
        expect(await list('qx', false)(db, FIRST)).toEqual([]);
      });
      expectIndexed(plans, { removed: ROWS_OF_ORGANIZATION });
      expect(plans[0]?.indexes).toEqual(['Integration_organizationId_id_active_idx']);
    });
  });

  describe('a page of applications', () => {
    const deep = after(idOf('application', ROWS / 5));
    const own = { organizationId, ownerUserId: userId };

    test.each([
      ['own', { ...own, includeArchived: false }],
      ['own, archived ones included', { ...own, includeArchived: true }],
      ['all', { organizationId, includeArchived: false }],
      ['all, archived ones included', { organizationId, includeArchived: true }],
    ])('costs the same at any depth: %s', (_, scope) =>
      expectAnyDepth((db, page) => listApplications(db, scope, page), deep),
    );

    test.each([
      ['own', { ownerUserId: idOf('user', ARCHIVED) }, 30],
      ['all', {}, 54],
    ])('is not lengthened by ten thousand archived ones: %s', async (_, owner, found) => {
      const archived = idOf('organization', ARCHIVED);
      const scope = { organizationId: archived, ...owner, includeArchived: false };
      const plans = await plansOf(async (db) => {
        expect(await listApplications(db, scope, FIRST)).toHaveLength(found);
      });
      expectIndexed(plans, { removed: 0 });
    });

    test.each([
      ['own', { ownerUserId: idOf('user', EARLIEST) }],
      ['all', {}],
    ])('does not step over the newer ones of other organizations: %s', async (_, owner) => {
      const earliest = idOf('organization', EARLIEST);
      const scope = { organizationId: earliest, ...owner, includeArchived: false };
      const deeper = after(idOf('application', 50_000));
      await expectAnyDepth((db, page) => listApplications(db, scope, page), deeper);
    });

    test('reads the attachments and sessions of that page alone', async () => {
      const ids = Array.from({ length: 50 }, (_, index) =>
        idOf('application', BUSY_APPLICATION - (index + 1) * ORGANIZATIONS),
      );
      const attached = await plansOf((db) => listAttachedIntegrations(db, organizationId, ids));
      expectIndexed(attached);
      expect(buffersOf(attached)).toBeLessThan(1_000);
      expectIndexed(await plansOf((db) => countAttachments(db, ids)));

      const counted = await plansOf((db) => countSessions(db, ids, admin));
      expectIndexed(counted, { sorted: 1_000 });
      expect(buffersOf(counted)).toBeLessThan(2_000);
    });
  });

  test.each<[string, List, Page]>([
    [
      'members',
      (db, page) => listMembers(db, organizationId, page),
      after(idOf('user', MIDDLE_OF_LISTED)),
    ],
    ['tokens', (db, page) => listTokens(db, userId, page), after(idOf('token', MIDDLE_OF_LISTED))],
    ['grants', (db, page) => listGrants(db, userId, page), after(idOf('grant', MIDDLE_OF_LISTED))],
    [
      'sessions',
      async (db, page) => (await findSessions(db, { filter: ofEarliest, ...page }, admin)).rows,
      after(idOf('session', MIDDLE_OF_LISTED)),
    ],
  ])('a page of %s costs the same at any depth', (_, list, deep) => expectAnyDepth(list, deep));

  test.each<ToolsPage>([
    { take: PAGE },
    { take: PAGE, after: 'tool 00300' },
    { take: PAGE, state: 'changed' },
  ])('a page of tools reads those of one integration at most: %o', async (page) => {
    const plans = await plansOf(async (db) =>
      expect(await listTools(db, integrationId, page)).toHaveLength(PAGE),
    );
    expect(plans).toHaveLength(1);
    expectIndexed(plans, { sorted: 2_000, removed: 2_000 });
  });

  test('a page of resources reads those of one integration at most', async () => {
    const kinds = ['resource', 'resource_template'] as const;
    const page = { kinds, after: 'resource key 00500', take: PAGE };
    const plans = await plansOf(async (db) =>
      expect(await listListed(db, integrationId, page)).toHaveLength(PAGE),
    );
    expect(plans).toHaveLength(1);
    expectIndexed(plans, { sorted: 2_000, removed: 2_000 });
  });

  test('the access graph reads and sorts one organization at most', async () => {
    const policyFor = { kind: 'person', userId, role: 'admin', groupIds: [] } as const;
    const filter = { applicationId: undefined, integrationId: undefined };
    const plans = await plansOf(async (db) => {
      const part = { before: undefined, take: 100 };
      const applications = await listApplicationIds(db, organizationId, filter, part);
      const applicationIds = applications.map(({ id }) => id);
      const page = { ...filter, applicationIds, isFirst: true, policyFor };
      return readAccessGraph(db, organizationId, page);
    });
    expectIndexed(plans, { sorted: ROWS_OF_ORGANIZATION, removed: ROWS_OF_ORGANIZATION });
  });

  describeReadsAcrossApplications((work) => plansOf(work));
  describeAudit((work) => plansOf(work));

  describe('one indexed read of a few pages finds', () => {
    const expectLookup = async (work: (db: Db) => Promise<unknown>) => {
      const plans = await plansOf(work);
      expect(plans).toHaveLength(1);
      expectIndexed(plans, { removed: 1 });
      expect(buffersOf(plans)).toBeLessThan(25);
    };

    test('a token by its hash', () =>
      expectLookup(async (db) => {
        expect(await findTokenCaller(db, hashToken('777'))).toBeDefined();
      }));

    test('the route of a gateway URL', () =>
      expectLookup(async (db) => {
        const routes = createRoutes({ ...database.store, db });
        await routes.get(organizationId, `${applicationId}/${integrationId}`);
        routes.close();
      }));

    test('a session by the hash of its id', () =>
      expectLookup(async (db) => {
        expect(await findByHash(db, hashToken('100'), defaultWindows)).toBeDefined();
      }));

    test('an aggregate session by the hash of its id', () =>
      expectLookup(async (db) => {
        expect(await findAggregateSession(db, hashToken('100'))).toBeDefined();
      }));

    test('the session of an attachment behind an aggregate session', () =>
      expectLookup(async (db) => {
        const place = {
          aggregateSessionId: idOf('aggregateSession', 61),
          attachmentId: attachmentOf(61),
        };
        expect(await findSessionBehind(db, place, defaultWindows)).toBeDefined();
      }));

    test('whether that one may begin again', () =>
      expectLookup(async (db) => {
        const place = {
          aggregateSessionId: idOf('aggregateSession', 67),
          attachmentId: attachmentOf(67),
        };
        expect(await isRefused(db, place)).toBe(true);
      }));

    test('the activity session of a token that came back two hundred times', () =>
      expectLookup((db) =>
        findModernSession(db, idOf('attachment', 0), idOf('token', 0), defaultWindows),
      ));

    test('whether a token is refused after its sessions were revoked a hundred times', () =>
      expectLookup((db) => findBlock(db, idOf('attachment', 0), idOf('token', 0))));
  });

  test('an idempotency key is looked up, and its secrets erased, by index', async () => {
    const { store } = database;
    const keyring = createKeyring([{ id: 'k1', key: randomBytes(32) }]);
    const mac = createMac(keyring, 'idempotency');
    const responses = createStoredResponses(store, createVault(keyring), mac);
    const actor = {
      kind: 'person',
      ...viewer,
      role: 'member',
      via: { kind: 'personal_token', id: userId },
      expiresAt: null,
      scopes: [],
    } as const;
    const call = { actor, operation: 'POST /integrations', key: 'fresh', body: {} };
    const plans = await plansOf(async (db) => {
      const answer = async () => ({ status: 201, body: {} });
      await responses.replayOrRun({ db, announce: () => {}, record: () => {} }, call, answer);
      await eraseResponsesWithSecretOf(db, applicationId);
    });
    expectIndexed(plans);
  });

  test('what ends sessions finds them by index', async () => {
    const plans = await plansOf(async (db) => {
      const tx = { db, announce: () => {}, record: () => {} };
      const other = BUSY_APPLICATION - ORGANIZATIONS;
      await revokeSessionsOfApplication(tx, idOf('application', other));
      await revokeSessionsOfAttachments(tx, applicationId, [idOf('attachment', other)]);
      await revokeSessionsOfIntegration(tx, idOf('integration', other));
      await revokeSessionsOfConnection(tx, integrationId, idOf('user', 1));
      await revokeSessionsOfToken(tx, idOf('token', 1));
      await revokeSessionsOfUser(tx, idOf('user', 200));
      await revokeSession(
        tx,
        { id: idOf('session', 20_000), applicationId: earliestId },
        admin,
        TESTER,
      );
    });
    expectIndexed(plans, { removed: ROWS_OF_ORGANIZATION });
  });

  test('what ends grants and access reads those of one application or member', async () => {
    const publicUrl = 'https://gatehouse.example';
    const allowed = {
      redirectUris: ['https://app.example.com/callback'],
      scopes: ['mcp'],
      resources: ['https://api.example.com'],
      allowDynamicClients: true,
    };
    const nothing = { redirectUris: [], scopes: [], resources: [], allowDynamicClients: false };
    const plans = await plansOf(async (db) => {
      const tx = { db, announce: () => {}, record: () => {} };
      const [first, second, third] = [1, 2, 3].map((n) => idOf('application', ROWS - 100 + n));
      await endGrant(tx, { organizationId }, idOf('grant', BUSY), TESTER);
      await detachFromGrants(tx, { id: first ?? '', publicUrl }, [integrationId]);
      await endOutsideSettings(tx, second ?? '', { before: allowed, after: nothing });
      await endAccessOfApplication(db, third ?? '');
      await revokeAndCount(tx, { kind: 'application', id: third ?? '' }, admin);
      await endAccessOfMember(db, idOf('user', 201));
      await deleteTokens(db, idOf('user', 201));
      await revokeAndCount(tx, { kind: 'member', id: idOf('user', BUSY) }, admin);
      await revokeSessionsOfTokens(tx, [idOf('token', 1), idOf('token', 2)]);
      await listApplicationsWithSecret(db, userId, PAGE);
    });
    expectIndexed(plans, { removed: ROWS_OF_ORGANIZATION });
  });

  test('the activity of sessions is written by index', async () => {
    const ages = Array.from({ length: 1_000 }, (_, number) => ({
      id: idOf('session', number * 10 + 1),
      age: 1_000,
    }));
    // What was written is read once more, to see that nothing was left out.
    expectIndexed(await plansOf((db) => writeActivity(db, ages)), { removed: 1_000 });
  });

  test('aggregate sessions, and those behind them, are written by index', async () => {
    const ids = Array.from({ length: 200 }, (_, number) => idOf('aggregateSession', number * 60));
    const ages = ids.map((id) => ({ id, age: 1_000 }));
    expectIndexed(await plansOf((db) => writeUses(db, ages)), { sorted: 200, removed: 200 });
    const ended = idOf('aggregateSession', 61);
    const plans = await plansOf((db) => endAggregateSessions(unrecorded(db), [ended]));
    expect(plans).toHaveLength(2);
    expectIndexed(plans);
  });

  test('sessions that only lists were read in are ended by index', async () => {
    const plans = await plansOf(async (db) => {
      const store = { transaction: (work: (tx: Tx) => unknown) => work(unrecorded(db)) };
      expect(await endUnused(store as unknown as Store, 200)).toHaveLength(200);
    });
    expect(plans).toHaveLength(1);
    expectIndexed(plans, { removed: 200 });
  });

  test('the use of tokens is noted by index', async () => {
    const ids = Array.from({ length: 200 }, (_, number) => idOf('token', number * 7));
    expectIndexed(await plansOf((db) => touchTokens(db, ids)));
  });

  test('revocations that are due, and the last one of a person, are found by index', async () => {
    expectIndexed(await plansOf((db) => takeRevocations(db, 8)));
    const [integrationId, lastUserId] = [idOf('integration', 19_999), idOf('user', 200)];
    expectIndexed(await plansOf((db) => findLastRevocation(db, integrationId, lastUserId)));
  });

  test('grants that nobody uses, and integrations to validate, are found by index', async () => {
    const idle: TokensToRefresh[] = [];
    const refresher = { refresh: async (tokens: TokensToRefresh) => void idle.push(tokens) };
    const { signal } = new AbortController();
    expectIndexed(await plansOf((db) => keepGrantsAlive(db, refresher, signal)));
    expect(idle.length).toBeGreaterThan(PAGE);
    const claimed = plansOf(async (db) => expect(await claimDue(db, 20)).not.toEqual([]));
    expectIndexed(await claimed);
  });

  test('links and attempts of one person are limited by index', async () => {
    const person = { organizationId, userId: idOf('user', 250), integrationId };
    const links = createConnectLinks('https://gatehouse.example');
    const { userId } = person;
    const link = { integration: { id: integrationId }, userId, actor: TESTER, returnTo: undefined };
    const server = serverAt('https://issuer.example.com');
    const leaving = {
      ...person,
      server,
      client: CLIENT,
      scopes: [],
      isSecond: false,
      validationEpoch: 0,
    };
    const secrets = { state: 's'.repeat(43), browser: 'b'.repeat(43) };
    const plans = await plansOf(async (db) => {
      await links.create(unrecorded(db), link);
      await insertAttempt(db, { ...leaving, returnTo: null }, secrets);
    });
    expectIndexed(plans);
  });

  test('the check of encryption keys at the start takes one short read per key', async () => {
    const keyring = createKeyring([{ id: 'k1', key: randomBytes(32) }]);
    const plans = await plansOf((db) => assertKeysLoaded(db, keyring));
    expectIndexed(plans);
    expect(buffersOf(plans)).toBeLessThan(100);
  });

  test('housekeeping finds each batch by index', async () => {
    const plans = await plansOf(async (db) => {
      const changes = [...changesOf(db, defaultWindows), ...usageChangesOf(db, 400)];
      for (const change of changes) await change(BATCH);
    });
    // Twice as much as a batch is sorted in less time than it is read in order.
    const sorted = 4 * BATCH;
    const readsAll = ({ sql }: Plan) => sql.includes('"isOver"');
    expectIndexed(
      plans.filter((plan) => !readsAll(plan)),
      { sorted },
    );
    // Of a batch of old sessions it deletes those that are over.
    expectIndexed(plans.filter(readsAll), { sorted, removed: BATCH });
  });
});
