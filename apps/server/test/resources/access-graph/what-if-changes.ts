import type { WhatIfChange } from '@gatehouse/contract';
import fc from 'fast-check';

/** Rows by place: changes are drawn before there are ids. */
const place = fc.nat(5);
const roles = ['owner', 'admin', 'member'] as const;
const tools = fc.record(
  {
    allow: fc.subarray(['read_*', 'write']),
    deny: fc.subarray(['*_b']),
    readOnly: fc.boolean(),
    pinned: fc.constantFrom('definition', 'schema'),
  },
  { requiredKeys: [] },
);
const rules = fc.record(
  {
    roles: fc.subarray([...roles]),
    groups: fc.array(place, { maxLength: 2 }),
    userIds: fc.array(place, { maxLength: 2 }),
    tools,
    resources: fc.constant({ deny: ['*'] }),
  },
  { requiredKeys: [] },
);

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });

/** A change of any kind; most fields matter to some kinds alone. */
export const sketch = fc.record({
  kind: fc.constantFrom(
    ...(['attach', 'attach', 'detach', 'attachment_policy', 'attachment_policy'] as const),
    ...(['integration_policy', 'integration_policy', 'integration_policy'] as const),
    ...(['archive', 'restore', 'member', 'member', 'member'] as const),
  ),
  application: place,
  integration: place,
  user: place,
  ofApplication: fc.boolean(),
  rules,
  /** For each application. */
  own: fc.tuple(optional(rules), optional(rules)),
  role: optional(fc.constantFrom(...roles)),
  groups: optional(fc.array(place, { maxLength: 2 })),
  removed: fc.boolean(),
});
export type Sketch = typeof sketch extends fc.Arbitrary<infer S> ? S : never;
type Rules = Sketch['rules'];

const NO_CHANGE: Sketch = {
  ...{ kind: 'restore', application: 0, integration: 0, user: 0, ofApplication: true, rules: {} },
  ...{ own: [undefined, undefined], role: undefined, groups: undefined, removed: false },
};

/** Sequences that make a difference, whatever else is drawn. */
export const EXAMPLES: readonly Sketch[][] = [
  [{ ...NO_CHANGE, kind: 'integration_policy', own: [{ roles: [] }, undefined] }],
  [
    { ...NO_CHANGE, kind: 'integration_policy', integration: 1, rules: { groups: [0] } },
    { ...NO_CHANGE, kind: 'member', groups: [0] },
  ],
  [{ ...NO_CHANGE, kind: 'member', removed: true }],
];

/** What changes may name. */
export interface Rows {
  readonly applications: readonly string[];
  readonly integrations: readonly string[];
  readonly groups: readonly string[];
  readonly people: readonly string[];
}

const at = (list: readonly string[], n: number): string => list[n % list.length] ?? '';

function rulesOf({ groups, userIds, ...rest }: Rules, rows: Rows): object {
  return {
    ...rest,
    ...(groups && { groups: groups.map((n) => at(rows.groups, n)) }),
    ...(userIds && { userIds: userIds.map((n) => at(rows.people, n)) }),
  };
}

export function changeOf(drawn: Sketch, rows: Rows): WhatIfChange {
  const { kind, own, removed, role } = drawn;
  const applicationId = at(rows.applications, drawn.application);
  const integrationId = at(rows.integrations, drawn.integration);
  const policy = rulesOf(drawn.rules, rows);
  switch (kind) {
    case 'attach':
    case 'detach':
      return { kind, applicationId, integrationId };
    case 'attachment_policy':
      return { kind, applicationId, integrationId, policy };
    case 'integration_policy': {
      const each = own.flatMap((ownRules, n) =>
        ownRules === undefined ? [] : [[at(rows.applications, n), rulesOf(ownRules, rows)]],
      );
      const perApplication: Record<string, object> = Object.fromEntries(each);
      return { kind, integrationId, policy: { ...policy, perApplication } };
    }
    case 'archive':
    case 'restore':
      return drawn.ofApplication ? { kind, applicationId } : { kind, integrationId };
    case 'member': {
      const userId = at(rows.people, drawn.user);
      if (removed) return { kind, userId, removed };
      const groupIds = drawn.groups?.map((n) => at(rows.groups, n));
      return { kind, userId, ...(role && { role }), ...(groupIds && { groupIds }) };
    }
  }
}

type Request = readonly [method: string, path: string, body?: unknown];

/** The requests that make a change. */
export function requestsOf(change: WhatIfChange, groups: readonly string[]): readonly Request[] {
  if (change.kind === 'member') return memberRequests(change, groups);
  if (change.kind === 'archive' || change.kind === 'restore') {
    const { applicationId, integrationId } = change;
    const path = applicationId
      ? `/applications/${applicationId}`
      : `/integrations/${integrationId}`;
    return [change.kind === 'archive' ? ['DELETE', path] : ['POST', `${path}/restore`]];
  }
  if (change.kind === 'integration_policy') {
    return [['PUT', `/integrations/${change.integrationId}/policy`, change.policy]];
  }
  const path = `/applications/${change.applicationId}/integrations/${change.integrationId}`;
  if (change.kind === 'attachment_policy') return [['PUT', `${path}/policy`, change.policy]];
  return [[change.kind === 'attach' ? 'POST' : 'DELETE', path]];
}

function memberRequests(
  { userId, role, groupIds, removed }: Extract<WhatIfChange, { kind: 'member' }>,
  groups: readonly string[],
): readonly Request[] {
  const path = `/members/${userId}`;
  if (removed) return [['DELETE', path]];
  const memberships = groups.map((id) => {
    const method = groupIds?.includes(id) ? 'PUT' : 'DELETE';
    return [method, `/groups/${id}/members/${userId}`] as const;
  });
  return [['PATCH', path, role ? { role } : {}], ...(groupIds ? memberships : [])];
}
