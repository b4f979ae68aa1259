import { isProblemCode, problemCodes, problemSchema, problemType } from '@gatehouse/contract';
import { undocumentedProblem } from '../../support/documented-problems.ts';
import type { FuzzAnswer, FuzzRequest } from '../request.ts';
import { strayFields } from './stray-fields.ts';

const CONTENT_TYPE = /^application\/problem\+json(?:; charset=utf-8)?$/;

/** What is wrong with a refusal (RFC 9457, and the closed list of codes). */
export function problemFaults(
  request: FuzzRequest,
  { status, headers, body }: FuzzAnswer,
): string[] {
  const parsed = problemSchema.safeParse(body);
  if (!parsed.success) return ['the refusal is no problem document'];
  const { code, type, title, requestId, instance } = parsed.data;
  const faults = strayFields(parsed.data, body);
  const expect = (isRight: boolean, fault: string) => {
    if (!isRight) faults.push(fault);
  };
  expect(CONTENT_TYPE.test(headers['content-type'] ?? ''), 'the content type is not of a problem');
  expect(isProblemCode(code) && problemCodes[code].status === status, `${code} is not ${status}`);
  expect(parsed.data.status === status, 'the problem states another status');
  expect(type === problemType(code), 'the type is not that of the code');
  expect(title === problemCodes[code].title, 'the title is not that of the code');
  expect(requestId === headers['x-request-id'], 'the problem names another request');
  expect(instance === `/api/v1${request.path}`, 'the instance is not the path');
  if (status === 401) expect(/^Bearer/.test(headers['www-authenticate'] ?? ''), 'no challenge');
  if (status === 405) expect(headers.allow !== undefined, 'no Allow');
  if (status === 429 || status === 503) {
    expect(/^[1-9]\d*$/.test(headers['retry-after'] ?? ''), 'no Retry-After');
  }
  const undocumented = undocumentedProblem(request.method, request.path, { status, body });
  if (undocumented !== undefined) faults.push(`the document has no ${undocumented}`);
  return faults;
}
