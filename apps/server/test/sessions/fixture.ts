import { randomBytes, randomUUID } from 'node:crypto';
import { beforeEach } from 'vitest';
import type { Store } from '../../src/platform/database/store.ts';
import { createId } from '../../src/platform/ids.ts';
import {
  createSessions,
  type SessionCaller,
  type SessionRoute,
  type Sessions,
} from '../../src/sessions/sessions.ts';
import { defaultWindows, type SessionWindows } from '../../src/sessions/windows.ts';
import { createKeyring } from '../../src/vault/keyring.ts';
import { createMac } from '../../src/vault/mac.ts';
import { createVault, type Vault } from '../../src/vault/vault.ts';
import { later } from '../support/use.ts';

const keyring = createKeyring([{ id: 'test', key: randomBytes(32) }]);
const testVault = createVault(keyring);
const mac = createMac(keyring, 'question');

/** The sessions of another node on that store. */
export function openNode(
  store: Store,
  windows: Partial<SessionWindows> = {},
  vault: Vault = testVault,
  onError = throwError,
): Sessions {
  return createSessions({
    store,
    vault,
    mac,
    windows: { ...defaultWindows, ...windows },
    onError,
    onUntakenAnswer: onError,
  });
}

/** A new world and node on that store for each test. */
export function useNode(store: Store): { readonly world: World; readonly node: Sessions } {
  let own: { readonly world: World; readonly node: Sessions } | undefined;
  beforeEach(async () => {
    const node = openNode(store);
    own = { world: await createWorld(store), node };
    return () => node.close();
  });
  return later(() => own);
}

function throwError(error: unknown): void {
  throw error;
}

/** The rows that sessions need. */
export interface World {
  readonly callers: readonly SessionCaller[];
  /** Every application with every integration attached. */
  readonly routes: readonly SessionRoute[];
  readonly applicationIds: readonly string[];
  readonly integrationIds: readonly string[];
}

export async function createWorld({ db }: Store): Promise<World> {
  const { id: organizationId, createdAt } = createId();
  await db.organization.create({ data: { id: organizationId, createdAt, name: 'Test' } });
  const users = [createId(), createId()];
  const applications = [createId(), createId()];
  const integrations = [createId(), createId()];
  await db.user.createMany({
    data: users.map((user) => ({
      ...user,
      organizationId,
      email: `${user.id}@example.com`,
      name: 'User',
      role: 'member' as const,
    })),
  });
  await db.application.createMany({
    data: applications.map((application) => ({
      ...application,
      updatedAt: application.createdAt,
      organizationId,
      ownerUserId: users[0]?.id ?? '',
      name: 'Application',
      clientType: 'public' as const,
    })),
  });
  await db.integration.createMany({
    data: integrations.map((integration) => ({
      ...integration,
      updatedAt: integration.createdAt,
      organizationId,
      name: 'Integration',
      url: 'https://mcp.example.com/mcp',
      category: 'gateway_remote_mcp' as const,
      authMode: 'none' as const,
    })),
  });
  const attachments = applications.flatMap(({ id: applicationId }) =>
    integrations.map(({ id: integrationId }) => ({ ...createId(), applicationId, integrationId })),
  );
  await db.attachment.createMany({ data: attachments.map((row) => ({ ...row, organizationId })) });
  return {
    callers: users.map(({ id }) => ({ subjectId: id, bearerId: randomUUID() })),
    routes: attachments.map(({ id: attachmentId, applicationId, integrationId }) => ({
      organizationId,
      applicationId,
      integrationId,
      attachmentId,
      destination: 'https://mcp.example.com',
    })),
    applicationIds: applications.map(({ id }) => id),
    integrationIds: integrations.map(({ id }) => id),
  };
}

/** The element at that index, which must exist. */
export function at<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new Error(`There is no element ${index}.`);
  return item;
}
