import {
  type AccessGraphQuery,
  type PolicyCaller,
  policyReferenceMessages,
} from '@gatehouse/contract';
import type { Caller } from '../http/operation.ts';
import { Refusal } from '../http/refusal.ts';
import { policyCallerOf } from './policies.ts';

/** The person that a query asks about, or the caller. @throws Refusal `validation_failed` */
export function requirePerson(
  { state, actor }: Pick<Caller, 'state' | 'actor'>,
  { forUserId, forGroup, forRole }: AccessGraphQuery,
): PolicyCaller {
  const isKnown = (rows: ReadonlyMap<string, { readonly organizationId: string }>, id: string) =>
    rows.get(id)?.organizationId === actor.organizationId;
  if (forUserId !== undefined && !isKnown(state.users, forUserId)) {
    throw unknown('forUserId', policyReferenceMessages.user);
  }
  if (forGroup !== undefined && !isKnown(state.groups, forGroup)) {
    throw unknown('forGroup', policyReferenceMessages.group);
  }
  if (forGroup === undefined && forRole === undefined) {
    return policyCallerOf(state, forUserId ?? actor.userId);
  }
  const groupIds = forGroup === undefined ? [] : [forGroup];
  return { kind: 'person', userId: '', role: forRole ?? 'member', groupIds };
}

function unknown(parameter: string, message: string): Refusal {
  return new Refusal('validation_failed', 'The access graph is for someone unknown.', {
    errors: [{ parameter, code: 'not_found', message }],
  });
}
