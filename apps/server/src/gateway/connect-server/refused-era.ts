import { FIRST_MODERN_VERSION } from '../../mcp/era.ts';
import { UNSUPPORTED_VERSION } from '../../mcp/errors.ts';
import type { Requests, RpcRequest } from '../../mcp/server/messages.ts';
import { failed, responseTo } from '../../mcp/server/reply.ts';
import type { Call } from '../call.ts';
import type { ConnectAdvice } from './connect-advice.ts';

/**
 * To a client of both eras, 400 with an error that is not the modern era's means: initialize (2026-07-28
 * versioning, "Backward Compatibility").
 */
export function refuseModern(call: Call, advice: ConnectAdvice, messages: Requests): void {
  const { code, data } = advice.error;
  const error = failed(code, unsupported(advice), data);
  call.answer(400, responseTo(requestIn(messages)?.id ?? 'null', error));
}

/** What a server of the modern era alone answers. */
export function refuseLegacy(call: Call, advice: ConnectAdvice, messages: Requests): void {
  const request = requestIn(messages);
  const requested = request?.params.protocolVersion;
  const data = {
    supported: [FIRST_MODERN_VERSION],
    ...(typeof requested === 'string' ? { requested } : {}),
    ...advice.error.data,
  };
  const error = failed(UNSUPPORTED_VERSION, unsupported(advice), data);
  call.answer(400, responseTo(request?.id ?? 'null', error));
}

function requestIn(messages: Requests): RpcRequest | undefined {
  return messages.kind === 'request' ? messages.request : undefined;
}

/** With the link, for those who read it. */
function unsupported({ name, error }: ConnectAdvice): string {
  return `Unsupported protocol version: “${name}” does not speak it. ${error.message}`;
}
