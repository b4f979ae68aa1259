/** Which names of a kind rules allow. */
export interface Names {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
}

export interface ToolNames extends Names {
  readonly readOnly?: boolean;
  readonly pinned?: 'definition' | 'schema';
}

/** Rules as the API takes them. */
export interface Rules {
  readonly roles?: readonly string[];
  readonly groups?: readonly string[];
  readonly userIds?: readonly string[];
  readonly tools?: ToolNames;
  readonly prompts?: Names;
  readonly resources?: Names;
}

export const LEVELS = ['integration', 'application', 'attachment'] as const;
export type Level = (typeof LEVELS)[number];

/** Everything that binds one attachment. */
export type RulesOfLevels = Readonly<Record<Level, Rules>>;

export interface Reason {
  readonly code: string;
  readonly level: Level;
}

/** Each level refuses once at most. What no level refuses is allowed. */
export function refusalsOfLevels(
  rules: RulesOfLevels,
  refusalOf: (rules: Rules) => string | undefined,
): Reason[] {
  return LEVELS.flatMap((level) => {
    const code = refusalOf(rules[level]);
    return code === undefined ? [] : [{ code, level }];
  });
}

export type Kind = 'tools' | 'prompts' | 'resources';

/** An empty `allow` allows nothing; an empty `deny` denies nothing. */
export function areLimited(kind: Kind, rules: Rules): boolean {
  const { allow, deny = [] } = rules[kind] ?? {};
  const { readOnly, pinned } = rules.tools ?? {};
  const byDefinition = kind === 'tools' && (readOnly === true || pinned !== undefined);
  return allow !== undefined || deny.length > 0 || byDefinition;
}

export function areNamesLimited(rules: Rules): boolean {
  return (['tools', 'prompts', 'resources'] as const).some((kind) => areLimited(kind, rules));
}

export function isAnyLevel(rules: RulesOfLevels, has: (rules: Rules) => boolean): boolean {
  return LEVELS.some((level) => has(rules[level]));
}
