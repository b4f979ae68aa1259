import { randomBytes } from 'node:crypto';
import { hashToken, insertToken } from '../../src/identity/tokens.ts';
import type { Store } from '../../src/platform/database/store.ts';
import { createId } from '../../src/platform/ids.ts';

/** A further organization with an owner, beside the one that the first start made; the owner's token. */
export async function addOrganization({ db }: Store, name = 'Other'): Promise<string> {
  const organization = await db.organization.create({ data: { ...createId(), name } });
  const owner = await db.user.create({
    data: {
      ...createId(),
      organizationId: organization.id,
      email: 'owner@other.example',
      name: 'Other owner',
      role: 'owner',
    },
  });
  const secret = randomBytes(32).toString('base64url');
  await insertToken(db, {
    organizationId: organization.id,
    userId: owner.id,
    kind: 'personal',
    name: 'test',
    hash: Buffer.from(hashToken(secret)),
    scopes: ['mcp', 'management:read', 'management:write'],
    expiresAt: null,
  });
  return secret;
}
