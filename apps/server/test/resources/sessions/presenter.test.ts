import { expect, it } from 'vitest';
import { presentSession } from '../../../src/resources/sessions/presenter.ts';

it('never shows a use before the session was made, whatever the clocks say', () => {
  const createdAt = new Date('2026-01-01T00:00:00.013Z');
  const session = presentSession({
    kind: 'session',
    id: crypto.randomUUID(),
    applicationId: crypto.randomUUID(),
    integrationId: crypto.randomUUID(),
    userId: crypto.randomUUID(),
    era: 'modern',
    state: 'open',
    live: false,
    createdAt,
    lastActivityAt: new Date('2026-01-01T00:00:00.000Z'),
    endedAt: null,
    expiresAt: null,
  });
  expect(session.lastActivityAt).toBe(session.createdAt);
});
