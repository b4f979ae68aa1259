import type { FuzzAnswer, FuzzRequest } from '../request.ts';
import { INPUT_MARK, SECRET_MARK } from '../schemas/placeholders.ts';
import type { World } from '../world/world.ts';

/** Where a one-time secret is delivered. */
const DELIVERIES: Readonly<Record<string, readonly string[]>> = {
  'connections.authorize': ['authorizationUrl'],
  'applications.create': ['oauth', 'clientSecret'],
  'applications.rotateSecret': ['oauth', 'clientSecret'],
  'tokens.create': ['secret'],
  'members.create': ['invitation'],
  'members.createSignInLink': ['url'],
};

const ISSUED = /gh_(?:pat|inv|cs)_[\w-]{20,}/;

/** Secrets in an answer that may not be there. */
export function secretFaults(world: World, request: FuzzRequest, answer: FuzzAnswer): string[] {
  const text = [withoutDelivery(request.operation.id, answer), ...Object.values(answer.headers)]
    .filter(Boolean)
    .join('\n');
  const faults: string[] = [];
  if (text.includes(SECRET_MARK)) faults.push('an entered credential stands in the answer');
  if (ISSUED.test(text)) faults.push('an issued secret stands in the answer');
  const base = world.actors.values.filter(({ isBase }) => isBase);
  if (base.some(({ bearer }) => text.includes(bearer)))
    faults.push('a bearer stands in the answer');
  if (answer.status >= 400 && text.includes(INPUT_MARK))
    faults.push('the problem quotes the input');
  return faults;
}

/** The secret that an answer delivers once, if it does. */
export function deliveredSecret(
  operation: string,
  { status, body }: FuzzAnswer,
): string | undefined {
  const path = DELIVERIES[operation];
  if (!path || status >= 300) return undefined;
  const found = path.reduce<unknown>((value, key) => Object(value)[key], body);
  return typeof found === 'string' ? found : undefined;
}

function withoutDelivery(operation: string, answer: FuzzAnswer): string {
  const secret = deliveredSecret(operation, answer);
  return secret === undefined ? answer.text : answer.text.replace(JSON.stringify(secret), '""');
}
