import { hash, randomBytes } from 'node:crypto';
import { secretPrefixes } from '@gatehouse/contract';
import type { Grant } from '../../src/generated/prisma/client.ts';
import type { OauthTokenKind } from '../../src/generated/prisma/enums.ts';
import { createId } from '../../src/platform/ids.ts';
import type { TestStore } from './store.ts';

const DAY = 24 * 60 * 60_000;

/** A test server, or a store alone. */
interface Stored {
  readonly store: TestStore;
}

/** Writes a grant of an application's own client, by default its owner's, with no token. */
export async function insertGrant(
  { store }: Stored,
  applicationId: string,
  fields: Partial<Omit<Grant, 'id' | 'applicationId' | 'organizationId'>> = {},
): Promise<Grant> {
  const { organizationId, ownerUserId, redirectUris } =
    await store.db.application.findUniqueOrThrow({ where: { id: applicationId } });
  const { id, createdAt } = createId();
  return store.db.grant.create({
    data: {
      id,
      organizationId,
      applicationId,
      userId: ownerUserId,
      clientId: applicationId,
      redirectUri: redirectUris[0] ?? '',
      resources: [`https://gatehouse.example/mcp/${applicationId}`],
      integrationIds: [],
      scopes: ['mcp'],
      createdAt,
      expiresAt: new Date(createdAt.getTime() + 90 * DAY),
      ...fields,
    },
  });
}

interface TokenFields {
  readonly hash?: Buffer<ArrayBuffer>;
  readonly audience?: string;
  readonly scopes?: string[];
  readonly expiresAt?: Date;
  readonly consumedAt?: Date;
  readonly sealed?: Buffer<ArrayBuffer>;
  readonly keyId?: string;
}

/** Writes an OAuth token of a grant, or of an application itself. */
export async function insertOauthToken(
  { store }: Stored,
  of: Grant | { readonly applicationId: string; readonly organizationId: string },
  kind: OauthTokenKind,
  fields: TokenFields = {},
): Promise<string> {
  const { applicationId, organizationId } = of;
  const owner = 'userId' in of ? { userId: of.userId, grantId: of.id } : {};
  const { id, createdAt } = createId();
  await store.db.oauthToken.create({
    data: {
      ...{ id, createdAt, organizationId, applicationId, kind, ...owner },
      clientId: 'clientId' in of ? of.clientId : applicationId,
      hash: randomBytes(32),
      scopes: ['mcp'],
      payload: {},
      expiresAt: new Date(createdAt.getTime() + DAY),
      ...fields,
    },
  });
  return id;
}

/** Writes an access token of a grant, or of an application itself; the token, as its client sends it. */
export async function insertAccessToken(
  stored: Stored,
  of: Grant | { readonly applicationId: string; readonly organizationId: string },
  fields: Pick<TokenFields, 'audience' | 'scopes' | 'expiresAt'>,
): Promise<string> {
  const token = secretPrefixes.accessToken + randomBytes(32).toString('base64url');
  const digest = Buffer.from(hash('sha256', token, 'buffer'));
  await insertOauthToken(stored, of, 'access', { ...fields, hash: digest });
  return token;
}

/** Writes a remembered consent to what a grant allows. */
export async function insertConsent({ store }: Stored, grant: Grant): Promise<string> {
  const { organizationId, userId, applicationId, clientId, redirectUri, resources, scopes } = grant;
  const redirectHost = new URL(redirectUri).host;
  const { id } = await store.db.consent.create({
    data: {
      ...createId(),
      ...{ organizationId, userId, applicationId, clientId, redirectHost, resources, scopes },
    },
  });
  return id;
}

/** Writes an open modern session that is the activity of a grant. */
export async function insertSessionOfGrant(
  { store }: Stored,
  grant: Grant,
  integrationId: string,
): Promise<string> {
  const { organizationId, applicationId, userId } = grant;
  const { id: attachmentId } = await store.db.attachment.findFirstOrThrow({
    where: { applicationId, integrationId },
  });
  const { id, createdAt } = createId();
  await store.db.session.create({
    data: {
      ...{ id, createdAt, organizationId, applicationId, integrationId, attachmentId, userId },
      tokenId: grant.id,
      era: 'modern',
      lastActivityAt: createdAt,
    },
  });
  return id;
}
