import { isDeepStrictEqual } from 'node:util';
import { type IntegrationPolicy, integrationPolicySchema } from '@gatehouse/contract';
import type { PersonCaller } from '../../identity/caller.ts';
import { type Mutation, requireMatch } from '../../identity/mutation.ts';
import type { Db } from '../../platform/database/store.ts';
import { toStored } from '../../policy/stored-rules.ts';
import { changedRules, groupIdsOf, requireReferences } from '../policy-references.ts';
import { requireReadable } from '../readable-policy.ts';
import {
  deleteIntegrationPolicy,
  findIntegrationPolicy,
  upsertIntegrationPolicy,
} from './policy-repository.ts';
import type { IntegrationRow } from './repository.ts';
import { requireActive } from './rules.ts';
import { lockIntegration, requireIntegration, writeIntegration } from './service.ts';

/** An integration with its rules; its version is theirs. */
interface IntegrationWithPolicy {
  readonly integration: IntegrationRow;
  readonly policy: IntegrationPolicy;
}

/** @throws ProblemError `not_found`, `policy_unreadable` */
export async function requireIntegrationPolicy(
  db: Db,
  actor: PersonCaller,
  id: string,
): Promise<IntegrationWithPolicy> {
  const integration = await requireIntegration(db, actor, id);
  const rules = await findIntegrationPolicy(db, id);
  return { integration, policy: requireReadable(integrationPolicySchema, rules) };
}

/**
 * Replaces all rules of an integration.
 *
 * @throws ProblemError `not_found`, `precondition_failed`, `archived`, `validation_failed`
 */
export async function replaceIntegrationPolicy(
  mutation: Mutation,
  id: string,
  policy: IntegrationPolicy,
): Promise<IntegrationWithPolicy> {
  const { db } = mutation.tx;
  const current = await lockIntegration(mutation, id);
  requireMatch(mutation.precondition, current.version);
  requireActive(current);
  const rules = await findIntegrationPolicy(db, id);
  await requireReferences(mutation, rules, policy);
  const stored = toStored(policy);
  if (isDeepStrictEqual(rules, stored)) return { integration: current, policy };
  if (Object.keys(policy).length === 0) await deleteIntegrationPolicy(db, id);
  else await upsertIntegrationPolicy(db, current, stored, groupIdsOf(policy));
  const changed = changedRules(integrationPolicySchema, rules, policy);
  const event = { action: 'integration.policy_changed', ...changed } as const;
  return { integration: await writeIntegration(mutation, id, {}, event), policy };
}
