import { type ProblemOptions, problem } from '@gatehouse/mocks';

type Code = Parameters<typeof problem>[0];

/** What comes instead of an answer, and what a person reads then. */
export interface Fault {
  readonly name: string;
  readonly respond: () => Response;
  readonly sentence: string;
}

const UNREACHABLE = 'Gatehouse cannot be reached.';
const FOREIGN = 'The response did not come from Gatehouse.';

/** Of any request. The first is final: a view does not offer to try again. Each has another sentence than the one before. */
export const FAULTS: readonly [Fault, ...Fault[]] = [
  ofProblem('not_found', 'There is no such resource.'),
  ofProblem('forbidden', 'The caller may not do this.'),
  ofProblem('rate_limited', 'Too many requests.'),
  ofProblem('database_unavailable', 'The database cannot be reached.'),
  ofProblem('internal_error', 'The server failed.'),
  { name: 'the page of a proxy', respond: () => html(502), sentence: 'The answer was HTTP 502.' },
  { name: 'a page that says it is fine', respond: () => html(200), sentence: FOREIGN },
  { name: 'a body that is cut', respond: () => json(cut()), sentence: UNREACHABLE },
  { name: 'what is no JSON', respond: () => json('{"items":['), sentence: FOREIGN },
  { name: 'a connection that is cut', respond: noConnection, sentence: UNREACHABLE },
];

/** Of a request that changes something. */
export const WRITE_FAULTS: readonly Fault[] = [
  ...FAULTS,
  ofProblem('archived', 'The resource is archived.'),
  ofProblem('idempotency_key_reused', 'The key was used for another request.'),
];

export function problemOf(code: Code, options?: ProblemOptions): Response {
  const { status, body } = problem(code, options);
  const headers = { 'content-type': 'application/problem+json', 'retry-after': '0' };
  return Response.json(body, { status, headers });
}

function ofProblem(code: Code, sentence: string): Fault {
  return { name: code, respond: () => problemOf(code), sentence };
}

function html(status: number): Response {
  const headers = { 'content-type': 'text/html', 'retry-after': '0' };
  return new Response('<h1>Bad gateway</h1>', { status, headers });
}

function json(body: string | ReadableStream): Response {
  return new Response(body, { headers: { 'content-type': 'application/json' } });
}

/** The beginning of a list; then the connection ends. */
function cut(): ReadableStream {
  let isBegun = false;
  return new ReadableStream({
    pull(controller) {
      if (isBegun) controller.error(new Error('cut'));
      else controller.enqueue(new TextEncoder().encode('{"items":['));
      isBegun = true;
    },
  });
}

/** The site ends the connection of a request that it fails to answer. */
function noConnection(): never {
  throw new Error('There is no connection.');
}
