import { envelopeOf } from '../../mcp/envelope/read-envelope.ts';
import { isPlainUtf8 } from '../../mcp/plain-utf8.ts';
import { readEntireBody } from '../entire-body.ts';
import type { GatewayLimits } from '../limits.ts';
import { type JudgedHeaders, judgedHeadersOf } from '../policy/judged-headers.ts';
import { mustBePlain } from '../unreadable-body.ts';
import { answerMessage } from './answer-message.ts';
import type { AnswerRequestDeps } from './answer-request.ts';
import type { Admitted } from './client-call.ts';

export interface AnswerPostDeps extends AnswerRequestDeps {
  readonly limits: GatewayLimits;
}

/** Reads what a client has sent and answers it. @throws ProblemError `unsupported_media_type` */
export function answerPost(admitted: Admitted, deps: AnswerPostDeps): void {
  const { call } = admitted;
  const headers = judgedHeadersOf(call.req.rawHeaders);
  if (!isPlainUtf8(headers['content-type'], headers['content-encoding'])) throw mustBePlain();
  readEntireBody(call, deps.limits, (body) => {
    answerBody(admitted, body, headers, deps)?.catch((error: unknown) => call.refuse(error));
  });
}

/** Synchronous for a short body. */
function answerBody(
  admitted: Admitted,
  body: Buffer,
  headers: JudgedHeaders,
  deps: AnswerPostDeps,
): undefined | Promise<void> {
  const envelope = envelopeOf(body);
  if (envelope instanceof Promise) {
    return envelope.then((read) =>
      answerMessage(admitted, { envelope: read, body, headers }, deps),
    );
  }
  answerMessage(admitted, { envelope, body, headers }, deps);
  return undefined;
}
