import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MemberRole, WhatIfChange } from '@gatehouse/contract';
import { Prisma } from '../../../generated/prisma/client.ts';
import { GROUP_IDS_OF_MEMBER } from '../../../identity/group-ids.ts';
import type { Db } from '../../../platform/database/store.ts';
import type { PolicyPerson } from '../../../policy/people-rules.ts';
import { countAttachments } from '../../applications/repository.ts';
import { countOwners } from '../../members/repository.ts';
import {
  type ApplicationNode,
  findApplicationNodes,
  findIntegrationNodes,
  type IntegrationNode,
} from '../repository.ts';
import { keyOfPair, type Pair } from './pair.ts';

/** A member. */
export type Person = PolicyPerson & {
  readonly role: MemberRole;
};

/** The rows that changes name. */
export interface NamedRows {
  readonly applications: ReadonlyMap<string, ApplicationNode>;
  readonly integrations: ReadonlyMap<string, IntegrationNode>;
  /** Pairs that are attached. */
  readonly attached: ReadonlySet<string>;
  /** How many integrations each application has. */
  readonly attachedCounts: ReadonlyMap<string, number>;
  readonly people: ReadonlyMap<string, Person>;
  readonly groups: ReadonlyMap<string, { readonly externalId: string | null }>;
  readonly owners: number;
}

export function idsOf(
  changes: readonly WhatIfChange[],
  field: 'applicationId' | 'integrationId' | 'userId',
): string[] {
  const found = changes.flatMap((change): string[] => {
    const id = (change as Readonly<Partial<Record<typeof field, string>>>)[field];
    return id === undefined ? [] : [id];
  });
  return [...new Set(found)];
}

/** The pairs that changes name. */
export function pairsOf(changes: readonly WhatIfChange[]): Pair[] {
  const pairs = changes.flatMap((change) =>
    change.kind === 'attach' || change.kind === 'detach' || change.kind === 'attachment_policy'
      ? [{ applicationId: change.applicationId, integrationId: change.integrationId }]
      : [],
  );
  return [...new Map(pairs.map((pair) => [keyOfPair(pair), pair])).values()];
}

export async function readNamedRows(
  db: Db,
  organizationId: string,
  changes: readonly WhatIfChange[],
): Promise<NamedRows> {
  const applicationIds = idsOf(changes, 'applicationId');
  const integrationIds = idsOf(changes, 'integrationId');
  await nextTurn();
  const people = await findPeople(db, organizationId, idsOf(changes, 'userId'));
  const groupIds = [
    ...changes.flatMap((change) => (change.kind === 'member' ? (change.groupIds ?? []) : [])),
    ...people.flatMap((person) => person.groupIds),
  ];
  const groups = await db.group.findMany({
    where: { organizationId, id: { in: [...new Set(groupIds)] } },
    select: { id: true, externalId: true },
  });
  await nextTurn();
  const attached = await listAttached(db, organizationId, pairsOf(changes));
  const applications = await findApplicationNodes(db, organizationId, applicationIds);
  const integrations = await findIntegrationNodes(db, organizationId, integrationIds);
  await nextTurn();
  return {
    applications: byId(applications),
    integrations: byId(integrations),
    attached: new Set(attached.map(keyOfPair)),
    attachedCounts: await countAttachments(db, applicationIds),
    people: new Map(people.map((person) => [person.userId, person])),
    groups: byId(groups),
    owners: await countOwners(db, organizationId),
  };
}

function byId<Row extends { readonly id: string }>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}

function listAttached(db: Db, organizationId: string, pairs: readonly Pair[]): Promise<Pair[]> {
  return db.$queryRaw<Pair[]>`
    SELECT a."applicationId", a."integrationId" FROM "Attachment" a JOIN ${pairRows(pairs)}
      ON p."applicationId" = a."applicationId" AND p."integrationId" = a."integrationId"
    WHERE a."organizationId" = ${organizationId}::uuid`;
}

/** The pairs as rows `p` of a statement. */
export function pairRows(pairs: readonly Pair[]): Prisma.Sql {
  const applicationIds = pairs.map(({ applicationId }) => applicationId);
  const integrationIds = pairs.map(({ integrationId }) => integrationId);
  return Prisma.sql`unnest(${applicationIds}::uuid[], ${integrationIds}::uuid[])
    AS p("applicationId", "integrationId")`;
}

async function findPeople(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<Person[]> {
  const rows = await db.$queryRaw<Omit<Person, 'kind'>[]>`
    SELECT u."id" AS "userId", u."role"::text AS "role", ${GROUP_IDS_OF_MEMBER} AS "groupIds"
    FROM "User" u
    WHERE u."id" = ANY(${[...ids]}::uuid[]) AND u."organizationId" = ${organizationId}::uuid`;
  return rows.map((row) => ({ kind: 'person', ...row }));
}
