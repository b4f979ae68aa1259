import type { FixtureCallEvent, MockGatehouse } from '@gatehouse/mocks';

const MINUTE = 60_000;
const DAY = 24 * 60;

/** Habits more frequent than this, in minutes, are those of people, who sleep. */
const OFTEN = 60;

/** Ids of applications, integrations and people, by their names. */
export interface Ids {
  application(name: string): string;
  integration(name: string): string;
  person(name: string): string;
}

/** Calls that are alike, with the minutes from one to the next. */
export interface Habit {
  readonly every: number;
  readonly application: string;
  readonly integration: string;
  /** Null for the application itself; the owner by default. */
  readonly person?: string | null;
  readonly call: Omit<FixtureCallEvent, 'applicationId' | 'integrationId' | 'userId' | 'at'>;
}

const HABITS: readonly Habit[] = [
  {
    every: 13,
    application: 'Cursor',
    integration: 'GitHub',
    call: { name: 'list_issues', ms: 212, bytesOut: 18_400 },
  },
  {
    every: 37,
    application: 'Cursor',
    integration: 'GitHub',
    person: 'Jon Park',
    call: { name: 'create_issue', ms: 388, bytesIn: 1_150 },
  },
  {
    every: 61,
    application: 'Cursor',
    integration: 'Docs search',
    person: 'Li Wei',
    call: { method: 'tools/list', credential: 'none', ms: 24, bytesOut: 6_200 },
  },
  {
    every: 29,
    application: 'Support assistant',
    integration: 'Notion',
    person: 'Sam Ortiz',
    call: { name: 'search', ms: 141, bytesOut: 9_700 },
  },
  {
    every: 480,
    application: 'Cursor',
    integration: 'GitHub',
    person: 'Li Wei',
    call: { name: 'delete_repository', outcome: 'policy', reasons: ['tool_denied'], ms: 3 },
  },
  {
    every: 360,
    application: 'Support assistant',
    integration: 'Jira',
    person: 'Sam Ortiz',
    call: {
      name: 'search_issues',
      outcome: 'upstream_failed',
      reasons: ['upstream_unreachable'],
      status: 502,
      ms: 1_204,
    },
  },
  {
    every: 720,
    application: 'Nightly report',
    integration: 'Warehouse',
    person: null,
    call: { name: 'run_query', credential: 'server_token', ms: 2_870, bytesOut: 412_000 },
  },
  {
    every: 300,
    application: '"><svg onload=alert(1)> <b>bold</b>',
    integration: 'Weather',
    person: '<img src=x onerror=alert(2)>',
    call: { name: '<script>alert(5)</script>', credential: 'none' },
  },
];

/** Visits the calls of the last minutes, the oldest first. */
export function eachCall(minutes: number, visit: (habit: Habit, at: Date) => void): void {
  const now = Date.now();
  for (let minute = minutes; minute > 0; minute -= 1) {
    const at = new Date(now - minute * MINUTE);
    const isNight = at.getUTCHours() < 6 || at.getUTCHours() >= 20;
    for (const habit of HABITS) {
      const every = habit.every * (isNight && habit.every < OFTEN ? 8 : 1);
      if (minute % every === 0) visit(habit, at);
    }
  }
}

/** A day of calls: ordinary ones, some that rules refuse, and some that fail. */
export function seedCalls({ fixtures }: MockGatehouse, ids: Ids): void {
  eachCall(DAY, ({ person, call, ...names }, at) => {
    fixtures.addCallEvent({
      ...call,
      applicationId: ids.application(names.application),
      integrationId: ids.integration(names.integration),
      ...(person !== undefined && { userId: person && ids.person(person) }),
      at: at.toISOString(),
    });
  });
}
