import { describe, expect, it } from 'vitest';
import {
  stageCodeSchema,
  stageSentence,
  stageSentences,
  validationStageNameSchema,
} from '../../src/index.ts';

const CODES = [undefined, ...stageCodeSchema.options];

describe.each(validationStageNameSchema.options)('the stage %s of a validation', (stage) => {
  const { checks, passed, failed, skipped } = stageSentences[stage];

  it('has different sentences for passed, failed and skipped', () => {
    expect(new Set([passed, failed, skipped]).size).toBe(3);
  });

  it('never reads as passed when it failed or was skipped, whatever its code is', () => {
    for (const code of CODES) {
      for (const status of ['failed', 'skipped']) {
        const sentence = stageSentence({ stage, status, code });
        expect(sentence, code).toMatch(/^[A-Z].*\.$/);
        expect([checks, passed], code).not.toContain(sentence);
      }
    }
  });

  it('names the cause when a code gives one, and says when it was not tried', () => {
    expect(stageSentence({ stage, status: 'failed', code: 'server_error' })).toMatch(
      /internal error/,
    );
    expect(stageSentence({ stage, status: 'failed', code: 'of_a_newer_service' })).toBe(failed);
    expect(stageSentence({ stage, status: 'skipped', code: 'not_needed' })).toBe(skipped);
    expect(stageSentence({ stage, status: 'skipped', code: 'not_reached' })).toMatch(
      /^It was not tried/,
    );
  });
});

it('says nothing about a stage that a newer service has', () => {
  expect(stageSentence({ stage: 'weather', status: 'passed' })).toBeUndefined();
  expect(stageSentence({ stage: 'toString', status: 'passed' })).toBeUndefined();
});
