import { type PolicyReason, policyMessage } from '@gatehouse/contract';
import { POLICY_REFUSED } from '../../mcp/errors.ts';
import type { RpcRefusal } from '../../mcp/server/reply.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import type { CallRefusal } from '../call-record.ts';

/** The error for a request that rules about names do not allow. */
export function policyRefusal(reasons: readonly PolicyReason[], integrationId: string): RpcRefusal {
  const data = { code: 'policy', reasons, integrationId };
  return { code: POLICY_REFUSED, message: policyMessage(reasons), data };
}

/** The error for the other requests of its batch. */
export function batchRefusal(integrationId: string): RpcRefusal {
  const message =
    'Another request of the batch is not allowed, so no request of it was sent. Send this one again without it.';
  const data = { code: 'policy_batch', reasons: [], integrationId };
  return { code: POLICY_REFUSED, message, data };
}

/** The error for a list that could not be filtered. */
export function unreadableList(integrationId: string): CallRefusal {
  const { message } = unreadableResponse();
  const data = { code: 'policy', reasons: [], integrationId };
  return { code: POLICY_REFUSED, message, data };
}

/** For a response that cannot be filtered, although rules about names apply to its lists. */
export function unreadableResponse(): ProblemError {
  return new ProblemError(
    'upstream_unreadable',
    'Rules limit what this integration may list, and its response cannot be read to apply them.',
  );
}
