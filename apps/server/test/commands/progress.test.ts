import { describe, expect, it } from 'vitest';
import { createProgress } from '../../src/commands/progress.ts';

function screen(isTTY: boolean) {
  let time = 0;
  const written: string[] = [];
  const progress = createProgress({ isTTY, write: (text) => written.push(text) }, () => time);
  return {
    progress,
    at(milliseconds: number, text: string) {
      time = milliseconds;
      progress.report(text);
    },
    written: () => written.join(''),
  };
}

describe('progress', () => {
  it('is silent for two seconds', () => {
    const { at, progress, written } = screen(true);
    at(1_999, '1 of 2');
    progress.end();
    expect(written()).toBe('');
  });

  it('is one line on a terminal, which is gone at the end', () => {
    const { at, progress, written } = screen(true);
    at(2_000, '1 of 3');
    at(2_100, '2 of 3');
    progress.end();
    expect(written()).toBe('\r\x1b[K1 of 3\r\x1b[K2 of 3\r\x1b[K');
  });

  it('is a line every ten seconds elsewhere', () => {
    const { at, progress, written } = screen(false);
    for (let second = 0; second <= 23; second += 1) at(second * 1_000, `second ${second}`);
    progress.end();
    expect(written()).toBe('second 2\nsecond 12\nsecond 22\n');
  });
});
