import {
  type CallLimitRules,
  callLimitsSchema,
  isJsonObject,
  keptLimits,
} from '@gatehouse/contract';

/** Who shares a limit: one person at an attachment, all callers of an application, or all callers of an integration. */
export const limitLevels = ['person', 'application', 'integration'] as const;
export type LimitLevel = (typeof limitLevels)[number];

/** The limits of one level. */
export interface LevelLimits {
  readonly level: LimitLevel;
  /** What is limited, the same on every node. For a person, the id of the person belongs after it. */
  readonly key: string;
  readonly limits: CallLimitRules;
}

/** The limits that bind the calls of a route, as they are stored. */
export interface LimitsRow {
  readonly applicationId: string;
  readonly integrationId: string;
  /** Policies of the integration, of the integration for the application, and of the attachment. */
  readonly integrationRules: unknown;
  readonly applicationRules: unknown;
  readonly attachmentRules: unknown;
  readonly callsPerMinute: number | null;
  readonly concurrentCalls: number | null;
}

/**
 * The levels with limits, those that fewer callers share first; undefined where nothing is limited. Two limits for each
 * person are one: the lower. Stored rules that cannot be read refuse everything elsewhere, so they limit nothing here.
 */
export function levelLimitsOf(row: LimitsRow): readonly LevelLimits[] | undefined {
  const { applicationId, integrationId } = row;
  const person = lower(readLimits(row.applicationRules), readLimits(row.attachmentRules));
  const application = {
    perMinute: row.callsPerMinute ?? undefined,
    concurrent: row.concurrentCalls ?? undefined,
  };
  const levels = [
    // By the ids of the pair: attaching again gives no further calls.
    ...levelOf('person', `person:${applicationId}/${integrationId}/`, person),
    ...levelOf('application', `application:${applicationId}`, application),
    ...levelOf('integration', `integration:${integrationId}`, readLimits(row.integrationRules)),
  ];
  return levels.length === 0 ? undefined : levels;
}

function levelOf(level: LimitLevel, key: string, limits: CallLimitRules): readonly LevelLimits[] {
  return keptLimits(limits) === null ? [] : [{ level, key, limits }];
}

function readLimits(rules: unknown): CallLimitRules {
  const stored = isJsonObject(rules) ? rules.limits : undefined;
  return callLimitsSchema.safeParse(stored).data ?? {};
}

function lower(one: CallLimitRules, other: CallLimitRules): CallLimitRules {
  return {
    perMinute: lowerOf(one.perMinute, other.perMinute),
    concurrent: lowerOf(one.concurrent, other.concurrent),
  };
}

function lowerOf(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.min(one, other);
}
