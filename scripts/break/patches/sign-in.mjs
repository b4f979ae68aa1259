import { serverTest } from '../places.mjs';

const IDENTITY = 'apps/server/src/identity';
const PAGES = 'apps/server/src/http/pages';
const SIGN_IN = 'apps/server/src/sign-in';

export const signInPatches = [
  {
    name: 'sign-in-account-shown-by-time',
    means: 'The time of an answer tells whether an email is that of a member.',
    file: `${IDENTITY}/passwords.ts`,
    search: '  const parsed = hash === null ? undefined : parse(hash);\n',
    replace:
      '  if (hash === null) return false;\n  const parsed: ParsedHash | undefined = parse(hash);\n',
    test: serverTest(
      'identity/passwords.test.ts',
      'a password > that was never chosen is refused, after the same work',
    ),
  },
  {
    name: 'sign-in-planted-cookie',
    means: 'Whoever plants a cookie in a browser is signed in as who signs in there.',
    file: `${IDENTITY}/browser-sessions.ts`,
    search: "      const value = randomBytes(32).toString('base64url');\n",
    replace: "      const value = cookie.read(header) ?? randomBytes(32).toString('base64url');\n",
    test: serverTest(
      'identity/browser-sessions.test.ts',
      'a browser session > has a value of its own: what the browser brought is never used, and what it named ends',
    ),
  },
  {
    name: 'sign-in-session-without-end',
    means: 'A browser that is used every day stays signed in for ever.',
    file: `${IDENTITY}/browser-session-rows.ts`,
    search: `\n      AND s."createdAt" > now() - \${LONGEST}::float8 * interval '1 second'\`;`,
    replace: '`;',
    test: serverTest(
      'identity/browser-sessions.test.ts',
      'a browser session > is over after 30 days in all, however busy',
    ),
  },
  {
    name: 'sign-in-session-of-an-old-password',
    means: 'Somebody who signs in while the password is being reset stays signed in.',
    file: `${IDENTITY}/browser-session-rows.ts`,
    search: `(\${passwordHash}::text IS NULL OR "passwordHash" = \${passwordHash}::text)`,
    replace: `(\${passwordHash}::text IS NULL OR true)`,
    test: serverTest(
      'identity/browser-sessions.test.ts',
      'a browser session > does not begin with a password that was changed since it was compared',
    ),
  },
  {
    name: 'sign-in-sessions-survive-a-reset',
    means: 'Whoever was signed in with a stolen password still is after it was reset.',
    file: `${IDENTITY}/choose-password.ts`,
    search: '  await deleteBrowserSessionsOf(db, userId);\n',
    replace: '',
    test: serverTest(
      'identity/browser-sessions.test.ts',
      'a browser session > ends with a new password, wherever it is',
    ),
  },
  {
    name: 'sign-in-link-many-times',
    means: 'A link works more than once when it is used many times at once.',
    file: `${IDENTITY}/sign-in-links.ts`,
    search: '    DELETE FROM "SignInLink"\n',
    replace: '    UPDATE "SignInLink" SET "expiresAt" = "expiresAt"\n',
    test: serverTest(
      'identity/sign-in-links.test.ts',
      'a sign-in link > works once, however many use it at once',
    ),
  },
  {
    name: 'sign-in-link-of-a-promoted-member',
    means: 'An admin who made a link for a member is an owner once that member is one.',
    file: 'apps/server/src/resources/members/service.ts',
    search: '  await deleteSignInLinks(tx.db, userId);\n',
    replace: '',
    test: serverTest(
      'sign-in/links.test.ts',
      'a link that does not work > was made for a member who has been promoted since',
    ),
  },
  {
    name: 'sign-in-form-of-anybody',
    means: 'Another site signs a person in as somebody else, or changes what they have.',
    file: `${PAGES}/forms.ts`,
    search: "      if (!mac.verify(token.slice(0, end), signedText(owner, visitor ?? ''), tag)) {",
    replace: '      if (tag.length !== 32) {',
    test: serverTest(
      'sign-in/forms.test.ts',
      'the form of somebody who is not signed in > is refused with the token of another browser, which others could have put there',
    ),
  },
  {
    name: 'sign-in-form-of-another-session',
    means: 'A form of one sign-in can be sent with another.',
    file: `${PAGES}/forms.ts`,
    search: `\`session \${owner.sessionId}\``,
    replace: "'session'",
    test: serverTest(
      'sign-in/forms.test.ts',
      'the form of somebody who is signed in > is refused with the token of another sign-in, and without any',
    ),
  },
  {
    name: 'sign-in-form-without-origin',
    means: 'A form is taken from a page that does not say where it is.',
    file: `${PAGES}/forms.ts`,
    search: "origin === undefined ? site === 'same-origin' : ownOrigins.has(origin)",
    replace: "origin === undefined || site === 'same-origin' || ownOrigins.has(origin)",
    test: serverTest(
      'sign-in/forms.test.ts',
      'the form of somebody who is not signed in > is refused from no origin',
    ),
  },
  {
    name: 'sign-in-redirects-outside',
    means: 'A link to the sign-in page takes people to a foreign site after it.',
    file: `${PAGES}/return-to.ts`,
    search: "  if (typeof value !== 'string' || value.length > MAX_LENGTH) return FALLBACK;\n",
    replace: "  if (typeof value === 'string' && value !== '') return value;\n",
    test: serverTest(
      'sign-in/password.test.ts',
      'where it goes afterwards > is the account instead of "//evil.example"',
    ),
  },
  {
    name: 'sign-in-referrer-hides-the-origin',
    means: 'No browser can send a form: it does not say where its page is.',
    file: `${PAGES}/send-page.ts`,
    search: "'Referrer-Policy': 'same-origin',",
    replace: "'Referrer-Policy': 'no-referrer',",
    test: serverTest(
      'sign-in/pages.test.ts',
      'the page "sign-in" > is kept by no cache, and its address is told to nobody else',
    ),
  },
  {
    name: 'sign-in-unescaped',
    means: 'A name is run as a page.',
    file: `${PAGES}/html.ts`,
    search: '  return escapeText(String(value));\n',
    replace: '  return String(value);\n',
    test: serverTest('sign-in/account.test.ts', 'the account page > shows a name as text'),
  },
  {
    name: 'sign-in-lockout',
    means: 'Whoever guesses at a password all day keeps its person out.',
    file: `${SIGN_IN}/throttle.ts`,
    search: `\`\${knownBrowser} \${normalizeEmail(email)}\``,
    replace: `\`\${knownBrowser.slice(0, 0)} \${normalizeEmail(email)}\``,
    test: serverTest(
      'sign-in/throttle.test.ts',
      'the throttle > keeps a browser that the person has used before apart from all others',
    ),
  },
  {
    name: 'sign-in-guessing',
    means: 'Passwords of one person can be guessed from many addresses without any delay.',
    file: `${SIGN_IN}/throttle.ts`,
    search: '      if (wait > 0) throw limited(wait);\n',
    replace: '      if (wait > 1e9) throw limited(wait);\n',
    test: serverTest(
      'sign-in/throttle.test.ts',
      'the throttle > counts every spelling of an email as one',
    ),
  },
  {
    name: 'sign-in-socket-for-everybody',
    means: 'Every user of the machine can make a link that signs in the owner.',
    file: 'apps/server/src/control/control-socket.ts',
    search: '  await chmod(draft, 0o600);\n',
    replace: '  await chmod(draft, 0o666);\n',
    test: serverTest(
      'control/control-socket.test.ts',
      'the control socket > answers a command, and only its owner may connect',
    ),
  },
];
