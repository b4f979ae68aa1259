import type { EventRequest } from '@gatehouse/contract';
import type { Role } from '../../generated/prisma/enums.ts';
import type { Db, Tx } from '../../platform/database/store.ts';
import { createId } from '../../platform/ids.ts';
import { type PersonActor, signingIn } from '../actor.ts';
import { deleteSignInLinks } from '../sign-in-links.ts';
import { followGroups } from './follow-groups.ts';
import { isFormerMember } from './former-members.ts';

/** A person who signed in at an OpenID Connect provider, by its claims. */
export interface ExternalPerson {
  readonly issuer: string;
  /** The provider's `sub`: it never changes and is never reassigned. */
  readonly subject: string;
  /** In lower case; undefined without a valid email. */
  readonly email: string | undefined;
  readonly isEmailVerified: boolean;
  readonly name: string | undefined;
  /** Undefined if the provider does not decide about roles. */
  readonly role: 'admin' | 'member' | undefined;
  /** The external ids of their groups. Undefined if the provider does not say. */
  readonly groups: readonly string[] | undefined;
}

/** Why a person that the provider knows is not let in. */
export type ExternalRefusal =
  | 'email_missing'
  | 'email_unverified'
  | 'not_a_member'
  | 'removed'
  | 'linked_to_another';

interface Found {
  readonly userId: string;
  readonly refusal?: never;
  /** Of groups that the provider puts the person into, and that have no room. */
  readonly fullGroupIds?: readonly string[];
}

export type Admitted = Found | { readonly userId?: never; readonly refusal: ExternalRefusal };

/**
 * The member who has signed in at the provider: by issuer and subject, whatever their email is now; the
 * first time by the verified email; otherwise a new member, where the domain of the email is allowed. Their
 * role and groups follow what the provider says of them.
 *
 * @param allowedDomains in lower case
 */
export async function admitExternalPerson(
  tx: Tx,
  person: ExternalPerson,
  allowedDomains: readonly string[],
  request?: EventRequest,
): Promise<Admitted> {
  const organizationId = await lockOrganization(tx.db);
  const admitted = await findOrCreate(tx, organizationId, person, allowedDomains, request);
  if (admitted.refusal !== undefined) return admitted;
  const actor = signingIn(organizationId, admitted.userId, request);
  if (person.role !== undefined) await applyRole(tx, actor, person.role);
  if (person.groups === undefined) return admitted;
  return { ...admitted, fullGroupIds: await followGroups(tx, actor, person.groups) };
}

/** An installation has one organization. Changes of its members run one after another. */
async function lockOrganization(db: Db): Promise<string> {
  const [organization] = await db.$queryRaw<[{ readonly id: string }]>`
    SELECT "id" FROM "Organization" ORDER BY "id" LIMIT 1 FOR UPDATE`;
  return organization.id;
}

async function findOrCreate(
  { db, record }: Tx,
  organizationId: string,
  person: ExternalPerson,
  allowedDomains: readonly string[],
  request: EventRequest | undefined,
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
    const { id: userId } = member;
    const actor = signingIn(organizationId, userId, request);
    record({ action: 'member.identity_linked', actor, targetId: userId });
    return link(db, organizationId, person, userId);
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
  const { id: userId, role } = created;
  const actor = signingIn(organizationId, userId, request);
  record({ action: 'member.created', actor, targetId: userId, role });
  return link(db, organizationId, person, userId);
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

/**
 * Gives a member the role that the provider says. Owners stay what they are. A promotion ends what an
 * admin does by a promotion too: invitations and links that are out. The organization must be locked.
 */
async function applyRole(tx: Tx, actor: PersonActor, role: Exclude<Role, 'owner'>): Promise<void> {
  const { userId } = actor;
  const [changed] = await tx.db.$queryRaw<{ previous: Role }[]>`
    UPDATE "User" u SET "role" = ${role}::"Role" FROM "User" o
    WHERE u."id" = ${userId}::uuid AND o."id" = u."id" AND u."role" NOT IN ('owner', ${role}::"Role")
    RETURNING o."role"::text AS "previous"`;
  if (changed === undefined) return;
  tx.announce({ kind: 'member', id: userId });
  const changes = [{ field: 'role', from: changed.previous, to: role }] as const;
  tx.record({ action: 'member.updated', actor, targetId: userId, changes });
  if (role === 'member') return;
  await deleteSignInLinks(tx.db, userId);
  await tx.db.token.deleteMany({ where: { userId, kind: 'invitation' } });
}
