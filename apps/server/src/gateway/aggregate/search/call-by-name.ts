import { targetOf } from '../../../mcp/aggregate/target-of.ts';
import { paramHeadersOf } from '../../../mcp/param-headers.ts';
import { type UnwrappedCall, unwrapCall } from '../../../mcp/search/unwrap-call.ts';
import { textIn } from '../../connect-server/tool.ts';
import {
  type CallIntegrationDeps,
  callIntegration,
  type TargetedMessage,
} from '../call-integration.ts';
import type { InSession } from '../client-call.ts';

export interface CallByNameDeps extends CallIntegrationDeps {
  /** Of the service. */
  readonly version: string;
}

/** Answers a call of the tool that calls others: from here on it is an ordinary call of the other tool. */
export async function callByName(
  client: InSession,
  { id, nameAt }: TargetedMessage,
  body: Buffer,
  deps: CallByNameDeps,
): Promise<void> {
  const call = nameAt === undefined ? 'name is missing.' : await unwrapCall(body, nameAt);
  if (typeof call === 'string') {
    client.call.reply(id, textIn(client.call.era, call, deps.version, true));
    return;
  }
  const paramHeaders = await paramHeadersFor(client, call, deps);
  await callIntegration(client, { ...call.message, id, paramHeaders }, call.body, deps);
}

/** A modern client repeats arguments in headers, but not those that it gives to our tool. */
async function paramHeadersFor(
  client: InSession,
  { message: { name = '' }, given }: UnwrappedCall,
  { lists }: CallByNameDeps,
): Promise<NonNullable<TargetedMessage['paramHeaders']>> {
  const target = targetOf(client.application.byAlias, name);
  if (client.call.era === 'legacy' || target === undefined) return {};
  const { list } = await lists.part(client, target.attachment, 'tools');
  const tool = list?.entries.find(({ identifier }) => identifier === name);
  return tool === undefined ? {} : paramHeadersOf(tool.bytes, given);
}
