import { serverTest } from '../places.mjs';

const EXTERNAL = 'apps/server/src/sign-in/external';
const ADMIT = 'apps/server/src/identity/external/admit-external-person.ts';
const TEST = 'sign-in/external/external.test.ts';
const ROLES = 'sign-in/external/roles.test.ts';

export const externalSignInPatches = [
  {
    name: 'external-unverified-email',
    means: 'Whoever types the email of a member at the provider becomes that member.',
    file: ADMIT,
    search: "  if (!isEmailVerified) return { refusal: 'email_unverified' };\n",
    replace: "  if (isEmailVerified === undefined) return { refusal: 'email_unverified' };\n",
    test: serverTest(TEST, 'who does not come in > whose email is not verified, or not said'),
  },
  {
    name: 'external-second-subject',
    means: 'Whoever gets the email of a former colleague at the provider gets their membership.',
    file: ADMIT,
    search: "    if (member.identities.length > 0) return { refusal: 'linked_to_another' };\n",
    replace: '',
    test: serverTest(
      TEST,
      'who does not come in > who has an email at the provider that another member has signed in with',
    ),
  },
  {
    name: 'external-removed-member-returns',
    means: 'A removed member comes back by signing in at the provider.',
    file: 'apps/server/src/resources/members/service.ts',
    search: '  await rememberFormerMember(tx.db, current);\n',
    replace: '  if (!current) await rememberFormerMember(tx.db, current);\n',
    test: serverTest(
      TEST,
      'who does not come in > a removed member who never signed in at the provider',
    ),
  },
  {
    name: 'external-other-browser',
    means: 'A person can be signed in as somebody else by a link to the callback.',
    file: `${EXTERNAL}/attempts.ts`,
    search: `          AND "payload"->>'browser' = \${hashOf(browser)}\n`,
    replace: '',
    test: serverTest(
      TEST,
      'what comes back > is taken in the browser in which it began alone, and is not lost by others',
    ),
  },
  {
    name: 'external-attempts-alike',
    means: 'The code of another attempt signs in.',
    file: `${EXTERNAL}/attempts.ts`,
    search: `createHmac('sha256', browser).update(\`\${purpose} \${state}\`).digest('base64url');`,
    replace: "createHmac('sha256', browser && 'x').update(purpose).digest('base64url');",
    test: serverTest(TEST, 'what comes back > with the code of another attempt is refused'),
  },
  {
    name: 'external-claim-makes-owners-members',
    means: 'The provider can take the role of an owner away.',
    file: 'apps/server/src/identity/external/apply-role.ts',
    search: `AND "role" NOT IN ('owner', \${role}::"Role")\`;`,
    replace: `AND "role" <> \${role}::"Role"\`;`,
    test: serverTest(ROLES, 'the claim never changes owners'),
  },
  {
    name: 'external-password-still-works',
    means: 'Passwords open an installation in which they are switched off.',
    file: 'apps/server/src/sign-in/password-page.ts',
    search: '    requirePasswords(deps);\n',
    replace: '    if (!deps) requirePasswords(deps);\n',
    test: serverTest(TEST, 'with the password off > the form is not shown, and refused'),
  },
  {
    name: 'external-guard-passed-by',
    means: 'Requests to the provider go past the egress policy.',
    file: `${EXTERNAL}/provider.ts`,
    search: '[client.customFetch]: fetchThroughEgress(egress, LIMITS),',
    replace:
      '[client.customFetch]: egress ? (fetch as never) : fetchThroughEgress(egress, LIMITS),',
    test: serverTest(TEST, 'with an issuer that the egress policy denies > nothing is sent'),
  },
];
