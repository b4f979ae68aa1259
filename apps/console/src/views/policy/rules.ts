import type { IntegrationPolicyInput, PolicyInput } from '@gatehouse/contract';

type NameRules = PolicyInput['prompts'];

/** The keys of an object that have a value; undefined where no key is left. */
function filled<Fields extends object>(fields: Fields): Partial<Fields> | undefined {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as Partial<Fields>);
}

function namesOf(rules: NameRules) {
  const deny = rules?.deny?.length ? rules.deny : undefined;
  return { allow: rules?.allow, deny };
}

/** The rules without what restricts nothing, each field in its place, so that two can be compared. */
function tidy(rules: PolicyInput): PolicyInput {
  const { roles, groups, userIds, tools, prompts, resources, limits } = rules;
  const definitions = { readOnly: tools?.readOnly || undefined, pinned: tools?.pinned };
  return {
    ...filled({
      roles,
      groups,
      userIds,
      tools: filled({ ...namesOf(tools), ...definitions }),
      prompts: filled(namesOf(prompts)),
      resources: filled(namesOf(resources)),
      limits: filled({ perMinute: limits?.perMinute, concurrent: limits?.concurrent }),
    }),
  };
}

/** The same for an integration. An application without rules is left out. */
export function tidyAll({ perApplication, ...rules }: IntegrationPolicyInput) {
  const entries = Object.entries(perApplication ?? {})
    .map(([id, own]) => [id, tidy(own)] as const)
    .filter(([, own]) => Object.keys(own).length > 0)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const further = entries.length > 0 && { perApplication: Object.fromEntries(entries) };
  return { ...tidy(rules), ...further } satisfies IntegrationPolicyInput;
}

export function hasRules(policy: IntegrationPolicyInput): boolean {
  return Object.keys(tidyAll(policy)).length > 0;
}

/** The rules for one application, or those for every application. */
export function rulesAt(
  policy: IntegrationPolicyInput,
  applicationId: string | undefined,
): PolicyInput {
  if (applicationId !== undefined) return policy.perApplication?.[applicationId] ?? {};
  const { perApplication: _further, ...rules } = policy;
  return rules;
}

/** A policy with other rules at one place. */
export function withRulesAt(
  policy: IntegrationPolicyInput,
  applicationId: string | undefined,
  rules: PolicyInput,
): IntegrationPolicyInput {
  const { perApplication } = policy;
  if (applicationId === undefined) return { ...rules, ...(perApplication && { perApplication }) };
  return { ...policy, perApplication: { ...perApplication, [applicationId]: rules } };
}

/** What two people can change without meeting each other. */
export const parts = {
  people: ['roles', 'groups', 'userIds'],
  tools: ['tools'],
  prompts: ['prompts'],
  resources: ['resources'],
  limits: ['limits'],
} as const satisfies Record<string, readonly (keyof PolicyInput)[]>;

/** One part of the rules at one place. */
export interface Place {
  readonly applicationId: string | undefined;
  readonly part: keyof typeof parts;
}

/** Only one part of rules. */
export function partOf(rules: PolicyInput, part: keyof typeof parts): PolicyInput {
  const fields: readonly string[] = parts[part];
  return Object.fromEntries(Object.entries(rules).filter(([field]) => fields.includes(field)));
}

function isSame(one: PolicyInput, other: PolicyInput): boolean {
  return JSON.stringify(tidy(one)) === JSON.stringify(tidy(other));
}

/** Where two policies differ. */
export function changedPlaces(
  before: IntegrationPolicyInput,
  after: IntegrationPolicyInput,
): Place[] {
  const ids = [before, after].flatMap(({ perApplication }) => Object.keys(perApplication ?? {}));
  return [undefined, ...new Set(ids)].flatMap((applicationId) =>
    (Object.keys(parts) as (keyof typeof parts)[])
      .filter((part) => {
        const [one, other] = [before, after].map((policy) =>
          partOf(rulesAt(policy, applicationId), part),
        );
        return !isSame(one ?? {}, other ?? {});
      })
      .map((part) => ({ applicationId, part })),
  );
}

/** A policy that has some places as another policy has them. */
export function withPlaces(
  policy: IntegrationPolicyInput,
  places: readonly Place[],
  from: IntegrationPolicyInput,
): IntegrationPolicyInput {
  return places.reduce((merged, { applicationId, part }) => {
    const fields: readonly string[] = parts[part];
    const others = Object.entries(rulesAt(merged, applicationId)).filter(
      ([field]) => !fields.includes(field),
    );
    const kept = partOf(rulesAt(from, applicationId), part);
    return withRulesAt(merged, applicationId, { ...Object.fromEntries(others), ...kept });
  }, policy);
}
