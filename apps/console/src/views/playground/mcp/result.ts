import { isJsonObject, type JsonObject } from '@gatehouse/contract';

/** What was answered to a call, in the parts that people read. */
export interface CallResult {
  /** Whether a tool says that it has failed. */
  readonly isError: boolean;
  readonly texts: readonly string[];
  /** Parts that are no text, such as pictures. */
  readonly others: readonly JsonObject[];
  readonly structured: unknown;
  /** Undefined where the call is complete. */
  readonly wants: string | undefined;
}

export function callResultOf(result: JsonObject): CallResult {
  const { resultType } = result;
  const isComplete = resultType === undefined || resultType === 'complete';
  const content = [
    ...objectsIn(result.content),
    ...objectsIn(result.contents),
    ...objectsIn(result.messages).flatMap(saidIn),
  ];
  return {
    isError: result.isError === true,
    texts: content.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])),
    others: content.filter(({ text }) => typeof text !== 'string'),
    structured: result.structuredContent,
    wants: isComplete ? undefined : String(resultType),
  };
}

/** A message of a prompt, its text after who says it. */
function saidIn({ role, content }: JsonObject): JsonObject[] {
  return objectsIn(Array.isArray(content) ? content : [content]).map((part) =>
    typeof part.text === 'string' ? { text: `${String(role)}: ${part.text}` } : part,
  );
}

function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
