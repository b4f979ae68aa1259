import { ERAS } from '../../mcp/era.ts';
import type { Admission, NeededUser } from '../admission.ts';
import type { Call } from '../call.ts';
import type { ConnectError } from '../credential-error.ts';
import { answerOf, type OwnAnswer } from '../own-answer.ts';
import { postAlone } from '../problems.ts';
import type { RequestBody } from '../request-body.ts';
import { answerPost, isInSession } from './answer-post.ts';
import { ConnectStream, getTexts } from './connect-stream.ts';
import type { ConnectServerDeps } from './deps.ts';
import { shownName } from './tool.ts';

/**
 * Answers an admitted call as a small MCP server. Its one tool says how to connect, because many
 * clients do not show an error of `initialize`. Nothing that the client sends goes upstream.
 *
 * @returns undefined where an event stream has begun
 * @throws ProblemError
 */
export async function serveConnect(
  call: Call,
  admission: Admission,
  credential: NeededUser,
  error: ConnectError,
  body: RequestBody,
  deps: ConnectServerDeps,
): Promise<OwnAnswer | undefined> {
  const { route, connectSession } = admission;
  if (body instanceof Buffer) {
    const { reason } = credential;
    const name = shownName(route.integrationName);
    const advice = { reason, name, error, session: connectSession };
    const spoken = await deps.eras.find(route, undefined, ERAS);
    return answerPost(call, admission, advice, spoken, body, deps);
  }
  if (call.era === 'modern' && body === null) throw postAlone();
  if (body !== null || !isInSession(admission)) return call.rpcAnswer(error, undefined);
  if (call.request.method !== 'GET') return endSession(call, admission, deps);
  startGetStream(call, admission, deps);
  return undefined;
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

/** Also the session that a connect session had become, before its person disconnected. */
async function endSession(
  call: Call,
  { sessionMode, session, connectSession, route }: Admission,
  { sessions }: Pick<ConnectServerDeps, 'sessions'>,
): Promise<OwnAnswer> {
  const { sessionId = '' } = call.inbound;
  const adopted = connectSession && (await sessions.legacy.findAdopted(route, sessionId));
  const ending = sessionMode === 'legacy' ? session : adopted;
  if (ending !== undefined) await sessions.legacy.end(ending);
  return answerOf(204, undefined);
}
