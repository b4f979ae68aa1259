import { checkDocumented } from '../support/documented-problems.ts';
import { rawClient } from './targets/raw.ts';
import type { Answer, As, Call, CallOptions, Service, Target } from './targets/target.ts';

/** What a case speaks to. */
export interface Api {
  readonly service: Service;
  /** Calls made by the client under test, and by plain `fetch` where it cannot express them. */
  readonly tally: { client: number; raw: number };
  /** What the refusals said, with their codes. Ids, times and addresses differ from one service to another, and are left out. */
  readonly refusals: string[];
  /** `call('GET /me')`. */
  call(line: string, options?: CallOptions): Promise<Answer>;
  /** Like `call`, for an answer of 2xx. */
  ok(line: string, options?: CallOptions): Promise<Answer>;
  /** The status, code and places of a refusal. */
  problem(line: string, options?: CallOptions): Promise<ProblemSummary>;
}

export interface ProblemSummary {
  readonly status: number;
  readonly code: string;
  readonly at: readonly (string | undefined)[];
}

export function apiOf({ service, client }: Target): Api {
  const tally = { client: 0, raw: 0 };
  const refusals: string[] = [];
  const raw = rawClient(service);
  const send = (call: Call) => {
    const sent = client(call);
    tally[sent ? 'client' : 'raw'] += 1;
    return sent ?? raw(call);
  };
  const api: Api = {
    service,
    tally,
    refusals,
    async call(line, { as = 'owner', body, raw: text, headers = {} } = {}) {
      const [method = '', path = ''] = line.split(' ');
      const token = tokenOf(service, as);
      const answer = await send({ method, path, token, body, raw: text, headers });
      checkDocumented(method, path, answer);
      if (answer.status >= 400)
        refusals.push(`${line.replaceAll(VARIABLE, '…')}: ${textOf(answer)}`);
      return answer;
    },
    async ok(line, options) {
      const answer = await api.call(line, options);
      if (answer.status < 300) return answer;
      throw new Error(`${line} answered ${answer.status} ${answer.body?.code}`);
    },
    async problem(line, options) {
      const { status, body } = await api.call(line, options);
      const errors: { pointer?: string; parameter?: string }[] = body?.errors ?? [];
      const at = errors.map(({ pointer, parameter }) => pointer ?? parameter);
      return { status, code: body?.code, at };
    },
  };
  return api;
}

const VARIABLE =
  /https?:\/\/[^\s",]+|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z|(?<=cursor=)[^&\s]+/g;

function textOf({ body }: Answer): string {
  const { code, detail, errors } = body ?? {};
  return JSON.stringify([code, detail, errors]).replaceAll(VARIABLE, '…');
}

function tokenOf({ tokens }: Service, as: As): string | null {
  if (as === null) return null;
  return typeof as === 'string' ? tokens[as] : as.token;
}
