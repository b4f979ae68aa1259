import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DeferredScan, KeptBytes } from '../../src/gateway/deferred-scan.ts';
import { MessageIdScanner } from '../../src/mcp/message-id-scanner.ts';

const BODY = Buffer.from(
  '{"method":"tools/call","params":{"a":[1,2]},"jsonrpc":"2.0","id":"last"}',
);
const REQUEST = { kind: 'request', id: '"last"' };

function open(limits: { keptBytes?: number; keptBytesInAll?: number } = {}) {
  const keptBytes = new KeptBytes({ keptBytes: 1_000, keptBytesInAll: 1_000, ...limits });
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
    expect([scannedBytes(), keptBytes.total]).toEqual([0, BODY.length]);
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
    ['itself', { keptBytes: 30 }],
    ['all bodies', { keptBytesInAll: 30 }],
  ])('is scanned as it arrives beyond the limit of %s', (_, limits) => {
    const { keptBytes, begin, scannedBytes } = open(limits);
    const scan = begin();
    scan.feed(BODY.subarray(0, 30));
    expect([scannedBytes(), keptBytes.total]).toEqual([0, 30]);
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
});
