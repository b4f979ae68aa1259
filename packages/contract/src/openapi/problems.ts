import type { JsonObject } from '../shared/json.ts';
import { PROBLEM_CONTENT_TYPE } from '../shared/problem.ts';
import { type ProblemCode, type ProblemStatus, problemCodes } from '../shared/problem-codes.ts';
import { COMMON_HEADERS, headerReferences } from './headers.ts';
import { problemsOf } from './operation-problems.ts';
import { type Operation, operations } from './operations.ts';
import { problemExamples } from './problem-examples.ts';
import { schemaReference } from './schemas.ts';

/** Component names of the problem responses of the management API by status. */
const NAMES: Partial<Record<ProblemStatus, string>> = {
  400: 'BadRequest',
  401: 'Unauthenticated',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  412: 'PreconditionFailed',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  422: 'IdempotencyKeyReused',
  429: 'RateLimited',
  500: 'InternalError',
  503: 'Unavailable',
};

const EXTRA_HEADERS: Partial<Record<ProblemStatus, string[]>> = {
  401: ['WWW-Authenticate'],
  412: ['ETag'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** Codes that come with a time to wait, beside others of their status that do not. */
const WITH_RETRY: readonly ProblemCode[] = ['idempotency_in_progress'];

function extraHeaders(status: ProblemStatus, codes: readonly ProblemCode[]): readonly string[] {
  const extra = EXTRA_HEADERS[status] ?? [];
  return codes.some((code) => WITH_RETRY.includes(code)) ? [...extra, 'Retry-After'] : extra;
}

function problemResponse(status: ProblemStatus, codes: readonly ProblemCode[]): JsonObject {
  const lines = codes.map((code) => `- \`${code}\`: ${problemCodes[code].title}`);
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]);
  return {
    description: `One of these codes:\n\n${lines.join('\n')}`,
    headers: headerReferences([...COMMON_HEADERS, ...extraHeaders(status, codes)]),
    content: {
      [PROBLEM_CONTENT_TYPE]: {
        schema: schemaReference('Problem'),
        examples: Object.fromEntries(examples),
      },
    },
  };
}

/** The list of codes that most operations have for each status, as a key. */
function commonKeys(): Map<ProblemStatus, string> {
  const counts = new Map<string, number>();
  const common = new Map<ProblemStatus, string>();
  for (const [status, codes] of operations().flatMap((operation) => [...problemsOf(operation)])) {
    const key = codes.join();
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count > (counts.get(common.get(status) ?? '') ?? 0)) common.set(status, key);
  }
  return common;
}

/** The problem responses of the operations, each with the codes that can occur there. */
export interface ProblemResponses {
  /** What most operations share, filled by {@link ProblemResponses.of}. */
  readonly components: JsonObject;
  /** The responses of an operation by status. */
  of(operation: Operation): JsonObject;
}

export function createProblemResponses(): ProblemResponses {
  const common = commonKeys();
  const components: JsonObject = {};
  const responseOf = (status: ProblemStatus, codes: readonly ProblemCode[]): JsonObject => {
    const response = problemResponse(status, codes);
    const name = NAMES[status];
    if (name === undefined || codes.join() !== common.get(status)) return response;
    components[name] = response;
    return { $ref: `#/components/responses/${name}` };
  };
  return {
    components,
    of: (operation) =>
      Object.fromEntries(
        [...problemsOf(operation)].map(([status, codes]) => [status, responseOf(status, codes)]),
      ),
  };
}

/** The example of each code, under its component name. */
export function problemExampleComponents(): JsonObject {
  return Object.fromEntries(
    Object.entries(problemExamples).map(([code, value]) => [
      code,
      { summary: problemCodes[code as ProblemCode].title, value },
    ]),
  );
}
