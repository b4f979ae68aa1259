import { isDeepStrictEqual } from 'node:util';
import {
  type IntegrationPolicyRules,
  integrationPolicySchema,
  isJsonObject,
  limits,
  ownPolicyReferenceMessages,
  type PolicyReference,
  type PolicyReferenceKind,
  policyReferenceMessages,
  policyReferencesOf,
} from '@gatehouse/contract';
import { isAdmin, type PersonCaller } from '../identity/caller.ts';
import type { Mutation } from '../identity/mutation.ts';
import type { Db } from '../platform/database/store.ts';
import { ProblemError } from '../platform/problem-error.ts';
import { fromStored } from '../policy/stored-rules.ts';
import { findExisting, listGroupIds } from './policy-repository.ts';

/**
 * What rules newly name must exist. For a member it must also be the member or a group of theirs, and the refusal does not
 * say whether others exist. What the stored rules name may stay.
 *
 * @throws ProblemError `validation_failed`
 */
export async function requireReferences(
  { tx, actor }: Mutation,
  before: unknown,
  after: IntegrationPolicyRules,
): Promise<void> {
  const readable = fromStored(integrationPolicySchema, before) ?? {};
  const stored = new Set(policyReferencesOf(readable).map(keyOf));
  const added = policyReferencesOf(after).filter((reference) => !stored.has(keyOf(reference)));
  if (added.length === 0) return;
  const existing = await findExisting(tx.db, actor.organizationId, {
    group: idsOf(added, 'group'),
    user: idsOf(added, 'user'),
    application: idsOf(added, 'application'),
  });
  const own = isAdmin(actor) ? undefined : await ownIds(tx.db, actor);
  const messages = own === undefined ? policyReferenceMessages : ownPolicyReferenceMessages;
  const errors = added
    .filter(({ id }) => !existing.has(id) || own?.has(id) === false)
    .map(({ kind, pointer }) => ({ pointer, code: 'not_found', message: messages[kind] }));
  if (errors.length === 0) return;
  throw new ProblemError('validation_failed', 'The rules name what they cannot name.', {
    errors: errors.slice(0, limits.problemErrors),
  });
}

async function ownIds(db: Db, { userId }: PersonCaller): Promise<ReadonlySet<string>> {
  return new Set([userId, ...(await listGroupIds(db, userId))]);
}

/** The groups that rules name, those for single applications included. */
export function groupIdsOf(rules: IntegrationPolicyRules): string[] {
  return idsOf(policyReferencesOf(rules), 'group');
}

/** The rules that differ from the stored ones, for the event of their change. */
export function changedRules<Field extends string>(
  schema: { keyof(): { readonly options: readonly Field[] } },
  before: unknown,
  after: Readonly<Partial<Record<Field, unknown>>>,
) {
  const stored = isJsonObject(before) ? before : {};
  const fields = schema
    .keyof()
    .options.filter((field) => !isDeepStrictEqual(stored[field], after[field]));
  const changes = fields.map((field) => {
    return { field, from: stored[field] ?? null, to: after[field] ?? null };
  });
  return { fields, changes };
}

function idsOf(references: readonly PolicyReference[], kind: PolicyReferenceKind): string[] {
  const ids = references.filter((reference) => reference.kind === kind).map(({ id }) => id);
  return [...new Set(ids)];
}

const keyOf = ({ kind, id }: PolicyReference) => `${kind} ${id}`;
