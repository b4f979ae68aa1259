import { INVALID_PARAMS } from '../../mcp/errors.ts';
import { fieldsOf, type RpcRequest } from '../../mcp/server/messages.ts';
import { failed, type Reply } from '../../mcp/server/reply.ts';
import { invite, shownName, textIn } from '../connect-server/tool.ts';
import { connectError, connectPageOf } from '../credential-error.ts';
import type { AggregateAttachment } from './applications.ts';
import type { InSession } from './client-call.ts';
import { type Access, accessTo } from './lists/access.ts';
import type { ListPart } from './lists/page.ts';
import type { UpstreamCallDeps } from './upstream-calls.ts';

export const CONNECT_TOOL = 'gatehouse__connect_account';

/** Integrations that the tool names. */
const MAX_NAMED = 50;

/** The caller cannot connect to these. */
const NEVER: ReadonlySet<Access['kind']> = new Set(['hidden', 'refused']);

export interface ConnectToolDeps extends UpstreamCallDeps {
  readonly publicUrl: string;
  /** Of the service. */
  readonly version: string;
}

/** The tool with which a person connects accounts that are missing; undefined where all are connected. */
export function connectToolOf(parts: readonly ListPart[]): object | undefined {
  const missing = parts
    .filter(({ access }) => access.kind === 'connect')
    .map(({ attachment }) => attachment)
    .slice(0, MAX_NAMED);
  if (missing.length === 0) return undefined;
  const named = missing.map((attachment) => `“${shownName(attachment.integrationName)}”`);
  return {
    name: CONNECT_TOOL,
    title: 'Connect an account',
    description: `Not usable until the person connects an account, or agrees to it: ${named.join(', ')}. Returns a link for one of them: open it in a browser, sign in, and follow the page. Its tools appear once that is done.`,
    inputSchema: {
      type: 'object',
      properties: { integration: { type: 'string', enum: missing.map(argumentOf) } },
      required: ['integration'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  };
}

/** How our tools name an integration: by its alias; the one without an alias by its id. */
export function argumentOf({ alias, integrationId }: AggregateAttachment): string {
  return alias === '' ? integrationId : alias;
}

/** The answer to a call of the tool. */
export async function callConnectTool(
  client: InSession,
  request: RpcRequest,
  { callDeps, publicUrl, version }: ConnectToolDeps,
): Promise<Reply> {
  const { integration } = fieldsOf(request.params.arguments);
  const { application, session, call } = client;
  const attachment = application.attachments.find((one) => argumentOf(one) === integration);
  const access = attachment && (await accessTo(client, attachment, callDeps));
  if (attachment === undefined || access === undefined || NEVER.has(access.kind)) {
    return failed(INVALID_PARAMS, 'Invalid params: integration must be one that the tool names.');
  }
  const name = shownName(attachment.integrationName);
  if (access.kind !== 'connect') {
    return textIn(call.era, `“${name}” awaits no account: list the tools again.`, version);
  }
  const { credential } = access;
  const error = connectError(credential, connectPageOf(publicUrl, attachment.integrationId));
  const connectSession = session && { nonce: session.id, hello: session.hello };
  const advice = { reason: credential.reason, name, error, session: connectSession };
  return invite(call.era, request, advice, version);
}
