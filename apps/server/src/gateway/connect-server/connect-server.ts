import type { Admission, NeededUser } from '../admission.ts';
import type { Call } from '../call.ts';
import type { CredentialError } from '../credential-error.ts';
import { postAlone } from '../problems.ts';
import type { RequestBody } from '../request-body.ts';
import { answerPost } from './answer-post.ts';
import { adviceFor } from './connect-advice.ts';
import { ConnectStream } from './connect-stream.ts';
import type { ConnectServerDeps } from './deps.ts';
import { getTexts } from './stream-texts.ts';

/**
 * Answers an admitted call as a small MCP server. Its one tool says how to connect, because many
 * clients do not show an error of `initialize`. Nothing goes upstream.
 */
export function serveConnect(
  call: Call,
  admission: Admission,
  credential: NeededUser,
  error: CredentialError,
  body: RequestBody,
  deps: ConnectServerDeps,
): void {
  const { route, connectSession } = admission;
  const { req } = call;
  const advice = adviceFor(credential, route, error, connectSession);
  if (body instanceof Buffer) {
    answerPost(call, admission, advice, body, deps);
  } else if (call.era === 'modern' && body === null) {
    call.refuse(postAlone());
  } else if (body !== null || !isInSession(admission)) {
    call.refuseInRpc(error, undefined);
  } else if (req.method === 'GET') {
    startGetStream(call, admission, deps);
  } else {
    endSession(call, admission, deps);
  }
}

/** In one of ours, or in one with the upstream, which has lost its credential. */
function isInSession({ connectSession, sessionMode }: Admission): boolean {
  return connectSession !== undefined || sessionMode === 'legacy';
}

function startGetStream(
  call: Call,
  { sessionMode, session, connectSession }: Admission,
  { limits, openCalls }: ConnectServerDeps,
): void {
  if (sessionMode === 'legacy' && session !== undefined) call.enterSession(session);
  new ConnectStream(call, getTexts(connectSession, limits.reconnectAfter), limits).start();
  openCalls.reauthorizeIfChanged(call);
}

function endSession(
  call: Call,
  { sessionMode, session }: Admission,
  { sessions }: Pick<ConnectServerDeps, 'sessions'>,
): void {
  if (sessionMode !== 'legacy' || session === undefined) {
    call.answer(204, undefined);
    return;
  }
  sessions.end(session).then(
    () => call.answer(204, undefined),
    (error: unknown) => call.refuse(error),
  );
}
