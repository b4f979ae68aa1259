import { replaced } from '../../mcp/aggregate/replaced.ts';
import type { Message } from '../../mcp/envelope/message.ts';
import type { AggregateAttachment } from './applications.ts';
import { begunAttachments } from './begun-attachments.ts';
import type { InSession } from './client-call.ts';
import type { ClientRequests } from './client-requests.ts';
import { CollectedResponse } from './collected-response.ts';
import { readServerRequestId } from './server-request-ids.ts';
import type { Questions } from './translation/questions.ts';
import { startUpstreamCall, type UpstreamCallDeps } from './upstream-calls.ts';
import { type Forwarding, upstreamRequest } from './upstream-request.ts';

/** Notifications that integrations hear of: those of a session, and only in the legacy era. */
const PASSED: ReadonlySet<string> = new Set([
  'notifications/cancelled',
  'notifications/progress',
  'notifications/roots/list_changed',
]);

export interface ClientMessageDeps extends UpstreamCallDeps {
  readonly clientRequests: Pick<ClientRequests, 'cancel'>;
  readonly questions: Pick<Questions, 'find' | 'answer'>;
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
    void deps.clientRequests.cancel(client.session, body);
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
    pass(client, attachment, { body }, deps);
  }
}

/** Takes a response to a request of ours or of an integration. The caller's own session is all that it can reach. */
export function takeResponse(
  client: InSession,
  message: Message,
  body: Buffer,
  deps: ClientMessageDeps,
): void {
  const { call, session } = client;
  const { id } = message;
  const question = id === undefined ? undefined : session && deps.questions.find(session, id);
  if (session === undefined || question === undefined) {
    call.answer(202, undefined);
    passResponse(client, message, body, deps);
    return;
  }
  const stored = deps.questions.answer(session, question, body);
  if (stored === undefined) call.answer(202, undefined);
  else {
    stored.then(
      () => call.answer(202, undefined),
      (error) => call.refuse(error),
    );
  }
}

/** Passes it to the integration that its id names. */
function passResponse(
  client: InSession,
  { id, idAt }: Message,
  body: Buffer,
  deps: UpstreamCallDeps,
): void {
  if (id === undefined || client.session === undefined) return;
  const asked = readServerRequestId(id);
  const attachment = client.application.attachments.find(
    ({ attachmentId }) => attachmentId === asked?.attachmentId,
  );
  if (asked === undefined || attachment === undefined || idAt === undefined) return;
  pass(client, attachment, { body: replaced(body, idAt, asked.id), isUse: true }, deps);
}

function pass(
  client: InSession,
  attachment: AggregateAttachment,
  message: Pick<Forwarding, 'body' | 'isUse'>,
  deps: UpstreamCallDeps,
): void {
  const request = upstreamRequest(client, attachment, message);
  startUpstreamCall(client, attachment, request, new CollectedResponse(null), deps);
}
