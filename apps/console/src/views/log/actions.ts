import type { ManagementAction } from '@gatehouse/contract';
import type { AuditEvent } from '@gatehouse/sdk';
import { labelOf } from '../../api/labels.ts';
import { callOf } from './call.ts';

/** What was done, in the past, as the target follows in its own column. */
const changes: Readonly<Record<ManagementAction, string>> = {
  'organization.updated': 'Changed the organization',
  'organization.server_discovered': 'Looked at a server',
  'member.created': 'Added a member',
  'member.updated': 'Changed a member',
  'member.identity_linked': 'Linked an identity',
  'member.groups_changed': 'Adopted groups of the provider',
  'member.password_set': 'Set a password',
  'member.signed_in': 'Signed in',
  'member.sign_in_failed': 'Failed to sign in',
  'member.signed_out': 'Signed out',
  'member.sign_in_link_created': 'Made a sign-in link',
  'member.access_revoked': 'Revoked the access of a member',
  'member.removed': 'Removed a member',
  'group.created': 'Added a group',
  'group.updated': 'Changed a group',
  'group.member_added': 'Added someone to a group',
  'group.member_removed': 'Removed someone from a group',
  'group.removed': 'Removed a group',
  'application.created': 'Added an application',
  'application.updated': 'Changed an application',
  'application.integrations_changed': 'Changed what is attached',
  'application.integration_updated': 'Changed an alias',
  'application.policy_changed': 'Changed rules of an application',
  'application.secret_rotated': 'Replaced a client secret',
  'application.access_revoked': 'Revoked the access of an application',
  'application.archived': 'Archived an application',
  'application.restored': 'Restored an application',
  'integration.created': 'Added an integration',
  'integration.updated': 'Changed an integration',
  'integration.policy_changed': 'Changed rules of an integration',
  'integration.tools_approved': 'Approved tools',
  'integration.tools_withdrawn': 'Withdrew approved tools',
  'integration.validated': 'Validated an integration',
  'integration.archived': 'Archived an integration',
  'integration.restored': 'Restored an integration',
  'connection.created': 'Connected an account',
  'connection.link_created': 'Made a link to connect',
  'connection.link_used': 'Used a link to connect',
  'connection.needs_reauth': 'Found that an account has to connect again',
  'connection.removed': 'Disconnected an account',
  'connection.revocation_ended': 'Asked the provider to revoke tokens',
  'token.created': 'Created a token',
  'token.revoked': 'Revoked a token',
  'grant.created': 'Agreed to an application',
  'grant.extended': 'Agreed to one more integration',
  'grant.ended': 'Ended a grant',
  'session.revoked': 'Ended a session',
  'lease.created': 'Handed out a credential',
  'lease.revoked': 'Ended a credential that was handed out',
  'installation.key_added': 'Added an encryption key',
  'installation.key_activated': 'Began to use an encryption key',
  'installation.resealed': 'Sealed secrets with another key',
  'installation.key_retired': 'Retired an encryption key',
  'installation.imported': 'Imported everything',
  'audit.calls_lost': 'Lost calls',
  'audit.exported': 'Exported the audit',
  'audit.key_created': 'Made a key of the audit',
  'audit.read': 'Read the audit',
};

const calls: Readonly<Record<string, string>> = {
  call: 'Called',
  'token.issued': 'Got tokens',
  'token.refreshed': 'Renewed tokens at the provider',
};

const actions = { ...changes, ...calls };

/** What a filter can be set to. */
export const actionOptions: readonly (readonly [value: string, label: string])[] = Object.entries(
  actions,
).sort(([, one], [, other]) => one.localeCompare(other, 'en'));

/** What was done: of a call its method, and the tool, prompt or place. */
export function whatOf(event: AuditEvent): string {
  const call = callOf(event);
  if (call === undefined || event.action !== 'call') return labelOf(actions, event.action);
  const { httpMethod, method = httpMethod ?? 'call', name } = call;
  return name === undefined ? method : `${method} ${name}`;
}

/** Whether it is said in words of MCP or HTTP. */
export const isWire = (event: AuditEvent) => event.action === 'call';
