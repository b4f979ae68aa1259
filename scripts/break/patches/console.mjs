export const patches = [
  {
    name: 'console-asks-after-401',
    promise: 'After the first 401 the console asks for nothing',
    means:
      'A tab that was left open asks for a token every few seconds, and is locked out by address.',
    file: 'apps/console/src/api/console-token.ts',
    search: `      signedOut = true;
`,
    replace: '',
    test: {
      file: 'apps/console/test/console-token.test.ts',
      name: 'the tokens of the console > are not asked for again after a 401, until a person has signed in',
    },
  },
  {
    name: 'console-sets-html',
    promise: 'No page of the console violates its content security policy',
    means: 'A name or a description becomes a part of the page.',
    file: 'apps/console/src/components/scroller.tsx',
    search: '>{text}</pre>',
    replace: ' dangerouslySetInnerHTML={{ __html: text }} />',
    test: {
      file: 'apps/server/test/structure/console.test.ts',
      name: 'the sources of the console > set no HTML from text',
    },
  },
];
