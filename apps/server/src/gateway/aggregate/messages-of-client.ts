import type { Message } from '../../mcp/envelope/message.ts';
import { edit, replacement } from '../../mcp/json/edit.ts';
import type { Span } from '../../mcp/json/node.ts';
import { objectOf } from '../../mcp/json/shape.ts';
import { readMessage } from '../../mcp/translation/message-reader.ts';
import type { GatewaySessions } from '../../sessions/sessions.ts';
import type { AggregateAttachment } from './applications.ts';
import type { InSession } from './client-call.ts';
import type { ClientRequests } from './client-requests.ts';
import { begunAttachments } from './client-session.ts';
import { collect } from './collect.ts';
import { readServerRequestId } from './server-request-ids.ts';
import { callUpstream, type UpstreamCallDeps } from './upstream-calls.ts';
import { type Forwarding, upstreamRequest } from './upstream-request.ts';

const PROGRESS = objectOf([], { params: objectOf(['progressToken']) });

export interface ClientMessageDeps extends UpstreamCallDeps {
  readonly clientRequests: Pick<ClientRequests, 'cancel'>;
  readonly sessions: Pick<GatewaySessions, 'questions'>;
}

/**
 * Takes a notification. What names a request goes to the one integration that has it, and nowhere else; only what a client
 * says of itself goes to each integration that its session has begun a session with. Integrations of the modern era hear
 * nothing.
 */
export function takeNotification(
  client: InSession,
  { method }: Message,
  body: Buffer,
  deps: ClientMessageDeps,
): void {
  client.call.answer(202, undefined);
  if (client.session === undefined) return;
  if (method === 'notifications/cancelled') void deps.clientRequests.cancel(client.session, body);
  else if (method === 'notifications/progress') void passProgress(client, body, deps);
  else if (method === 'notifications/roots/list_changed') void passToBegun(client, body, deps);
}

/** Passes progress to the integration that has asked for it. */
async function passProgress(
  client: InSession,
  body: Buffer,
  deps: UpstreamCallDeps,
): Promise<void> {
  const message = await readMessage(body, PROGRESS);
  const params = message?.object.member('params');
  const token = message && params?.member('progressToken')?.raw(message.bytes);
  passNamed(client, token, params?.member('progressToken'), body, deps);
}

/** Passes a message to each integration that the session has begun a session with. */
export async function passToBegun(
  client: InSession,
  body: Buffer,
  deps: UpstreamCallDeps,
): Promise<void> {
  for (const attachment of await begunAttachments(client, deps)) {
    passMessage(client, attachment, { body }, deps);
  }
}

/** Takes a response to a request of ours or of an integration. A response can only reach requests of the caller's own session. */
export async function takeResponse(
  client: InSession,
  message: Message,
  body: Buffer,
  deps: ClientMessageDeps,
): Promise<void> {
  const { call, session } = client;
  const { id } = message;
  const isOfQuestion =
    session !== undefined &&
    id !== undefined &&
    (await deps.sessions.questions.answer(session, id, body));
  call.answer(202, undefined);
  if (!isOfQuestion) passNamed(client, id, message.idAt, body, deps);
}

/** Passes a message to the integration that an id names: of its request, or its token for progress. @param at in the body */
function passNamed(
  client: InSession,
  id: string | undefined,
  at: Span | undefined,
  body: Buffer,
  deps: UpstreamCallDeps,
): void {
  if (id === undefined || at === undefined || client.session === undefined) return;
  const named = readServerRequestId(id);
  const attachment = client.application.attachments.find(
    ({ attachmentId }) => attachmentId === named?.attachmentId,
  );
  if (named === undefined || attachment === undefined) return;
  passMessage(
    client,
    attachment,
    { body: edit(body, [replacement(at, named.id)]), isUse: true },
    deps,
  );
}

/** Passes a message of a client that awaits no answer to one integration. */
export function passMessage(
  client: InSession,
  attachment: AggregateAttachment,
  message: Pick<Forwarding, 'body' | 'isUse' | 'headers'>,
  deps: UpstreamCallDeps,
): void {
  const request = upstreamRequest(client, attachment, message);
  void collect(callUpstream(client, attachment, request, deps), null);
}
