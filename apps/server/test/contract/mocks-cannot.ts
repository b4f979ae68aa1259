/** What the mocks cannot do, by the name of the case that shows it, and why. */
export const mocksCannot: Readonly<Record<string, string>> = {
  'validates as invalid what the upstream refuses':
    'Nothing is dialled: a test sets the outcome with setValidation.',
  'refuses a foreign Origin':
    'Host and Origin are not judged: the page under test has whatever origin its tests have.',
};
