import fc from 'fast-check';
import type { CallInput } from '../../src/audit/encode-calls.ts';
import { ACTOR_KINDS, CALL_ACTIONS } from '../../src/audit/event.ts';

/** Few values, so that events share them, and values with what JSON escapes. */
const text = fc.oneof(
  fc.constantFrom('', 'a', 'b', 'null', 'tools/call', '__proto__', '"\\\n', 'é😀', '\ud800'),
  fc.string({ maxLength: 8 }),
);
const optional = fc.option(text);
const count = fc.nat();
const party = { id: optional, name: optional };

const required = {
  applicationId: optional,
  integrationId: optional,
  userId: optional,
  sessionId: optional,
  httpMethod: optional,
  method: optional,
  name: optional,
  uri: optional,
  credential: optional,
  status: count,
  reasons: fc.array(text, { maxLength: 3 }),
  ms: count,
  bytesIn: count,
  bytesOut: count,
};

const details = fc.oneof(fc.record(required), fc.record({ ...required, begun: fc.uuid() }));

/** Call events that an attacker could cause and others that nobody could. */
export const callInputs: fc.Arbitrary<CallInput> = fc.record({
  at: fc.integer({ min: 0, max: 4_102_444_800_000 }),
  action: fc.constantFrom(...CALL_ACTIONS),
  actor: fc.record({
    kind: fc.constantFrom(...ACTOR_KINDS),
    ...party,
    via: fc.record({ kind: text, id: optional }),
  }),
  target: fc.record({
    kind: fc.oneof(fc.constantFrom('application', 'integration', 'person', 'session'), text),
    ...party,
  }),
  outcome: text,
  requestId: optional,
  address: optional,
  details,
});
