import type { RequestHandler } from 'express';
import { setContext } from './context.ts';
import { requestIdOf } from './request-id.ts';

/** Gives every request its context, and every response its common headers. */
export const startRequest: RequestHandler = (req, res, next) => {
  const requestId = requestIdOf(req.headers['x-request-id']);
  setContext(res, {
    requestId,
    startedAt: performance.now(),
    operation: undefined,
    route: undefined,
    actor: undefined,
  });
  res.setHeader('X-Request-Id', requestId);
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('X-Content-Type-Options', 'nosniff');
  next();
};
