import type { ConformanceRun } from '@gatehouse/harness';

/** How a scenario differs from what the reference server gives without a gateway. */
export interface Difference {
  /** The worst of what is left; a scenario without checks succeeds. */
  readonly outcome: 'FAILURE' | 'WARNING' | 'SUCCESS';
  /** The checks that differ, or are not reached, in alphabetical order. */
  readonly checks: readonly string[];
}

type Differences = Readonly<Record<string, Difference>>;

/** Lists are JSON, and so no streams that this check could look at. */
const JSON_LISTS: Differences = {
  'server-sse-multiple-streams': { outcome: 'SUCCESS', checks: ['server-sse-streams-functional'] },
};

/**
 * These fixtures ask their client by a request of the server's. The reference server has no such request in its modern era,
 * and fails the call by itself.
 */
const ASKING_TOOLS: Differences = {
  'elicitation-sep1034-defaults': fails(
    ...['boolean', 'enum'].map((type) => `elicitation-sep1034-${type}-default`),
    'elicitation-sep1034-general',
    ...['integer', 'number', 'string'].map((type) => `elicitation-sep1034-${type}-default`),
  ),
  'elicitation-sep1330-enums': fails(
    'elicitation-sep1330-general',
    'elicitation-sep1330-legacy-enumnames',
    ...['titled-multi', 'titled-single'].map((kind) => `elicitation-sep1330-${kind}`),
    ...['untitled-multi', 'untitled-single'].map((kind) => `elicitation-sep1330-${kind}`),
  ),
  'tools-call-elicitation': fails('tools-call-elicitation'),
  'tools-call-sampling': fails('tools-call-sampling'),
};

/** A stream of the modern era cannot be resumed, so that it has no event to begin with and no time to return after. */
const polling = (...checks: string[]): Differences => ({
  'server-sse-polling': { outcome: 'SUCCESS', checks },
});

/**
 * A legacy server cannot ask a modern client, which has no session: such capabilities are not declared to the server, and
 * its fixtures fail in place of asking.
 */
const QUESTIONS: Differences = {
  'input-required-result-basic-elicitation': failsOf(
    'elicitation-complete',
    'elicitation-incomplete',
  ),
  'input-required-result-basic-list-roots': failsOf('list-roots-complete', 'list-roots-incomplete'),
  'input-required-result-basic-sampling': failsOf('sampling-complete', 'sampling-incomplete'),
  'input-required-result-capability-check': failsOf('respect-client-capabilities'),
  'input-required-result-missing-input-response': warns('missing-response-rerequests'),
  'input-required-result-multi-round': failsOf(
    'multi-round-r1',
    'multi-round-r2',
    'multi-round-r3',
  ),
  'input-required-result-multiple-input-requests': failsOf(
    'multiple-inputs-complete',
    'multiple-inputs-incomplete',
  ),
  'input-required-result-non-tool-request': failsOf('non-tool-complete', 'non-tool-incomplete'),
  'input-required-result-request-state': failsOf(
    'request-state-complete',
    'request-state-incomplete',
  ),
  'input-required-result-result-type': failsOf('result-type-included'),
  'input-required-result-tampered-state': failsOf('reject-tampered-state'),
  'input-required-result-validate-input': warns(
    'error-on-protocol-error',
    'validate-input-responses',
  ),
  'server-stateless': fails(
    'sep-2575-missing-capability-http-400',
    'sep-2575-server-rejects-undeclared-capability',
  ),
};

/**
 * The suite changes lists as soon as it may listen. The stream of a legacy server's session may not be open then, so that
 * these pass or warn.
 */
export const UNDECIDED: ReadonlySet<string> = new Set([
  'sep-2575-server-sends-prompts-list-changed-on-subscription',
  'sep-2575-server-sends-tools-list-changed-on-subscription',
]);

/** What differs at the one URL. Scenarios that are not named here find check by check what they find directly. */
export const EXPECTED_DIFFERENCES = {
  inOneEra: JSON_LISTS,
  legacyClient: {
    '0.1.16': {
      ...{ ...JSON_LISTS, ...ASKING_TOOLS },
      ...polling('server-sse-priming-event', 'server-sse-retry-field'),
    },
    '0.2.0-alpha.12': {
      ...{ ...JSON_LISTS, ...ASKING_TOOLS },
      ...polling(
        'server-sse-disconnect-resume',
        'server-sse-priming-event',
        'server-sse-retry-field',
      ),
    },
  },
  modernClient: QUESTIONS,
} as const;

function fails(...checks: string[]): Difference {
  return { outcome: 'FAILURE', checks };
}

/** @param checks without what the names of all of them begin with */
function failsOf(...checks: string[]): Difference {
  return fails(...checks.map((name) => `sep-2322-${name}`));
}

function warns(...checks: string[]): Difference {
  return { ...failsOf(...checks), outcome: 'WARNING' };
}

/** The scenarios of a run that find something else than those of another. */
export function differencesOf(
  run: ConformanceRun,
  direct: ConformanceRun,
  undecided: ReadonlySet<string>,
): Differences {
  const names = new Set([...run.scenarios, ...direct.scenarios].map(({ name }) => name));
  const all = [...names].map((name) => {
    const { outcome, checks } = differenceOf(name, run, direct);
    return [name, { outcome, checks: checks.filter((id) => !undecided.has(id)) }] as const;
  });
  return Object.fromEntries(all.filter(([, { checks }]) => checks.length > 0));
}

function differenceOf(name: string, run: ConformanceRun, direct: ConformanceRun): Difference {
  const [found, expected] = [verdictsOf(run, name), verdictsOf(direct, name)];
  const ids = new Set([...found, ...expected].map(({ id }) => id));
  const statusesOf = (verdicts: typeof found, sought: string) =>
    verdicts
      .filter(({ id }) => id === sought)
      .map(({ status }) => status)
      .join();
  const differs = (id: string) => statusesOf(found, id) !== statusesOf(expected, id);
  const has = (sought: string) => found.some(({ status }) => status === sought);
  return {
    outcome: has('FAILURE') ? 'FAILURE' : has('WARNING') ? 'WARNING' : 'SUCCESS',
    checks: [...ids].filter(differs).sort(),
  };
}

/** Without what is only information. */
function verdictsOf({ scenarios }: ConformanceRun, sought: string) {
  const { checks = [] } = scenarios.find(({ name }) => name === sought) ?? {};
  return checks.filter(({ status }) => status !== 'INFO');
}
