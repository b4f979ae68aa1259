import type { Admission } from '../admission.ts';
import type { Call } from '../call.ts';
import { connectPlaceOf } from '../connect-place.ts';
import { missingCredential } from '../credential-error.ts';
import { refuseForCredential } from '../refuse-for-credential.ts';
import { answerPost } from './answer-post.ts';
import type { AwaitedCredential } from './awaited.ts';
import { ConnectStream } from './connect-stream.ts';
import type { ConnectServerDeps } from './deps.ts';
import { getTexts } from './get-texts.ts';
import { readSmallBody } from './read-small-body.ts';
import { situationOf } from './situation.ts';

/**
 * Answers an admitted call as a small MCP server of its own, whose one tool says how to connect: many
 * clients do not show an error of `initialize`. Nothing goes upstream.
 */
export function serveConnect(
  call: Call,
  admission: Admission,
  credential: AwaitedCredential,
  deps: ConnectServerDeps,
): void {
  const { route } = admission;
  const { req, inbound, connectSession } = call;
  const error = missingCredential(credential, connectPlaceOf(deps.publicUrl, route.integrationId));
  const situation = situationOf(credential, route, error, connectSession);
  if (req.method === 'POST') {
    readSmallBody(req, inbound, {
      whole: (body) => answerPost(call, admission, situation, body, deps),
      other: (readSoFar) => refuseForCredential(call, error, deps.limits, readSoFar),
    });
  } else if (!isInSession(call, admission)) {
    refuseForCredential(call, error, deps.limits);
  } else if (req.method === 'GET') {
    startGetStream(call, admission, deps);
  } else {
    endSession(call, admission, deps);
  }
}

/** In one of ours, or in one with the upstream, which has lost its credential. */
function isInSession({ connectSession }: Call, { use }: Admission): boolean {
  return connectSession !== undefined || use === 'legacy';
}

function startGetStream(
  call: Call,
  { use, session }: Admission,
  { limits, openCalls }: ConnectServerDeps,
): void {
  if (use === 'legacy' && session !== undefined) call.enterSession(session);
  new ConnectStream(call, getTexts(call.connectSession, limits.reconnectAfter), limits).start();
  openCalls.recheckIfChanged(call);
}

function endSession(
  call: Call,
  { use, session }: Admission,
  { sessions }: Pick<ConnectServerDeps, 'sessions'>,
): void {
  if (use !== 'legacy' || session === undefined) {
    call.answer(204, undefined);
    return;
  }
  sessions.end(session).then(
    () => call.answer(204, undefined),
    (error: unknown) => call.refuse(error),
  );
}
