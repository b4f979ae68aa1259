import {
  type ConsoleToken,
  consoleTokenBodySchema,
  isJsonContentType,
  requestProblem,
} from '@gatehouse/contract';
import type { Request, RequestHandler, Response } from 'express';
import type * as z from 'zod';
import { readBody } from '../http/body.ts';
import { requestOf } from '../http/context.ts';
import { ownOriginsOf } from '../http/host-and-origin.ts';
import type { BrowserSessions } from '../identity/browser-sessions.ts';
import type { ConsoleTokens } from '../identity/console-tokens.ts';
import { ProblemError } from '../platform/problem-error.ts';
import { type GatewayAccessDeps, issueGatewayAccess } from './gateway-access.ts';

export interface BrowserRequestDeps extends GatewayAccessDeps {
  readonly browserSessions: BrowserSessions;
  readonly consoleTokens: ConsoleTokens;
}

/**
 * `POST /console/token`: a token of the person who is signed in, for the management API, or for the gateway URL that
 * the body names.
 */
export function issueToken(deps: BrowserRequestDeps) {
  const { browserSessions, consoleTokens, publicUrl } = deps;
  return ownPageOnly(publicUrl, async (req, res) => {
    const { active, resource } = tokenBodyOf(req);
    const person = await browserSessions.find(req.headers.cookie, { isActive: active });
    if (person === undefined) throw signedOut();
    const { accessToken, expiresAt } =
      resource === undefined
        ? consoleTokens.issue(person.sessionId)
        : await issueGatewayAccess(deps, person.sessionId, resource, requestOf(res));
    const { userId } = person;
    const body: ConsoleToken = { accessToken, userId, expiresAt: expiresAt.toISOString() };
    res.setHeader('Cache-Control', 'no-store');
    res.json(body);
  });
}

/** `POST /console/sign-out`. The tokens of this browser session end with it. */
export function signOut({ browserSessions, publicUrl }: BrowserRequestDeps) {
  return ownPageOnly(publicUrl, async (req, res) => {
    res.append('Set-Cookie', await browserSessions.end(req.headers.cookie, requestOf(res)));
    res.status(204).end();
  });
}

type Handler = (req: Request, res: Response) => Promise<void>;

/**
 * Cookies are sent with requests of every page, so the headers that a page cannot choose must say that it is ours:
 * `Origin`, and `Sec-Fetch-Site` where the browser sends it. Origins that may call the API are not ours.
 */
function ownPageOnly(publicUrl: string, handle: Handler): RequestHandler {
  const ownOrigins = ownOriginsOf(publicUrl);
  return (req, res, next) => {
    const { origin, 'sec-fetch-site': site } = req.headers;
    if (
      origin === undefined ||
      !ownOrigins.has(origin) ||
      (site ?? 'same-origin') !== 'same-origin'
    )
      throw new ProblemError(
        'origin_not_allowed',
        'Only the console of this Gatehouse may do this.',
      );
    if (!isJsonContentType(req.headers['content-type'] ?? ''))
      throw new ProblemError('unsupported_media_type', 'Send the body as application/json.');
    return readBody(req, res, (error) => (error ? next(error) : handle(req, res).catch(next)));
  };
}

/** @throws ProblemError `validation_failed`, `unknown_field` */
function tokenBodyOf({ body }: Request): z.output<typeof consoleTokenBodySchema> {
  const parsed = consoleTokenBodySchema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  const { code, errors } = requestProblem({ path: [], query: [], body: parsed.error.issues });
  throw new ProblemError(code, 'The body is not valid.', { errors });
}

function signedOut(): ProblemError {
  return new ProblemError('unauthenticated', 'Nobody is signed in with this browser.');
}
