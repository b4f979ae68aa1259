import { decideMethod, decidePeople, type PolicyLevel, type ToolFacts } from '@gatehouse/contract';
import { expect } from 'vitest';
import type { decision } from './arbitraries.ts';
import type { Drawn } from './messages.ts';
import { isUnreadable, type Message, type Situation, whyRefused } from './oracle/messages.ts';
import { whyKeptOut } from './oracle/people.ts';
import { LEVELS, type RulesOfLevels } from './oracle/rules.ts';
import { pinStateOf, type Tool } from './oracle/tools.ts';

/** Expects that the functions of the contract, with arguments as the gateway gives them, agree with the oracle. */
export function expectDecisions({ post, someone, situation }: Drawn<typeof decision>): void {
  const { rules } = situation;
  expect(decidePeople(levelsOf(rules), someone)).toEqual(whyKeptOut(rules, someone));
  for (const message of post.messages) {
    if (message.method === undefined || isUnreadable(message)) continue;
    expect(decidedMethod(message, situation)).toEqual(whyRefused(message, situation));
  }
}

function decidedMethod(message: Message, { rules, authMode, tools }: Situation) {
  const { method = '', params = {} } = message;
  return decideMethod(levelsOf(rules), {
    method,
    name: params.name,
    uri: params.uri,
    ref: params.ref,
    hasTask: params.task !== undefined,
    resourceSubscriptions: params.notifications?.resourceSubscriptions,
    tool: factsOf(tools.get(params.name ?? '')),
    authMode,
  });
}

const levelsOf = (rules: RulesOfLevels): PolicyLevel[] =>
  LEVELS.map((level) => ({ level, rules: rules[level] }));

function factsOf(tool: Tool | undefined): ToolFacts | undefined {
  if (tool?.latest === undefined) return undefined;
  return {
    readOnly: tool.latest.readOnly,
    pins: { definition: pinStateOf(tool, 'definition'), schema: pinStateOf(tool, 'schema') },
  };
}
