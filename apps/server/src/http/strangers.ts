import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { LRUCache } from 'lru-cache';
import type { BrowserSessions } from '../identity/browser-sessions.ts';
import { atMost } from '../platform/at-most.ts';
import { InHand } from '../platform/in-hand.ts';
import { MinuteBudget } from '../platform/minute-budget.ts';
import { ProblemError } from '../platform/problem-error.ts';
import { addressBlockOf, networkOf } from './client-address.ts';
import { limited } from './rate-limit.ts';

/** Limits for one address, for one network, and in all. */
interface Limits {
  readonly source: number;
  /** A quarter of all: a customer may have each address of a network. */
  readonly network: number;
  readonly all: number;
}

/** At the same time. */
const IN_HAND: Limits = { source: 64, network: 500, all: 2_000 };

/** In a minute, of one address: a whole office may have one. */
const PER_MINUTE = 1_200;

/** Paths where a request writes a row that lasts: in a minute. */
const WRITES: Readonly<Record<string, Limits>> = {
  '/oauth/authorize': { source: 300, network: 750, all: 3_000 },
  '/oauth/register': { source: 20, network: 50, all: 200 },
};

/** Sign-ins that were found a moment ago. About 150 bytes each. */
const MAX_KNOWN = 10_000;
const KNOWN_FOR = 5 * 60_000;

/**
 * Bounds what people and programs without a token can make this node do, beside the limits of what costs
 * most (passwords, documents of clients, failed authentications). A browser that is signed in is counted
 * only in hand.
 */
export class Strangers {
  readonly #inHand = new InHand();
  readonly #minute = new MinuteBudget(PER_MINUTE);
  readonly #writes = new Map(
    Object.entries(WRITES).map(([path, { source, network, all }]) => [
      path,
      {
        source: new MinuteBudget(source),
        network: new MinuteBudget(network),
        all: new MinuteBudget(all),
      },
    ]),
  );
  readonly #known = new LRUCache<string, true>({ ...atMost(MAX_KNOWN), ttl: KNOWN_FOR });

  /** The request with these cookies was from a person who is signed in. */
  know(cookieHeader: string | undefined): void {
    if (cookieHeader !== undefined) this.#known.set(keyOf(cookieHeader), true);
  }

  /**
   * Counts a request until its response has ended.
   *
   * @param source the address block of the client
   * @throws ProblemError `rate_limited`, `overloaded`
   */
  admit(source: string, path: string, { headers }: IncomingMessage, res: ServerResponse): void {
    const { cookie } = headers;
    if (cookie === undefined || !this.#known.has(keyOf(cookie))) this.#count(source, path);
    const keys = this.#begin(source);
    res.once('close', () => {
      for (const key of keys) this.#inHand.end(key);
    });
  }

  /** The request of a client that has proved itself by a token or a secret. */
  giveBack(source: string): void {
    this.#minute.giveBack(source);
  }

  /** @returns what the request is counted by */
  #begin(source: string): readonly string[] {
    const limits = [
      [`source ${source}`, IN_HAND.source],
      [networkOf(source), IN_HAND.network],
      ['all', IN_HAND.all],
    ] as const;
    const begun: string[] = [];
    for (const [key, limit] of limits) {
      if (!this.#inHand.begin(key, limit)) {
        for (const one of begun) this.#inHand.end(one);
        throw key === 'all' ? overloaded() : limited(1_000);
      }
      begun.push(key);
    }
    return begun;
  }

  #count(source: string, path: string): void {
    const writes = this.#writes.get(path);
    const wait =
      this.#minute.take(source) ||
      (writes?.source.take(source) ?? 0) ||
      (writes?.network.take(networkOf(source)) ?? 0) ||
      (writes?.all.take('') ?? 0);
    if (wait > 0) throw limited(wait);
  }
}

/** A hash, so that memory holds no cookies. */
function keyOf(cookieHeader: string): string {
  return hash('sha256', cookieHeader, 'base64');
}

function overloaded(): ProblemError {
  return new ProblemError('overloaded', 'The service has too much in hand. Try again shortly.', {
    headers: { 'Retry-After': '1' },
  });
}

/** Paths that require a token: refused tokens have their own limit. The OpenAPI document needs no token. */
const WITH_TOKEN = /^\/(?:(?:api\/v1(?!\/openapi\.json$)|mcp)(?:\/|$)|metrics$)/;

/** Paths that balancers and supervisors ask all the time, and that cost next to nothing. */
const CHECKS = /^\/(?:healthz|readyz)$/;

/** Counts requests that need no token. @throws ProblemError `rate_limited`, `overloaded` */
export function countStrangers(strangers: Strangers): RequestHandler {
  return (req, res, next) => {
    const { path } = req;
    if (WITH_TOKEN.test(path) || CHECKS.test(path)) return next();
    const source = addressBlockOf(req.ip ?? '');
    strangers.admit(source, path, req, res);
    if (path === '/oauth/token') {
      res.once('finish', () => {
        if (res.statusCode < 400) strangers.giveBack(source);
      });
    }
    next();
  };
}

/** Browser sessions that tell `strangers` which browsers are signed in. */
export function noteSignedIn(sessions: BrowserSessions, strangers: Strangers): BrowserSessions {
  return {
    ...sessions,
    async find(cookieHeader, options) {
      const person = await sessions.find(cookieHeader, options);
      if (person !== undefined) strangers.know(cookieHeader);
      return person;
    },
  };
}
