import { MAX_AT_ONCE } from '../json/parse.ts';
import { fieldsOf } from '../server/messages.ts';

/** What a tool is found by. */
export interface ToolText {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The names of its parameters. */
  readonly parameters: string;
}

/** Characters of a title or description that are read: they begin with what a tool is for. */
const MAX_TEXT = 2_000;
const MAX_PARAMETERS = 100;

/** @param definition JSON. One above {@link MAX_AT_ONCE} is not parsed: its tool is found by the name alone. */
export function toolTextOf(name: string, definition: Buffer): ToolText {
  const parsed: unknown = definition.length > MAX_AT_ONCE ? {} : JSON.parse(definition.toString());
  const { title, description, annotations, inputSchema } = fieldsOf(parsed);
  const parameters = Object.keys(fieldsOf(fieldsOf(inputSchema).properties));
  return {
    name,
    title: textIn(title ?? fieldsOf(annotations).title),
    description: textIn(description),
    parameters: parameters.slice(0, MAX_PARAMETERS).join(' ').slice(0, MAX_TEXT),
  };
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, MAX_TEXT) : '';
}
