import { whyNotNamed } from './names.ts';
import { type Reason, type Rules, type RulesOfLevels, refusalsOfLevels } from './rules.ts';

/** What a server may change in the definition of a tool. */
export interface Version {
  readonly text: number;
  readonly schema: number;
  readonly readOnly: boolean;
}

/** What is known of a tool. */
export interface Tool {
  /** As the server listed it last; undefined if it never did. */
  readonly latest: Version | undefined;
  /** As admins have approved it. */
  readonly approved: readonly Version[];
}

export const UNSEEN: Tool = { latest: undefined, approved: [] };

/** A longer name, or an empty one, is not catalogued: such a tool stays unseen. */
const LONGEST_CATALOGUED = 128;

export function isCatalogued(name: string): boolean {
  return name !== '' && name.length <= LONGEST_CATALOGUED;
}

export const isEqual = (one: Version, other: Version) =>
  one.text === other.text && isSameSchema(one, other);

/** What the server says of reading only counts as part of the schema; texts do not. */
const isSameSchema = (one: Version, other: Version) =>
  one.schema === other.schema && one.readOnly === other.readOnly;

export type PinState = 'new' | 'changed' | 'approved';

/** Whether the definition that was seen last is approved. */
export function pinStateOf({ latest, approved }: Tool, pinned: 'definition' | 'schema'): PinState {
  const isLike = pinned === 'definition' ? isEqual : isSameSchema;
  const isApproved = latest !== undefined && approved.some((version) => isLike(version, latest));
  if (isApproved) return 'approved';
  return latest !== undefined && approved.length > 0 ? 'changed' : 'new';
}

/** First the name, then what the server says of the tool, then what admins do. */
export function whyNotTool(rules: Rules, name: string, tool: Tool): string | undefined {
  const byName = whyNotNamed('tools', rules, name);
  if (byName !== undefined) return byName;
  const { readOnly = false, pinned } = rules.tools ?? {};
  if (readOnly && tool.latest?.readOnly !== true) return 'tool_not_read_only';
  const state = pinned === undefined ? 'approved' : pinStateOf(tool, pinned);
  return state === 'approved' ? undefined : `tool_${state}`;
}

export function whyToolRefused(rules: RulesOfLevels, name: string, tool: Tool): Reason[] {
  return refusalsOfLevels(rules, (level) => whyNotTool(level, name, tool));
}

/** The catalogue of one integration, by name. */
export type Tools = ReadonlyMap<string, Tool>;

/** How many tools of a catalogue rules allow. */
export function countTools(rules: RulesOfLevels, tools: Tools) {
  const allowed = [...tools].filter(([name, tool]) => !whyToolRefused(rules, name, tool).length);
  return { allowed: allowed.length, total: tools.size };
}
