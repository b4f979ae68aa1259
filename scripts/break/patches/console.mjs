export const patches = [
  {
    name: 'documentation-inline',
    promise:
      'The documentation that a server shows has its scripts and styles in its own files alone',
    means: 'A page of the documentation may run what someone has put into it.',
    file: 'apps/server/src/console/documentation.ts',
    search: `"script-src 'self'",`,
    replace: `"script-src 'self' 'unsafe-inline'",`,
    test: {
      file: 'apps/server/test/console/documentation.test.ts',
      name: 'the documentation > allows scripts and styles in files alone, and no frame',
    },
  },
  {
    name: 'console-token-for-any-page',
    promise: 'A token of the console is given to a page of this service alone',
    means: 'A site that people visit signs in as them, if it is allowed to call the API.',
    file: 'apps/server/src/console/browser-requests.ts',
    search: '      origin === undefined ||\n      !ownOrigins.has(origin) ||\n',
    replace: '',
    test: {
      file: 'apps/server/test/console/token.store.test.ts',
      name: 'POST /console/token > refuses a request from an origin that may call the API',
    },
  },
  {
    name: 'console-token-after-signing-out',
    promise: 'A token of the console is given to a page of this service alone',
    means: 'Whoever has copied a token goes on for ten minutes after its person has signed out.',
    file: 'apps/server/src/identity/browser-sessions.ts',
    search: "  if (ended !== undefined) announce({ kind: 'token', id: ended.sessionId });\n",
    replace: '',
    test: {
      file: 'apps/server/test/console/token.store.test.ts',
      name: 'a token of the console > ends with signing out of the console',
    },
  },
  {
    name: 'console-grant-after-signing-out',
    promise: 'A token of the console for a gateway URL is given to a person who may use',
    means:
      'Whoever has copied a token calls integrations for minutes after its person has signed out.',
    file: 'apps/server/src/identity/caller.ts',
    search:
      "return browserSessionId === null ? rows : [...rows, { kind: 'token', id: browserSessionId }];",
    replace: 'return rows;',
    test: {
      file: 'apps/server/test/console/gateway-access.store.test.ts',
      name: 'such a token > ends with signing out of the console',
    },
  },
  {
    name: 'console-grant-for-anyone',
    promise: 'A token of the console for a gateway URL is given to a person who may use',
    means: 'A person whom a rule excludes gets a token for the gateway URL.',
    file: 'apps/server/src/console/gateway-access.ts',
    search: '  if (reasons.length === 0) return;\n',
    replace: '  if (reasons.length >= 0) return;\n',
    test: {
      file: 'apps/server/test/console/gateway-access.store.test.ts',
      name: 'POST /console/token with a resource > answers 403 with the reasons where rules about people exclude the person',
    },
  },
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
  {
    name: 'gateway-passes-more-than-it-says',
    promise: 'What the playground says that the gateway adds, replaces and removes',
    means: 'People rely on a list of headers that is not what happens.',
    file: 'apps/server/src/gateway/response-head.ts',
    search: 'new Set(gatewayChanges.response.passed)',
    replace: "new Set([...gatewayChanges.response.passed, 'server'])",
    test: {
      file: 'apps/server/test/gateway/changes.test.ts',
      name: 'what the contract says that the gateway does > is what it does to the headers of a response',
    },
  },
  {
    name: 'console-saves-formulas',
    promise: 'No cell of a table that the console saves is a formula',
    means: 'A name that a member chose runs in the spreadsheet of the admin who saves the table.',
    file: 'apps/console/src/components/csv.ts',
    search: "FORMULA.test(text) ? `'${text}` : text",
    replace: 'text',
    test: {
      file: 'apps/console/test/access.test.ts',
      name: 'a table for other programs > runs nothing of "=1+1"',
    },
  },
];
