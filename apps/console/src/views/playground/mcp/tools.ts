import { isJsonObject, type JsonObject } from '@gatehouse/contract';

/** A tool as its server lists it. Everything in it was written by others. */
export interface ListedTool {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly inputSchema: unknown;
}

/** The tools in a result of `tools/list`; what is no tool is left out. */
export function toolsIn({ tools }: JsonObject): ListedTool[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool): ListedTool[] => {
    if (!isJsonObject(tool) || typeof tool.name !== 'string') return [];
    const { name, title, description, inputSchema } = tool;
    return [{ name, title: textOf(title), description: textOf(description), inputSchema }];
  });
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** What a tool answered, in the parts that people read. */
export interface ToolResult {
  readonly isError: boolean;
  readonly texts: readonly string[];
  /** Parts that are no text, such as pictures. */
  readonly others: readonly JsonObject[];
  readonly structured: unknown;
  /** Undefined where the call is complete. */
  readonly wants: string | undefined;
}

export function toolResultOf(result: JsonObject): ToolResult {
  const content = Array.isArray(result.content) ? result.content.filter(isJsonObject) : [];
  const { resultType } = result;
  const isComplete = resultType === undefined || resultType === 'complete';
  return {
    isError: result.isError === true,
    texts: content.flatMap((part) => (typeof part.text === 'string' ? [part.text] : [])),
    others: content.filter((part) => typeof part.text !== 'string'),
    structured: result.structuredContent,
    wants: isComplete ? undefined : String(resultType),
  };
}
