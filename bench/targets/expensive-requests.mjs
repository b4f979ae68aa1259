import { operations } from '../../apps/server/test/fuzz/operations.ts';
import { fieldsOf } from '../../apps/server/test/http/expensive/fields.ts';
import { expensiveValues } from '../../apps/server/test/http/expensive/values.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';

/** Everything that is expensive, in every field of every body of the contract. */
export function* expensiveRequests() {
  for (const { id, route, entry } of operations) {
    if (!entry.body) continue;
    const path = route.path.replaceAll(/:\w+/g, NOWHERE);
    for (const field of fieldsOf(entry.body)) {
      for (const [what, value] of Object.entries(expensiveValues)) {
        const name = `${id} ${field.pointer || '/'}: ${what}`;
        yield { name, method: route.method, path, body: field.with(value) };
      }
    }
  }
}
