import {
  type EventDetails,
  integrationPolicySchema,
  limits,
  type ManagementAction,
  policySchema,
} from '@gatehouse/contract';
import type { SecretKind } from '../state/rows.ts';
import { changedFields, replaced, rowsAdded, rowsRemoved, type Written } from './written.ts';

/** What happened to a target. */
export type Told = EventDetails & { readonly targetId: string };

/** Without anything to say about a target, there is no event. */
export function unlessEmpty<Item>(
  items: readonly Item[],
  tell: (items: readonly Item[]) => Told,
): readonly Told[] {
  return items.length === 0 ? [] : [tell(items)];
}

type PlainAction = Extract<
  ManagementAction,
  | `application.${'archived' | 'restored' | 'secret_rotated'}`
  | `integration.${'archived' | 'restored'}`
>;

/** A row of the table was replaced. */
export function wroteTo(table: 'applications' | 'integrations', action: PlainAction) {
  return (written: Written): readonly Told[] =>
    replaced(written, table).map(({ to }) => ({ action, targetId: to.id }));
}

const SECRETS = {
  server_token: 'serverToken',
  oauth_client_secret: 'clientSecret',
  oauth_token_params: 'tokenParams',
} as const satisfies Record<SecretKind, string>;

/** @param sent the secrets that the operation may change, and whether one was sent, which always counts as a change */
export function integrationUpdated(
  written: Written,
  sent: Readonly<Partial<Record<SecretKind, boolean>>>,
): readonly Told[] {
  return replaced(written, 'integrations').map(({ from, to }) => {
    const fields = changedFields(from, to, [
      'name',
      'url',
      'category',
      'authMode',
      'oauth',
      'capabilities',
      'credentialSchema',
      'validateEveryMinutes',
    ]);
    const secrets = Object.entries(sent).flatMap(([kind, isSent]) => {
      const secret = kind as SecretKind;
      const stored = { from: from.secrets.has(secret), to: to.secrets.has(secret) };
      return isSent || stored.from !== stored.to ? [{ field: SECRETS[secret], ...stored }] : [];
    });
    return { action: 'integration.updated', targetId: to.id, changes: [...fields, ...secrets] };
  });
}

export function integrationPolicyChanged(written: Written, targetId: string): readonly Told[] {
  const from = written.before.integrationPolicies.get(targetId) ?? {};
  const to = written.call.state.integrationPolicies.get(targetId) ?? {};
  const changes = changedFields(from, to, integrationPolicySchema.keyof().options);
  return unlessEmpty(changes, () => ({
    action: 'integration.policy_changed',
    targetId,
    fields: changes.map(({ field }) => field),
    changes,
  }));
}

export function attachmentPolicyChanged(
  { before, call }: Written,
  { id, integrationId }: { readonly id: string; readonly integrationId: string },
): readonly Told[] {
  const attachment = [...before.attachments.values()].find(
    (row) => row.applicationId === id && row.integrationId === integrationId,
  );
  const key = attachment?.id ?? '';
  const from = before.attachmentPolicies.get(key) ?? {};
  const to = call.state.attachmentPolicies.get(key) ?? {};
  const changes = changedFields(from, to, policySchema.keyof().options);
  return unlessEmpty(changes, () => ({
    action: 'application.policy_changed',
    targetId: id,
    integrationId,
    fields: changes.map(({ field }) => field),
    changes,
  }));
}

export function attachmentsChanged(written: Written, targetId: string): readonly Told[] {
  const attached = rowsAdded(written, 'attachments').map(({ integrationId }) => integrationId);
  const detached = rowsRemoved(written, 'attachments').map(({ integrationId }) => integrationId);
  return unlessEmpty([...attached, ...detached], () => ({
    action: 'application.integrations_changed',
    targetId,
    attached,
    detached,
  }));
}

export function toolsReviewed(
  written: Written,
  action: 'integration.tools_approved' | 'integration.tools_withdrawn',
): readonly Told[] {
  const reviewed = replaced(written, 'toolDefinitions').map(({ to }) => to);
  const tools = reviewed
    .map(({ name, fingerprint }) => ({ name, fingerprint }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .slice(0, limits.problemTools);
  const [first] = reviewed;
  if (first === undefined) return [];
  return [{ action, targetId: first.integrationId, tools, count: reviewed.length }];
}

/** Sessions, then leases. */
export function sessionsRevoked(written: Written): readonly Told[] {
  const of = ({ to: { id: targetId, applicationId } }: ReturnType<typeof endedIn>[number]) => ({
    targetId,
    applicationId,
  });
  return [
    ...endedIn(written, 'sessions').map((row) => ({
      action: 'session.revoked' as const,
      ...of(row),
    })),
    ...endedIn(written, 'leases').map((row) => ({ action: 'lease.revoked' as const, ...of(row) })),
  ];
}

function endedIn(written: Written, table: 'sessions' | 'leases') {
  return replaced(written, table).filter(({ from, to }) => from.endedAt !== to.endedAt);
}
