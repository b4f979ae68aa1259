import type { Prisma } from '../../generated/prisma/client.ts';
import type { Db } from '../../platform/database/store.ts';
import { createId } from '../../platform/ids.ts';
import { registrationSealContext } from '../../vault/seal-contexts.ts';
import { type Vault, VaultError } from '../../vault/vault.ts';
import type { RegisteredClient } from './clients/register-client.ts';
import type { UpstreamClient } from './upstream.ts';

/** The key of a registration: another issuer or redirect URI needs another one. */
export interface RegistrationKey {
  readonly organizationId: string;
  readonly integrationId: string;
  readonly issuer: string;
  readonly redirectUri: string;
}

/** A registration that has expired or cannot be opened counts as missing. */
export async function findRegistration(
  { db, vault }: { readonly db: Db; readonly vault: Vault },
  key: RegistrationKey,
): Promise<UpstreamClient | undefined> {
  const { integrationId, issuer, redirectUri, organizationId } = key;
  const row = await db.upstreamRegistration.findUnique({
    where: {
      integrationId_issuer_redirectUri: { integrationId, issuer, redirectUri },
      organizationId,
    },
  });
  if (row === null) return undefined;
  if (row.expiresAt !== null && row.expiresAt.getTime() <= Date.now()) return undefined;
  try {
    const registration = JSON.parse(
      vault.open(row, registrationSealContext(row)),
    ) as RegisteredClient;
    return registration.client;
  } catch (error) {
    if (error instanceof VaultError) return undefined;
    throw error;
  }
}

/** Replaces an earlier registration. Its grants go on, because they hold their client. */
export async function storeRegistration(
  { db, vault }: { readonly db: Db; readonly vault: Vault },
  key: RegistrationKey,
  registration: RegisteredClient,
): Promise<void> {
  const row = { ...createId(), ...key, clientId: registration.client.clientId };
  const sealed = vault.seal(JSON.stringify(registration), registrationSealContext(row));
  const { expiresAt } = registration;
  const data = {
    ...row,
    ...sealed,
    expiresAt: expiresAt === undefined ? null : new Date(expiresAt),
  } satisfies Prisma.UpstreamRegistrationUncheckedCreateInput;
  const { integrationId, issuer, redirectUri } = key;
  await db.upstreamRegistration.upsert({
    where: { integrationId_issuer_redirectUri: { integrationId, issuer, redirectUri } },
    create: data,
    update: data,
  });
}

/** The server has forgotten this client: the next person who connects causes a new registration. */
export async function forgetRegistration(
  db: Db,
  integrationId: string,
  clientId: string,
): Promise<void> {
  await db.upstreamRegistration.deleteMany({ where: { integrationId, clientId } });
}
