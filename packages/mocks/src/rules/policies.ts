import {
  decidePeople,
  type GroupPolicy,
  type IntegrationPolicyRules,
  limits,
  ownPolicyReferenceMessages,
  type PolicyCaller,
  type PolicyLevel,
  type PolicyReference,
  policyMessage,
  policyReferenceMessages,
  policyReferencesOf,
} from '@gatehouse/contract';
import { isAdmin } from '../http/actor.ts';
import type { Caller } from '../http/operation.ts';
import { Refusal } from '../http/refusal.ts';
import type { AttachmentRow } from '../state/rows.ts';
import type { State } from '../state/state.ts';
import { isSameJson } from './equal.ts';

/** The rules of an attachment or integration, `{}` for no rules. */
export function policyOf<Rules extends IntegrationPolicyRules>(
  policies: ReadonlyMap<string, Rules>,
  id: string,
): Rules | Record<string, never> {
  return policies.get(id) ?? {};
}

/** The rules that bind an attachment, as the gateway judges them. */
export function levelsOf(
  state: State,
  {
    id,
    applicationId,
    integrationId,
  }: Pick<AttachmentRow, 'id' | 'applicationId' | 'integrationId'>,
): PolicyLevel[] {
  const { perApplication = {}, ...rules }: IntegrationPolicyRules = policyOf(
    state.integrationPolicies,
    integrationId,
  );
  return [
    { level: 'integration', rules },
    { level: 'application', rules: perApplication[applicationId] ?? {} },
    { level: 'attachment', rules: policyOf(state.attachmentPolicies, id) },
  ];
}

/** A member as rules about people see them; an application that acts for itself is no member. */
export function policyCallerOf({ users, groups }: State, userId: string): PolicyCaller {
  const user = users.get(userId);
  if (user === undefined) return { kind: 'application' };
  const own = [...groups.values()].filter(({ memberIds }) => memberIds.includes(userId));
  return { kind: 'person', userId, role: user.role, groupIds: own.map(({ id }) => id) };
}

/** Replaces the rules of an attachment or integration. Returns false where nothing changes. @throws Refusal `validation_failed` */
export function replacePolicy<Rules extends IntegrationPolicyRules>(
  caller: Caller,
  policies: Map<string, Rules>,
  id: string,
  rules: Rules,
): boolean {
  const before = policyOf(policies, id);
  requireReferences(caller, before, rules);
  if (isSameJson(before, rules)) return false;
  if (Object.keys(rules).length === 0) policies.delete(id);
  else policies.set(id, rules);
  return true;
}

/** What the rules newly name must exist, and be a member's own. */
function requireReferences(
  caller: Caller,
  before: IntegrationPolicyRules,
  after: IntegrationPolicyRules,
): void {
  const stored = policyReferencesOf(before);
  const isStored = ({ kind, id }: PolicyReference) =>
    stored.some((reference) => reference.kind === kind && reference.id === id);
  const mayName = isAdmin(caller.actor) ? exists : isOwn;
  const messages = isAdmin(caller.actor) ? policyReferenceMessages : ownPolicyReferenceMessages;
  const errors = policyReferencesOf(after)
    .filter((reference) => !isStored(reference) && !mayName(caller, reference))
    .map(({ kind, pointer }) => ({ pointer, code: 'not_found', message: messages[kind] }));
  if (errors.length === 0) return;
  throw new Refusal('validation_failed', 'The rules name what they cannot name.', {
    errors: errors.slice(0, limits.problemErrors),
  });
}

/**
 * Judges an application that gets a credential, for a user or for itself, by the rules about people.
 *
 * @param attachmentId of the integration in the application
 * @throws Refusal `policy_refused`
 */
export function requirePeopleAllowed(
  { state, actor: { userId } }: Pick<Caller, 'state' | 'actor'>,
  pair: { readonly applicationId: string; readonly integrationId: string },
  attachmentId: string,
): void {
  const levels = levelsOf(state, { id: attachmentId, ...pair });
  const reasons = decidePeople(levels, policyCallerOf(state, userId));
  if (reasons.length > 0) throw new Refusal('policy_refused', policyMessage(reasons), { reasons });
}

function exists({ state, actor }: Caller, { kind, id }: PolicyReference): boolean {
  return rowsOf(state, kind).get(id)?.organizationId === actor.organizationId;
}

function isOwn({ state, actor }: Caller, { kind, id }: PolicyReference): boolean {
  if (kind === 'user') return id === actor.userId;
  return kind === 'group' && state.groups.get(id)?.memberIds.includes(actor.userId) === true;
}

function rowsOf(
  { groups, users, applications }: State,
  kind: PolicyReference['kind'],
): ReadonlyMap<string, { readonly organizationId: string }> {
  return { group: groups, user: users, application: applications }[kind];
}

/** Where rules name a group, integrations first. */
export function namesOfGroup(state: State, groupId: string): GroupPolicy[] {
  const isNaming = ([, rules]: readonly [string, IntegrationPolicyRules]) =>
    policyReferencesOf(rules).some(({ kind, id }) => kind === 'group' && id === groupId);
  const placeOf = (integrationId: string, applicationId: string | null): GroupPolicy => ({
    integrationId,
    integrationName: state.integrations.get(integrationId)?.name ?? '',
    applicationId,
    applicationName: state.applications.get(applicationId ?? '')?.name ?? null,
  });
  const integrations = [...state.integrationPolicies]
    .filter(isNaming)
    .map(([id]) => placeOf(id, null));
  const attached = [...state.attachmentPolicies].filter(isNaming).flatMap(([id]) => {
    const attachment = state.attachments.get(id);
    return attachment ? [placeOf(attachment.integrationId, attachment.applicationId)] : [];
  });
  return [...integrations, ...attached];
}

/** A group that rules name is not deleted. @throws Refusal `group_in_use` */
export function requireUnnamed(state: State, groupId: string): void {
  const errors = namesOfGroup(state, groupId).map(({ integrationId, applicationId }) => {
    const application = applicationId === null ? '' : `/applications/${applicationId}`;
    return {
      code: applicationId === null ? 'integration_policy' : 'attachment_policy',
      message: `The policy at ${application}/integrations/${integrationId}/policy names the group.`,
    };
  });
  if (errors.length === 0) return;
  throw new Refusal('group_in_use', 'Policies name the group. Remove it from them first.', {
    errors: errors.slice(0, limits.problemErrors),
  });
}
