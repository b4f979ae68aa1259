import { describe, expect, expectTypeOf, it } from 'vitest';
import { discovered, validation } from '../../src/examples/validations.ts';
import {
  type CreateIntegrationBody,
  createIntegrationBodySchema,
  discoverIntegrationBodySchema,
  type SuggestedIntegration,
  suggestedIntegrationSchema,
  validationStageNameSchema,
} from '../../src/index.ts';
import { check } from '../shared/check.ts';

describe('discovering an integration', () => {
  it.each([
    [{ url: 'https://tracker.example/mcp' }, 'ok'],
    [{}, ['invalid_type /url']],
    [{ url: 'tracker.example' }, ['invalid_value /url']],
    [{ url: 'https://tracker.example/#top' }, ['invalid_value /url']],
    [{ url: 'https://tracker.example/', name: 'x' }, ['unknown_field /name']],
  ])('judges %j', (body, expected) => {
    expect(check(discoverIntegrationBodySchema, body)).toEqual(expected);
  });

  it('suggests a body that creates an integration', () => {
    expectTypeOf<SuggestedIntegration>().toExtend<CreateIntegrationBody>();
    const suggested = suggestedIntegrationSchema.parse(discovered?.integration);
    expect(check(createIntegrationBodySchema, suggested)).toBe('ok');
  });
});

describe('the stages of a validation', () => {
  it('are all in the examples, in their order', () => {
    const namesOf = (example: unknown) =>
      (example as { stages: { stage: string }[] }).stages.map(({ stage }) => stage);
    expect(namesOf(validation)).toEqual(validationStageNameSchema.options);
    expect(namesOf(discovered)).toEqual(validationStageNameSchema.options);
  });
});
