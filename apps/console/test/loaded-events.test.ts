import type { AuditEvent } from '@gatehouse/sdk';
import { describe, expect, it } from 'vitest';
import { type EventsPage, withNewest, withOlder } from '../src/views/log/loaded-events.ts';

const AT = Date.parse('2026-11-27T12:00:00.000Z');
const timeOf = (second: number) => new Date(AT + second * 1_000).toISOString();

function eventOf(id: number): AuditEvent {
  const actor = { kind: 'service', id: null, name: null, via: { kind: 'job', id: 'start' } };
  const target = { kind: 'audit', id: null, name: null };
  const told = { outcome: 'succeeded', requestId: null, address: null, details: {} };
  return { id: String(id), kind: 'management', at: timeOf(0), action: 'x', actor, target, ...told };
}

/** @param reached seconds; null for everything */
function pageOf(ids: readonly number[], reached: number | null, read: number): EventsPage {
  return {
    items: ids.map(eventOf),
    nextCursor: reached === null ? null : `behind ${reached}`,
    reachedAt: reached === null ? null : timeOf(reached),
    readAt: timeOf(read),
  };
}

const idsOf = ({ items }: EventsPage) => items.map(({ id }) => Number(id));

describe('events that are loaded', () => {
  it('are joined by newer ones, each once and in order, and reach as far back as before', () => {
    const loaded = pageOf([50, 40, 30], -600, 100);
    const joined = withNewest(pageOf([70, 60, 45, 50].sort().reverse(), 80, 105), loaded);
    expect(idsOf(joined)).toEqual([70, 60, 50, 45, 40, 30]);
    expect([joined.nextCursor, joined.readAt]).toEqual(['behind -600', timeOf(105)]);
  });

  it('are a call once, by its end', () => {
    const loaded = pageOf([50, 40], -600, 100);
    const [end] = pageOf([70], 80, 105).items;
    const items = end === undefined ? [] : [{ ...end, details: { begun: '50' } }];
    expect(idsOf(withNewest({ ...pageOf([], 80, 105), items }, loaded))).toEqual([70, 40]);
  });

  it('stay where the newest page has no event', () => {
    const loaded = pageOf([50], -600, 100);
    expect(idsOf(withNewest(pageOf([], 90, 105), loaded))).toEqual([50]);
  });

  it('begin again where events may be missing in between', () => {
    const loaded = pageOf([50], -600, 100);
    for (const reached of [101, 96]) {
      const newest = pageOf([90, 80], reached, 105);
      expect(withNewest(newest, loaded)).toBe(newest);
    }
  });

  it('begin again when they are more than are kept', () => {
    const loaded = pageOf(
      Array.from({ length: 1_000 }, (_, index) => 5_000 - index),
      -600,
      100,
    );
    expect(idsOf(withNewest(pageOf([5_000], 80, 105), loaded))).toHaveLength(1_000);
    expect(idsOf(withNewest(pageOf([5_001], 80, 105), loaded))).toEqual([5_001]);
  });

  it('are all of them once a page says so', () => {
    const all = pageOf([50, 40], null, 105);
    expect(withNewest(all, pageOf([40], -600, 100))).toBe(all);
  });

  it('are followed by older ones', () => {
    const older = withOlder(pageOf([50, 40], -10, 100), pageOf([30], -600, 90));
    expect(idsOf(older)).toEqual([50, 40, 30]);
    expect([older.nextCursor, older.readAt]).toEqual(['behind -600', timeOf(100)]);
  });
});
