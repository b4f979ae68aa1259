import { expect, it } from 'vitest';
import { credentialErrorMessage } from '../../src/rules/credential-errors.ts';

it.each([
  ['required', 'name', 'Required.'],
  ['additionalProperties', false, 'Must have only the fields of the credential schema.'],
  ['type', 'boolean', 'Must be true or false.'],
  ['const', 'hidden', 'Must be the value that the credential schema requires.'],
  ['enum', ['hidden'], 'Must be one of the values that the credential schema allows.'],
  ['minLength', 1, 'Must have at least 1 character.'],
  ['maxLength', 20, 'Must have at most 20 characters.'],
  ['pattern', '^hidden$', 'Must match the pattern of the credential schema.'],
  ['minimum', 3, 'Must be 3 or more.'],
  ['maximum', 3, 'Must be 3 or less.'],
  ['exclusiveMinimum', 3, 'Must be more than 3.'],
  ['exclusiveMaximum', 3, 'Must be less than 3.'],
  ['multipleOf', 0.5, 'Must be a multiple of 0.5.'],
  ['false schema', undefined, 'Must not be given.'],
  ['contains', {}, 'Does not match contains of the credential schema.'],
])('explains the keyword %s of a credential schema', (keyword, limit, message) => {
  expect(credentialErrorMessage(keyword, limit)).toBe(message);
});
