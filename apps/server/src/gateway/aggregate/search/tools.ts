import { shownName } from '../../connect-server/tool.ts';
import type { AggregateApplication } from '../applications.ts';
import { argumentOf } from '../connect-tool.ts';
import type { ListPart } from '../lists/page.ts';

export const SEARCH_TOOL = 'gatehouse__search_tools';
export const CALL_TOOL = 'gatehouse__call_tool';

/** Characters of a query. */
export const MAX_QUERY = 1_000;
export const MAX_FOUND = 20;
export const DEFAULT_FOUND = 5;

/** Integrations that the tool names. */
const MAX_NAMED = 50;

/** Whether an application lists these two in place of the tools of its integrations. */
export function hasSearch({ mode }: Pick<AggregateApplication, 'mode'>): boolean {
  return mode === 'search';
}

/** The tools with which the others are found and called. */
export function searchToolsOf(parts: readonly ListPart[]): readonly object[] {
  return [searchToolOf(parts), CALL];
}

function searchToolOf(parts: readonly ListPart[]): object {
  const named = parts
    .slice(0, MAX_NAMED)
    .map(
      ({ attachment }) => `${argumentOf(attachment)} (${shownName(attachment.integrationName)})`,
    );
  return {
    name: SEARCH_TOOL,
    title: 'Search tools',
    description: `Finds tools by what they do, and returns their whole definitions, the best one first. Call one of them with ${CALL_TOOL}. Integrations: ${named.join(', ')}.`,
    inputSchema: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          maxLength: MAX_QUERY,
          description: 'A few words for what the tool should do, or its name.',
        },
        integration: { type: 'string', description: 'Only tools of this integration.' },
        limit: { type: 'integer', minimum: 1, maximum: MAX_FOUND, default: DEFAULT_FOUND },
      },
      required: ['query'],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: { tools: { type: 'array', items: { type: 'object' } } },
      required: ['tools'],
    },
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  };
}

/** Without hints: it does what the tool does that it calls. */
const CALL = {
  name: CALL_TOOL,
  title: 'Call a tool',
  description: `Calls a tool that ${SEARCH_TOOL} has found, with arguments by the tool's inputSchema, and returns what the tool returns.`,
  inputSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'The name in the definition of the tool.' },
      arguments: { type: 'object', description: 'The arguments of the tool.' },
    },
    required: ['name'],
    additionalProperties: false,
  },
};
