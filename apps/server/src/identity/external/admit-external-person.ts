import type { Db, Tx } from '../../platform/database/store.ts';
import { createId } from '../../platform/ids.ts';
import { applyRole } from './apply-role.ts';
import type { ExternalPerson } from './external-person.ts';
import { isFormerMember } from './former-members.ts';

/** Why somebody whom the provider knows does not come in. */
export type ExternalRefusal =
  | 'email_missing'
  | 'email_unverified'
  | 'not_a_member'
  | 'removed'
  | 'linked_to_another';

export type Admitted =
  | { readonly userId: string; readonly refusal?: never }
  | { readonly userId?: never; readonly refusal: ExternalRefusal };

/**
 * The member who has signed in at the provider: by issuer and subject, whatever their email is now; the
 * first time by the verified email; otherwise a new member, where the domain of the email is allowed.
 *
 * @param allowedDomains in lower case
 */
export async function admitExternalPerson(
  tx: Tx,
  person: ExternalPerson,
  allowedDomains: readonly string[],
): Promise<Admitted> {
  const organizationId = await lockOrganization(tx.db);
  const admitted = await findOrCreate(tx.db, organizationId, person, allowedDomains);
  if (admitted.refusal === undefined && person.role !== undefined) {
    await applyRole(tx, admitted.userId, person.role);
  }
  return admitted;
}

/** An installation has one organization. Changes of its members run one after another. */
async function lockOrganization(db: Db): Promise<string> {
  const [organization] = await db.$queryRaw<[{ readonly id: string }]>`
    SELECT "id" FROM "Organization" ORDER BY "id" LIMIT 1 FOR UPDATE`;
  return organization.id;
}

async function findOrCreate(
  db: Db,
  organizationId: string,
  person: ExternalPerson,
  allowedDomains: readonly string[],
): Promise<Admitted> {
  const { issuer, subject, email, isEmailVerified } = person;
  const known = await db.externalIdentity.findUnique({
    where: { issuer_subject: { issuer, subject } },
  });
  if (typeof known?.userId === 'string') return { userId: known.userId };
  if (email === undefined) return { refusal: 'email_missing' };
  if (!isEmailVerified) return { refusal: 'email_unverified' };
  const member = await db.user.findUnique({
    where: { organizationId_email: { organizationId, email } },
    select: { id: true, identities: { where: { issuer }, select: { id: true }, take: 1 } },
  });
  if (member !== null) {
    // The provider has given the email to another person since.
    if (member.identities.length > 0) return { refusal: 'linked_to_another' };
    return link(db, organizationId, person, member.id);
  }
  if (known !== null || (await isFormerMember(db, { organizationId, email }))) {
    return { refusal: 'removed' };
  }
  const domain = email.slice(email.lastIndexOf('@') + 1);
  if (!allowedDomains.includes(domain)) return { refusal: 'not_a_member' };
  const name = person.name ?? email.slice(0, email.lastIndexOf('@'));
  const created = await db.user.create({
    data: { ...createId(), organizationId, email, name, role: 'member' },
  });
  return link(db, organizationId, person, created.id);
}

async function link(
  db: Db,
  organizationId: string,
  { issuer, subject }: ExternalPerson,
  userId: string,
): Promise<Admitted> {
  await db.externalIdentity.upsert({
    where: { issuer_subject: { issuer, subject } },
    create: { ...createId(), organizationId, userId, issuer, subject },
    update: { userId },
  });
  return { userId };
}
