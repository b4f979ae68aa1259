import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from './endpoints/context.ts';
import { ENDPOINTS } from './endpoints/routes.ts';
import { changeReply, replyInstead } from './faults/change-reply.ts';
import type { FaultBefore } from './faults/fault.ts';
import type { FaultTable, TakenFault } from './faults/fault-table.ts';
import { errorReply, OauthError } from './http/oauth-error.ts';
import type { ProviderRequest } from './http/provider-request.ts';
import type { OpenRequest } from './http/read-request.ts';
import type { Reply } from './http/reply.ts';
import { SHAPES } from './shapes/shape.ts';

/**
 * Handles a request with the faults that apply to it.
 *
 * @returns undefined if the connection is to be closed without a response
 */
export async function handleRequest(
  request: OpenRequest,
  context: Context,
  faults: FaultTable,
): Promise<Reply | undefined> {
  const before = faults.takeBefore(request);
  if (before?.fault.kind === 'cut') return undefined;
  const isHandledFirst = before && 'handleFirst' in before.fault && before.fault.handleFirst;
  if (before && !isHandledFirst) await waitFor(before);
  const instead = before && replyInstead(before.fault);
  const reply = instead ?? (await answer(request, context, before?.fault));
  request.status = reply.status;
  if (before && isHandledFirst) await waitFor(before);
  const after = instead ? undefined : faults.takeAfter(request, reply);
  return after ? changeReply(reply, after.fault) : reply;
}

async function waitFor({ fault, released }: TakenFault<FaultBefore>): Promise<void> {
  if (fault.kind === 'hold') return released;
  if (fault.kind === 'slow') await Promise.race([delay(fault.milliseconds), released]);
}

async function answer(
  request: ProviderRequest,
  context: Context,
  fault: FaultBefore | undefined,
): Promise<Reply> {
  try {
    if (fault?.kind === 'oauth-error') {
      throw new OauthError(fault.error, 'A fault that the test has set.', fault.status);
    }
    return await ENDPOINTS[request.endpoint](request, context);
  } catch (error) {
    if (!(error instanceof OauthError)) throw error;
    if (request.endpoint !== 'token') return errorReply(error);
    return SHAPES[context.settings.shape].error(error, request.form.get('grant_type'));
  }
}
