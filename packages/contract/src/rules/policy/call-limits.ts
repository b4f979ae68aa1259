/** How many calls there may be. A field that is absent limits nothing. */
export interface CallLimitRules {
  readonly perMinute?: number | undefined;
  readonly concurrent?: number | undefined;
}

/** Limits as they are kept: null where nothing is limited. */
export function keptLimits<Limits extends CallLimitRules>(limits: Limits | null): Limits | null {
  const isLimited = limits?.perMinute !== undefined || limits?.concurrent !== undefined;
  return isLimited ? limits : null;
}
