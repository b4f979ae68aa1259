import { randomBytes } from 'node:crypto';
import { tokenDestination } from '@gatehouse/contract';
import { type StoredCredential, serializeCredential } from '../../src/credentials/outcome.ts';
import type { CredentialTarget } from '../../src/credentials/target.ts';
import type { Store } from '../../src/platform/database/store.ts';
import { createId } from '../../src/platform/ids.ts';
import { createKeyring } from '../../src/vault/keyring.ts';
import {
  connectionSealContext,
  integrationSecretSealContext,
} from '../../src/vault/seal-contexts.ts';
import { createVault, type Vault } from '../../src/vault/vault.ts';

export const key = { id: 'test', key: randomBytes(32) };
export const vault = createVault(createKeyring([key]));

/** One organization with one user and any number of integrations, written past the resources. */
export async function createTestOrganization({ db }: Store) {
  const organizationId = (await db.organization.create({ data: { ...createId(), name: 'Test' } }))
    .id;
  const user = { organizationId, email: 'user@example.com', name: 'User', role: 'member' } as const;
  const userId = (await db.user.create({ data: { ...createId(), ...user } })).id;

  return {
    organizationId,
    userId,
    async addIntegration(given: Partial<CredentialTarget>): Promise<CredentialTarget> {
      const { id, createdAt } = createId();
      const target: CredentialTarget = {
        organizationId,
        integrationId: id,
        url: 'https://mcp.example/mcp',
        category: 'gateway_remote_mcp',
        authMode: 'none',
        credentialSchema: null,
        oauthIssuer: undefined,
        oauthClientId: undefined,
        isOauthConfigured: false,
        ...given,
      };
      const { url, category, authMode } = target;
      await db.integration.create({
        data: {
          id,
          organizationId,
          name: 'Test',
          url,
          category,
          authMode,
          createdAt,
          updatedAt: createdAt,
        },
      });
      return target;
    },
    async setServerToken(target: CredentialTarget, token: string, sealer: Vault = vault) {
      const { integrationId, url } = target;
      const destination = tokenDestination(url);
      const row = {
        ...createId(),
        organizationId,
        integrationId,
        kind: 'server_token',
        destination,
      } as const;
      const sealed = sealer.seal(token, integrationSecretSealContext(row));
      return await db.integrationSecret.create({ data: { ...row, ...sealed } });
    },
    async connect(target: CredentialTarget, credential: StoredCredential, sealer: Vault = vault) {
      const { integrationId, url } = target;
      const destination = tokenDestination(url);
      const mode = 'user_token';
      const owner = { organizationId, integrationId, userId, mode, destination } as const;
      const row = { ...createId(), ...owner };
      const sealed = sealer.seal(serializeCredential(credential), connectionSealContext(row));
      return await db.connection.create({ data: { ...row, ...sealed } });
    },
  };
}

export type TestOrganization = Awaited<ReturnType<typeof createTestOrganization>>;
