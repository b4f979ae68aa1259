import { replaced } from '../../mcp/aggregate/replaced.ts';
import type { Message } from '../../mcp/envelope/message.ts';
import type { AggregateAttachment } from './applications.ts';
import { begunAttachments } from './begun-attachments.ts';
import type { InSession } from './client-call.ts';
import { CollectedResponse } from './collected-response.ts';
import { readServerRequestId } from './server-request-ids.ts';
import type { ClientRequests } from './translation/client-requests.ts';
import { startUpstreamCall, type UpstreamCallDeps } from './upstream-calls.ts';
import { upstreamRequest } from './upstream-request.ts';

/** Notifications that integrations hear of: those of a session, and only in the legacy era. */
const PASSED: ReadonlySet<string> = new Set([
  'notifications/cancelled',
  'notifications/progress',
  'notifications/roots/list_changed',
]);

export interface ClientMessageDeps extends UpstreamCallDeps {
  readonly clientRequests: ClientRequests;
}

/** Takes a notification, and passes it to each integration that the session has begun a session with. */
export function takeNotification(
  client: InSession,
  { method = '' }: Message,
  body: Buffer,
  deps: ClientMessageDeps,
): void {
  client.call.answer(202, undefined);
  if (client.session === undefined || !PASSED.has(method)) return;
  if (method === 'notifications/cancelled') {
    void deps.clientRequests.cancel(client.session.id, body);
  }
  void passToBegun(client, body, deps);
}

/** Passes a message to each integration that the session has begun a session with. */
export async function passToBegun(
  client: InSession,
  body: Buffer,
  deps: UpstreamCallDeps,
): Promise<void> {
  for (const attachment of await begunAttachments(client, deps)) {
    pass(client, attachment, body, deps);
  }
}

/** Takes a response to a request of an integration. The caller's own session with it is all that it can reach. */
export function takeResponse(
  client: InSession,
  { id, idAt }: Message,
  body: Buffer,
  deps: ClientMessageDeps,
): void {
  client.call.answer(202, undefined);
  if (id === undefined || client.session === undefined) return;
  if (deps.clientRequests.answer(client.session.id, id, body)) return;
  const asked = readServerRequestId(id);
  const attachment = client.application.attachments.find(
    ({ attachmentId }) => attachmentId === asked?.attachmentId,
  );
  if (asked === undefined || attachment === undefined || idAt === undefined) return;
  pass(client, attachment, replaced(body, idAt, asked.id), deps);
}

function pass(
  client: InSession,
  attachment: AggregateAttachment,
  body: Buffer,
  deps: UpstreamCallDeps,
): void {
  const request = upstreamRequest(client, attachment, { body });
  startUpstreamCall(client, attachment, request, new CollectedResponse(null), deps);
}
