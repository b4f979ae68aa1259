import { UPSTREAM_FAILED } from '../../../mcp/errors.ts';
import type { RpcRefusal } from '../../../mcp/server/reply.ts';

function refusal(code: string, message: string, data: object = {}): RpcRefusal {
  return { code: UPSTREAM_FAILED, message, data: { code, ...data } };
}

export function capabilityMissing(integrationId: string): RpcRefusal {
  return refusal(
    'client_capability_missing',
    'The integration asks the client for something that it has not declared.',
    { integrationId },
  );
}

export function tooManyRounds(): RpcRefusal {
  return refusal('too_many_questions', 'The integration asks the client too many questions.');
}

export function tooLong(): RpcRefusal {
  return refusal('client_timeout', 'The client has not answered in time.');
}

export function unanswered(): RpcRefusal {
  return refusal('client_refused', 'The client has not answered what the integration asks.');
}
