import type { StageStatus, ValidationStageName } from '../../shared/validation.ts';
import { hasKey, stageFailure } from './stages.ts';

/** One sentence about a stage for each thing that people read of it. */
type StageSentences = Readonly<Record<'checks' | StageStatus, string>>;

/** `skipped` is for a stage that the integration does without. */
export const stageSentences: Readonly<Record<ValidationStageName, StageSentences>> = {
  address: {
    checks:
      'The host name of the URL resolves, Gatehouse may connect to all its addresses, and one of them accepts a connection.',
    passed: 'The host name resolves, and the server accepts connections.',
    failed: 'Gatehouse cannot connect to the host of the URL.',
    skipped: 'No connection was needed.',
  },
  tls: {
    checks:
      'The server proves with its certificate that it is the host of the URL. Plain http has no such stage.',
    passed: 'The certificate proves that the server is the host of the URL.',
    failed: 'The server does not prove that it is the host of the URL.',
    skipped: 'The URL is plain http, which has no certificate.',
  },
  http: {
    checks: 'The server responds over HTTP without an error.',
    passed: 'The server responds over HTTP.',
    failed: 'The server does not respond over HTTP, or responds with an error.',
    skipped: 'No response was needed.',
  },
  mcp: {
    checks: 'The server speaks MCP 2026-07-28 or an earlier version.',
    passed: 'The server speaks MCP.',
    failed: 'The server does not speak MCP.',
    skipped: 'The server need not speak MCP, because no calls go through the gateway.',
  },
  challenge: {
    checks: 'A server that needs a credential answers 401 with a WWW-Authenticate challenge.',
    passed: 'The server says with a challenge that it needs a credential.',
    failed: 'The server refuses requests without a proper challenge.',
    skipped: 'No challenge was needed.',
  },
  discovery: {
    checks:
      'In the mode oauth: Gatehouse finds the authorization server at which people connect, and its metadata is valid.',
    passed: 'The authorization server is known, and its metadata is valid.',
    failed: 'The authorization server cannot be found, or its metadata is not valid.',
    skipped: 'Nobody connects by OAuth, so no authorization server is needed.',
  },
  registration: {
    checks:
      'In the mode oauth: Gatehouse can become a client of the authorization server. It does not register yet.',
    passed: 'Gatehouse can be a client of the authorization server.',
    failed: 'Gatehouse cannot be a client of the authorization server.',
    skipped: 'Nobody connects by OAuth, so no client is needed.',
  },
  credential: {
    checks: 'The stored credential was sent and accepted.',
    passed: 'The server accepted the credential.',
    failed: 'There is no credential that the server accepts.',
    skipped: 'No credential was needed.',
  },
  tools: {
    checks: 'The server lists its tools.',
    passed: 'The server lists its tools.',
    failed: 'The server does not list its tools.',
    skipped: 'No list of tools was needed, because no calls go through the gateway.',
  },
};

const NOT_REACHED = 'It was not tried, because something else has to work first.';

/** A stage of a response, which a newer service may give other values. */
interface AnyStage {
  readonly stage: string;
  readonly status: string;
  readonly code?: string | undefined;
}

/** The outcome of a stage in one sentence: the cause where a code names one. Undefined for an unknown stage. */
export function stageSentence({ stage, status, code }: AnyStage): string | undefined {
  if (!hasKey(stageSentences, stage)) return undefined;
  const sentences = stageSentences[stage];
  if (status === 'passed') return sentences.passed;
  if (code === 'not_reached') return NOT_REACHED;
  const cause = code === undefined ? undefined : stageFailure(stage, code)?.sentence;
  return cause ?? (status === 'failed' ? sentences.failed : sentences.skipped);
}
