import {
  decideTool,
  type PinState,
  type PolicyLevel,
  type PolicyReason,
  policyMessage,
  type ToolFacts,
} from '@gatehouse/contract';
import type { Tool } from '@gatehouse/sdk';

/** What rules say of a tool: `unknown` where that rests on what the API does not tell. */
export interface Verdict {
  readonly is: 'allowed' | 'refused' | 'unknown';
  readonly sentence: string;
}

const PIN_STATES: readonly PinState[] = ['new', 'changed', 'approved'];

/**
 * How the schemas of a tool compare with what is approved. The API gives the fingerprints of whole definitions and a
 * patch from the one that was approved last, which does not always decide it.
 */
function schemaStatesOf({ state, changes, approved }: Tool): readonly PinState[] {
  if (state !== 'changed') return PIN_STATES.filter((each) => each === state);
  const isTextAlone = changes?.every(({ path }) => path === '/title' || path === '/description');
  if (isTextAlone) return ['approved'];
  return changes !== null && approved.length === 1 ? ['changed'] : ['changed', 'approved'];
}

function factsOf(tool: Tool): readonly ToolFacts[] {
  const definition = PIN_STATES.find((each) => each === tool.state) ?? 'new';
  return schemaStatesOf(tool).map((schema) => ({
    readOnly: tool.readOnly,
    pins: { definition, schema },
  }));
}

/** Of the reasons of a decision. */
export function verdictOf(reasons: readonly PolicyReason[]): Verdict {
  return reasons.length === 0
    ? { is: 'allowed', sentence: '' }
    : { is: 'refused', sentence: policyMessage(reasons) };
}

/** What the rules of all levels say of a tool, by the contract's own decision. */
export function judgeTool(levels: readonly PolicyLevel[], tool: Tool): Verdict {
  const verdicts = factsOf(tool).map((facts) => verdictOf(decideTool(levels, tool.name, facts)));
  const [first] = verdicts;
  if (first !== undefined && verdicts.every(({ is }) => is === first.is)) return first;
  const sentence = 'The console cannot tell whether its schemas are still as approved.';
  return { is: 'unknown', sentence };
}
