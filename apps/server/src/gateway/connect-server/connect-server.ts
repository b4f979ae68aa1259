import { ERAS } from '../../mcp/era.ts';
import type { Admission, NeededUser } from '../admission.ts';
import type { Call } from '../call.ts';
import type { ConnectError } from '../credential-error.ts';
import { postAlone } from '../problems.ts';
import type { RequestBody } from '../request-body.ts';
import { answerPost, isInSession } from './answer-post.ts';
import { ConnectStream } from './connect-stream.ts';
import type { ConnectServerDeps } from './deps.ts';
import { getTexts } from './stream-texts.ts';
import { shownName } from './tool.ts';

/**
 * Answers an admitted call as a small MCP server. Its one tool says how to connect, because many
 * clients do not show an error of `initialize`. Nothing that the client sends goes upstream.
 */
export function serveConnect(
  call: Call,
  admission: Admission,
  credential: NeededUser,
  error: ConnectError,
  body: RequestBody,
  deps: ConnectServerDeps,
): void {
  const { route, connectSession } = admission;
  if (body instanceof Buffer) {
    const { reason } = credential;
    const name = shownName(route.integrationName);
    const advice = { reason, name, error, session: connectSession };
    const answer = async () => {
      const spoken = await deps.eras.find(route, undefined, ERAS);
      await answerPost(call, admission, advice, spoken, body, deps);
    };
    answer().catch((thrown: unknown) => call.refuse(thrown));
  } else if (call.era === 'modern' && body === null) {
    call.refuse(postAlone());
  } else if (body !== null || !isInSession(admission)) {
    call.refuseInRpc(error, undefined);
  } else if (call.request.method === 'GET') {
    startGetStream(call, admission, deps);
  } else {
    void endSession(call, admission, deps);
  }
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
): Promise<void> {
  try {
    const { sessionId = '' } = call.inbound;
    const adopted = connectSession && (await sessions.legacy.findAdopted(route, sessionId));
    const ending = sessionMode === 'legacy' ? session : adopted;
    if (ending !== undefined) await sessions.legacy.end(ending);
    call.answer(204, undefined);
  } catch (error) {
    call.refuse(error);
  }
}
