import { isDeepStrictEqual } from 'node:util';
import { type Policy, policySchema } from '@gatehouse/contract';
import type { Application } from '../../generated/prisma/client.ts';
import type { PersonCaller } from '../../identity/caller.ts';
import { type Mutation, requireMatch } from '../../identity/mutation.ts';
import type { Db } from '../../platform/database/store.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import { type StoredRules, toStored } from '../../policy/stored-rules.ts';
import { requireIntegration } from '../integrations/service.ts';
import { changedRules, groupIdsOf, requireReferences } from '../policy-references.ts';
import { requireReadable } from '../readable-policy.ts';
import {
  type AttachmentPolicyRow,
  deleteAttachmentPolicy,
  findAttachmentPolicy,
  upsertAttachmentPolicy,
} from './attachment-repository.ts';
import { requireActive } from './rules.ts';
import { lockApplication, requireApplication, writeApplication } from './service.ts';

/** The ids of an attachment. */
export interface AttachmentIds {
  readonly id: string;
  readonly integrationId: string;
}

/** An application with the rules of one of its attachments; its version is theirs. */
interface ApplicationPolicy {
  readonly application: Application;
  readonly policy: Policy;
}

/** @throws ProblemError `not_found`, also for an integration that is not attached, `policy_unreadable` */
export async function requireAttachmentPolicy(
  db: Db,
  actor: PersonCaller,
  { id, integrationId }: AttachmentIds,
): Promise<ApplicationPolicy> {
  const application = await requireApplication(db, actor, id);
  await requireIntegration(db, actor, integrationId);
  const { rules } = await requireAttachment(db, id, integrationId);
  return { application, policy: requireReadable(policySchema, rules) };
}

/**
 * Replaces all rules of an attachment.
 *
 * @throws ProblemError `not_found`, `precondition_failed`, `archived`, `validation_failed`
 */
export async function replaceAttachmentPolicy(
  mutation: Mutation,
  { id, integrationId }: AttachmentIds,
  policy: Policy,
): Promise<ApplicationPolicy> {
  const { tx, actor } = mutation;
  const current = await lockApplication(mutation, id);
  await requireIntegration(tx.db, actor, integrationId);
  requireMatch(mutation.precondition, current.version);
  requireActive(current);
  const { attachmentId, rules } = await requireAttachment(tx.db, id, integrationId);
  await requireReferences(mutation, rules, policy);
  const stored = toStored(policy);
  if (isDeepStrictEqual(rules, stored)) return { application: current, policy };
  await storePolicy(mutation, { attachmentId, rules: stored });
  const changed = changedRules(policySchema, rules, policy);
  const event = { action: 'application.policy_changed', integrationId, ...changed } as const;
  return { application: await writeApplication(mutation, id, {}, event), policy };
}

async function requireAttachment(
  db: Db,
  id: string,
  integrationId: string,
): Promise<AttachmentPolicyRow> {
  const row = await findAttachmentPolicy(db, id, integrationId);
  if (row) return row;
  throw new ProblemError('not_found', 'The integration is not attached to the application.');
}

async function storePolicy(
  { tx, actor }: Mutation,
  row: AttachmentPolicyRow<StoredRules>,
): Promise<void> {
  if (Object.keys(row.rules).length === 0) {
    await deleteAttachmentPolicy(tx.db, row.attachmentId);
  } else {
    await upsertAttachmentPolicy(tx.db, actor.organizationId, row, groupIdsOf(row.rules));
  }
}
