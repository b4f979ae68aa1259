import type { FuzzAnswer, FuzzRequest } from './request.ts';

const LONGEST = 2_000;

/** What was sent, what came back, and what is wrong with it. */
export function reportOf(
  { actor, method, path, search, headers, body, hosts }: FuzzRequest,
  answer: FuzzAnswer,
  faults: readonly string[],
): string {
  const caller = actor ? `${actor.role} (${actor.organization}, ${actor.kind})` : 'nobody';
  return [
    ...faults,
    `  ${method} ${path}${search && `?${search}`} by ${caller}`,
    ...headers.map(([name, value]) => `  ${name}: ${value}`),
    ...(hosts ? [`  host: ${hosts.join(', ')}`] : []),
    `  ${short(body?.toString() ?? '(no body)')}`,
    `  was answered ${answer.status} ${JSON.stringify(answer.headers)}`,
    `  ${short(answer.text)}`,
  ].join('\n');
}

function short(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length})` : text;
}
