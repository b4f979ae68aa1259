import { expect, it } from 'vitest';
import { mainJob } from '../src/main-job.ts';

it('performs the main job from end to end', async () => {
  const lines: string[] = [];
  const job = await mainJob((line) => lines.push(line));
  try {
    expect(job.result).toBe('42');
    expect(lines.join('\n')).toContain('Validated it: valid.');
  } finally {
    await job.close();
  }
});
