import type { ProblemCode } from '@gatehouse/contract';
import type { ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';
import { contextOf } from '../context.ts';
import { problemResponse, toProblem } from '../problem-response.ts';
import { html } from './html.ts';
import { sendPage } from './send-page.ts';

const TITLES: Partial<Record<ProblemCode, string>> = {
  unauthenticated: 'You are not signed in',
  forbidden: 'That did not work',
  origin_not_allowed: 'That did not work',
  host_not_allowed: 'This address is not the right one',
  not_found: 'There is nothing here',
  method_not_allowed: 'There is nothing here',
  rate_limited: 'Too many attempts',
  overloaded: 'Too busy at the moment',
  database_unavailable: 'Not available at the moment',
  internal_error: 'Something went wrong',
};

/** Answers for pages as `handleError` does for the API: with a page that says what to do next. */
export function handlePageError(log: Logger, publicUrl: string): ErrorRequestHandler {
  return (thrown: unknown, req, res, next) => {
    if (res.headersSent) return next(thrown);
    const { requestId } = contextOf(res);
    const problem = toProblem(thrown);
    if (problem.code === 'internal_error') log.error({ requestId, err: thrown }, 'request failed');
    for (const [name, value] of Object.entries(problem.headers)) res.setHeader(name, value);
    const { status } = problemResponse(problem, requestId, req.originalUrl);
    sendPage(res, {
      status,
      title: TITLES[problem.code] ?? 'That did not work',
      body: html`<p>${problem.message}</p>
${problem.code === 'origin_not_allowed' && html`<p>The address of this Gatehouse is ${publicUrl}.</p>`}
${status >= 500 && html`<p class="quiet">If it stays like this, tell an operator of this Gatehouse the number ${requestId}.</p>`}
<a class="button secondary" href="${publicUrl}/account">Go to your account</a>`,
    });
  };
}
