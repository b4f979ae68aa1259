import * as z from 'zod';
import type { FuzzAnswer, FuzzRequest } from '../request.ts';
import { strayFields } from './stray-fields.ts';

const ETAG = /^"v[1-9]\d*"$/;

/** What is wrong with a success: its body against the contract, and the headers it must carry. */
export function successFaults({ operation }: FuzzRequest, answer: FuzzAnswer): string[] {
  const { status, headers } = answer;
  const names = operation.declared.get(status) ?? [];
  const faults = bodyFaults(operation.entry.responses[status], answer);
  if (names.includes('ETag') !== ETAG.test(headers.etag ?? '')) {
    faults.push(`the ETag is ${headers.etag}`);
  }
  if (
    names.includes('Location') &&
    !/^https?:\/\/.+\/(?:api\/v1|connect)\/./.test(headers.location ?? '')
  ) {
    faults.push('no absolute Location');
  }
  return faults;
}

function bodyFaults(
  schema: z.ZodType | undefined,
  { status, headers, text, body }: FuzzAnswer,
): string[] {
  if (schema === undefined) return [`the status ${status} is not declared`];
  if (status === 204) {
    const isEmpty = text === '' && headers['content-type'] === undefined;
    return isEmpty ? [] : ['there is a body that is not declared'];
  }
  if (headers['content-type'] === 'text/x-ndjson') return linesFaults(schema, text);
  const parsed = schema.safeParse(body);
  if (!parsed.success) return [`the body does not fit: ${z.prettifyError(parsed.error)}`];
  const isJson = headers['content-type'] === 'application/json; charset=utf-8';
  return [...strayFields(parsed.data, body), ...(isJson ? [] : ['the content type is not JSON'])];
}

function linesFaults(schema: z.ZodType, text: string): string[] {
  const isDeclared = schema.safeParse(text).success;
  const isWhole = text.trimEnd().split('\n').at(-1)?.startsWith('{"type":"end"') ?? false;
  return [
    ...(isDeclared ? [] : ['the body is text, which is not declared']),
    ...(isWhole ? [] : ['the lines are cut off']),
  ];
}
