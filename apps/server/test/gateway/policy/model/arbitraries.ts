import fc from 'fast-check';
import {
  type DrawnRules,
  drawnRules,
  GROUPS,
  group,
  maybe,
  PEOPLE,
  roles,
} from './arbitrary-rules.ts';
import { type Drawn, post, TOOLS } from './messages.ts';
import type { AuthMode, Situation } from './oracle/messages.ts';
import type { Someone } from './oracle/people.ts';
import type { Rules } from './oracle/rules.ts';
import { isCatalogued, isEqual, type Tool, type Version } from './oracle/tools.ts';

/** Rules for each application, if there are any. */
const perApplication = fc.tuple(maybe(drawnRules), maybe(drawnRules));

const memberChange = fc
  .record({
    person: fc.integer({ min: 1, max: PEOPLE - 1 }),
    role: maybe(roles),
    groups: maybe(fc.uniqueArray(group, { maxLength: 2 })),
  })
  .filter(({ role, groups }) => role !== undefined || groups !== undefined);

const version: fc.Arbitrary<Version> = fc.record({
  text: fc.nat(1),
  schema: fc.nat(1),
  readOnly: fc.boolean(),
});

/** What was seen of a tool before, the latest last. */
const history = fc.uniqueArray(fc.record({ version, isApproved: fc.boolean() }), {
  maxLength: 3,
  comparator: (one, other) => isEqual(one.version, other.version),
});

type History = Drawn<typeof history>;

/** What is known of tools by their histories. */
export function toolsOf(histories: readonly History[]): Map<string, Tool> {
  const tools = TOOLS.map((name, place): [string, Tool] => {
    const seen = histories[place] ?? [];
    const approved = seen.filter(({ isApproved }) => isApproved).map(({ version: own }) => own);
    return [name, { latest: seen.at(-1)?.version, approved }];
  });
  return new Map(tools.filter(([name, { latest }]) => isCatalogued(name) && latest !== undefined));
}

const histories = fc.array(history, { minLength: TOOLS.length, maxLength: TOOLS.length });
const authMode = fc.constantFrom<AuthMode>('server_token', 'user_token', 'none');

const caller = fc.record({ person: fc.nat(PEOPLE), application: fc.nat(1) });

const list = fc.record({
  caller,
  key: fc.constantFrom(
    ...(['tools', 'tools', 'tools', 'prompts', 'resources', 'resourceTemplates'] as const),
  ),
  via: fc.constantFrom('json', 'events', 'stream', 'modern'),
  versions: fc.array(version, { minLength: TOOLS.length, maxLength: TOOLS.length }),
});

export type DrawnList = Drawn<typeof list>;

const round = (lists: fc.Arbitrary<DrawnList[]>) =>
  fc.record({
    rules: fc.oneof(fc.constant({}), drawnRules),
    perApplication,
    attachments: fc.tuple(drawnRules, drawnRules),
    member: maybe(memberChange),
    approved: fc.subarray(TOOLS),
    described: fc.record({ role: maybe(roles), group: maybe(group) }),
    posts: fc.array(fc.record({ caller, post }), { minLength: 3, maxLength: 10 }),
    lists,
  });

export type Round = Drawn<ReturnType<typeof round>>;

const someLists = fc.array(list, { minLength: 1, maxLength: 4 });

/** @param rounds of rules, after each other; only with `listsIn: 'each'` tools change before the last */
export const runOf = (rounds: number, listsIn: 'each' | 'last') =>
  fc.record({
    authMode,
    histories,
    rounds: fc
      .tuple(
        fc.array(round(listsIn === 'each' ? someLists : fc.constant([])), {
          maxLength: rounds - 1,
        }),
        round(someLists),
      )
      .map(([before, last]) => [...before, last]),
  });

export type Run = Drawn<ReturnType<typeof runOf>>;

const named = ({ groups, userIds, ...rest }: DrawnRules): Rules => ({
  ...rest,
  ...(groups && { groups: groups.map((n) => `group ${n}`) }),
  ...(userIds && { userIds: userIds.map((n) => `user ${n}`) }),
});

const someone: fc.Arbitrary<Someone> = fc.oneof(
  fc.constant({ kind: 'application' as const }),
  fc.record({
    kind: fc.constant('person' as const),
    userId: fc.nat(PEOPLE - 1).map((n) => `user ${n}`),
    role: roles,
    groupIds: fc.subarray(Array.from({ length: GROUPS }, (_, n) => `group ${n}`)),
  }),
);

/** One decision, without a gateway. */
export const decision = fc.record({
  post,
  someone,
  situation: fc
    .record({ levels: fc.tuple(drawnRules, drawnRules, drawnRules), authMode, histories })
    .map(
      ({ levels: [integration, application, attachment], ...rest }): Situation => ({
        authMode: rest.authMode,
        tools: toolsOf(rest.histories),
        rules: {
          integration: named(integration),
          application: named(application),
          attachment: named(attachment),
        },
      }),
    ),
});
