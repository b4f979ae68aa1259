import { CAPABILITY_MISSING, UPSTREAM_FAILED } from '../../../mcp/errors.ts';
import { isObject } from '../../../mcp/server/messages.ts';
import { failed, type Reply } from '../../../mcp/server/reply.ts';
import type { AggregateAttachment } from '../applications.ts';
import type { Declared } from './modern-client.ts';

/** What a client must declare to be asked this. */
export const CAPABILITIES: ReadonlyMap<string, 'elicitation' | 'sampling' | 'roots'> = new Map([
  ['elicitation/create', 'elicitation'],
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
]);

const EFFECTS = 'The call was cancelled, and may have had effects.';

/**
 * Why the call of a modern client ends when a legacy server asks something.
 *
 * @param method that the server asks with
 * @param url of the integration alone
 */
export function needsLegacyClient(
  method: string,
  { capabilities }: Declared,
  { integrationId }: Pick<AggregateAttachment, 'integrationId'>,
  url: string,
): { readonly reply: Reply; readonly status: number } {
  const needed = CAPABILITIES.get(method);
  if (needed !== undefined && !isObject(capabilities[needed])) {
    const text = `The integration asks the client for ${needed}, which it has not declared. ${EFFECTS}`;
    return { reply: missing({ [needed]: {} }, text), status: 400 };
  }
  const text = `The integration asks the client during the call, which takes a session of MCP 2025-11-25: use such a client, or the URL of the integration. ${EFFECTS}`;
  const data = { code: 'needs_legacy_client', integrationId, url };
  return { reply: failed(UPSTREAM_FAILED, text, data), status: 200 };
}

export function missing(requiredCapabilities: object, text: string): Reply {
  return failed(CAPABILITY_MISSING, text, { requiredCapabilities });
}
