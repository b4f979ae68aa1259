import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DeferredScan, KeptBytes } from '../../src/gateway/deferred-scan.ts';
import { MessageIdScanner } from '../../src/mcp/message-id-scanner.ts';

const BODY = Buffer.from(
  '{"method":"tools/call","params":{"a":[1,2]},"jsonrpc":"2.0","id":"last"}',
);
const REQUEST = { kind: 'request', id: '"last"' };

function open(limits: { keptBytes?: number; keptBytesInAll?: number } = {}) {
  const keptBytes = new KeptBytes({ keptBytes: 10_000, keptBytesInAll: 10_000, ...limits });
  const feed = vi.spyOn(MessageIdScanner.prototype, 'feed');
  onTestFinished(() => feed.mockRestore());
  return {
    keptBytes,
    begin: () => new DeferredScan(keptBytes),
    scannedBytes: () => feed.mock.calls.reduce((sum, [chunk]) => sum + chunk.length, 0),
  };
}

function feedAll(scan: DeferredScan, size = 10): void {
  for (let at = 0; at < BODY.length; at += size) scan.feed(BODY.subarray(at, at + size));
}

describe('a body that arrives in chunks', () => {
  it('is scanned when its ids are needed, and not kept after that', () => {
    const { keptBytes, begin, scannedBytes } = open();
    const scan = begin();
    feedAll(scan);
    expect(scannedBytes()).toBe(0);
    expect(keptBytes.total).toBeGreaterThan(BODY.length);
    expect(scan.messageIds(true)).toEqual(REQUEST);
    expect([scannedBytes(), keptBytes.total]).toEqual([BODY.length, 0]);
  });

  it('is never scanned when nobody needs its ids, and not kept after that', () => {
    const { keptBytes, begin, scannedBytes } = open();
    const scan = begin();
    scan.feed(BODY.subarray(0, 20));
    scan.release();
    scan.feed(BODY.subarray(20));
    expect([scannedBytes(), keptBytes.total]).toEqual([0, 0]);
  });

  it.each([
    ['itself', { keptBytes: 300 }],
    ['all bodies', { keptBytesInAll: 300 }],
  ])('is scanned as it arrives beyond the limit of %s', (_, limits) => {
    const { keptBytes, begin, scannedBytes } = open(limits);
    const scan = begin();
    scan.feed(BODY.subarray(0, 30));
    expect(scannedBytes()).toBe(0);
    expect(keptBytes.total).toBeGreaterThan(30);
    scan.feed(BODY.subarray(30));
    expect([scannedBytes(), keptBytes.total]).toEqual([BODY.length, 0]);
    expect(scan.messageIds(true)).toEqual(REQUEST);
  });

  it('is scanned as it arrives once its ids have been needed', () => {
    const { keptBytes, begin } = open();
    const scan = begin();
    scan.feed(BODY.subarray(0, 30));
    expect(scan.messageIds(false)).toEqual({ kind: 'nothing' });
    scan.feed(BODY.subarray(30));
    expect(keptBytes.total).toBe(0);
    expect(scan.messageIds(true)).toEqual(REQUEST);
  });

  it('of one byte each counts for what they take in memory', () => {
    const { keptBytes, begin, scannedBytes } = open({
      keptBytes: 100_000,
      keptBytesInAll: 100_000,
    });
    const scan = begin();
    for (let count = 0; count < 1_000; count += 1) scan.feed(Buffer.from(' '));
    expect([scannedBytes(), keptBytes.total]).toEqual([1_000, 0]);
  });
});
