import type { WhatIfChange } from '@gatehouse/contract';
import type { Mutation } from '../../../identity/mutation.ts';
import { attachIntegration, detachIntegration } from '../../applications/attachment-service.ts';
import { replaceAttachmentPolicy } from '../../applications/policy-service.ts';
import { archiveApplication, restoreApplication } from '../../applications/service.ts';
import { addGroupMember, removeGroupMember } from '../../groups/membership-service.ts';
import { replaceIntegrationPolicy } from '../../integrations/policy-service.ts';
import { archiveIntegration, restoreIntegration } from '../../integrations/service.ts';
import { lockMember, removeMember, updateMember } from '../../members/service.ts';
import { listGroupIds } from '../../policy-repository.ts';

/**
 * Makes a change by the services of its operation. They get neither the vault nor a way to call out.
 *
 * @throws ProblemError those of the operation
 */
export async function makeChange(
  mutation: Mutation,
  publicUrl: string,
  change: WhatIfChange,
): Promise<void> {
  switch (change.kind) {
    case 'attach':
      await attachIntegration(mutation, change.applicationId, change.integrationId);
      return;
    case 'detach': {
      const application = { id: change.applicationId, publicUrl };
      await detachIntegration(mutation, application, change.integrationId);
      return;
    }
    case 'attachment_policy': {
      const ids = { id: change.applicationId, integrationId: change.integrationId };
      await replaceAttachmentPolicy(mutation, ids, change.policy ?? {});
      return;
    }
    case 'integration_policy':
      await replaceIntegrationPolicy(mutation, change.integrationId, change.policy ?? {});
      return;
    case 'archive':
    case 'restore':
      await setArchived(mutation, change);
      return;
    case 'member':
      await changeMember(mutation, change);
  }
}

type ChangeOf<Kind> = Extract<WhatIfChange, { kind: Kind }>;

async function setArchived(
  mutation: Mutation,
  { kind, applicationId, integrationId = '' }: ChangeOf<'archive' | 'restore'>,
): Promise<void> {
  if (applicationId !== undefined) {
    await (kind === 'archive' ? archiveApplication : restoreApplication)(mutation, applicationId);
  } else {
    await (kind === 'archive' ? archiveIntegration : restoreIntegration)(mutation, integrationId);
  }
}

async function changeMember(
  mutation: Mutation,
  { userId, role, groupIds, removed }: ChangeOf<'member'>,
): Promise<void> {
  if (removed === true) {
    await removeMember(mutation, userId);
    return;
  }
  if (role === undefined) await lockMember(mutation, userId);
  else await updateMember(mutation, userId, { role });
  if (groupIds === undefined) return;
  const before = new Set(await listGroupIds(mutation.tx.db, userId));
  const after = new Set(groupIds);
  for (const id of after) if (!before.has(id)) await addGroupMember(mutation, id, userId);
  for (const id of before) if (!after.has(id)) await removeGroupMember(mutation, id, userId);
}
