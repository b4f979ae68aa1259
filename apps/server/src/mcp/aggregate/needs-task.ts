import { fieldsOf } from '../server/messages.ts';

/** Bytes of a definition that is parsed. One that is longer is listed. */
const MAX_PARSED = 64 * 1024;

const TASK_SUPPORT = Buffer.from('"taskSupport"');

/** Whether a tool can only be called as a task (2025-11-25 tasks, "Tool-Level Negotiation"). @param definition JSON */
export function needsTask(definition: Buffer): boolean {
  // Few tools have it, and the others are not parsed.
  if (definition.length > MAX_PARSED || !definition.includes(TASK_SUPPORT)) return false;
  const { execution } = fieldsOf(parsed(definition.toString()));
  return fieldsOf(execution).taskSupport === 'required';
}

/** Undefined for what only lenient parsers read. */
function parsed(definition: string): unknown {
  try {
    return JSON.parse(definition);
  } catch {
    return undefined;
  }
}
