import { type Reason, type Rules, type RulesOfLevels, refusalsOfLevels } from './rules.ts';

/** Who asks: a person, or an application for itself. */
export type Someone =
  | {
      readonly kind: 'person';
      readonly userId: string;
      readonly role: string;
      readonly groupIds: readonly string[];
    }
  | { readonly kind: 'application' };

export function arePeopleLimited({ roles, groups, userIds }: Rules): boolean {
  return [roles, groups, userIds].some((list) => list !== undefined);
}

/**
 * Roles, groups and people are one list of who may, and an application is never on it. A role is only itself: no role
 * includes another.
 */
export function whyKeptOut(rules: RulesOfLevels, someone: Someone): Reason[] {
  return refusalsOfLevels(rules, (level) => {
    if (!arePeopleLimited(level)) return undefined;
    if (someone.kind === 'application') return 'client_credentials';
    const { roles = [], groups = [], userIds = [] } = level;
    const mayUse = [...roles, ...groups, ...userIds];
    const names = [someone.role, someone.userId, ...someone.groupIds];
    if (names.some((name) => mayUse.includes(name))) return undefined;
    const isAboutPeopleAlone = level.roles === undefined && level.groups === undefined;
    return isAboutPeopleAlone ? 'person' : 'role_or_group';
  });
}
