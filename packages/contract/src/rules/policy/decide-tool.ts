import type { PolicyReason, PolicyReasonCode } from '../../shared/policy-reason.ts';
import { nameRefusal } from './decide-name.ts';
import { reasonsOf } from './policy-reasons.ts';
import type { PolicyLevel, ToolPin } from './policy-rules.ts';

/** Whether admins have approved a definition: no definition of the tool yet, only others, or this one. */
export type PinState = 'new' | 'changed' | 'approved';

/** What decides about a tool besides its name. */
export interface ToolFacts {
  /** The `readOnlyHint` of its definition is true. */
  readonly readOnly: boolean;
  readonly pins: Readonly<Record<ToolPin, PinState>>;
}

/** Of a tool that was never seen. */
export const UNKNOWN_TOOL: ToolFacts = {
  readOnly: false,
  pins: { definition: 'new', schema: 'new' },
};

/**
 * Whether a tool may be used.
 *
 * @param facts in a list, of the definition there; for a call, of the definition seen last
 */
export function decideTool(
  levels: readonly PolicyLevel[],
  name: string | undefined,
  facts: ToolFacts = UNKNOWN_TOOL,
): readonly PolicyReason[] {
  return reasonsOf(
    levels,
    (level) => nameRefusal(level, 'tools', name) ?? definitionRefusal(level, facts),
  );
}

function definitionRefusal(
  { rules: { tools } }: PolicyLevel,
  { readOnly, pins }: ToolFacts,
): PolicyReasonCode | undefined {
  if (tools?.readOnly === true && !readOnly) return 'tool_not_read_only';
  const state = tools?.pinned === undefined ? 'approved' : pins[tools.pinned];
  return state === 'approved' ? undefined : PIN_REASONS[state];
}

const PIN_REASONS = {
  new: 'tool_new',
  changed: 'tool_changed',
} as const satisfies Record<Exclude<PinState, 'approved'>, PolicyReasonCode>;
