import { contractTest, serverTest, suiteTest } from '../places.mjs';

const SRC = 'packages/contract/src';

export const contractPatches = [
  {
    name: 'contract-unknown-fields',
    means: 'A misspelled field of a request is silently ignored.',
    file: `${SRC}/integrations/integrations.schema.ts`,
    search: `createIntegrationBodySchema = z
  .strictObject({`,
    replace: `createIntegrationBodySchema = z
  .object({`,
    test: serverTest(
      'resources/integrations/integrations.test.ts',
      'POST /integrations > names the unknown field',
    ),
  },
  {
    name: 'contract-secret-in-read',
    means: 'Reading an integration shows its server token.',
    file: `${SRC}/integrations/integrations.schema.ts`,
    search: `integrationSchema = z.object({
  id: idSchema,`,
    replace: `integrationSchema = z.object({
  serverToken: z.string().optional(),
  id: idSchema,`,
    test: contractTest(
      'openapi/document.test.ts',
      'the OpenAPI document > describes no secret in a read',
    ),
  },
  {
    name: 'contract-loose-answers',
    means: 'Columns that no read declares leave the server with every integration.',
    file: `${SRC}/integrations/integrations.schema.ts`,
    search: 'integrationSchema = z.object({',
    replace: 'integrationSchema = z.looseObject({',
    test: contractTest(
      'integrations/integrations.test.ts',
      'a response > loses fields that are not declared',
    ),
  },
  {
    name: 'contract-admin-route-for-members',
    means: 'Any member may have integrations validated.',
    file: `${SRC}/routes.ts`,
    search: `path: '/integrations/:id/validate',
      access: 'admin',`,
    replace: `path: '/integrations/:id/validate',
      access: 'member',`,
    test: serverTest(
      'http/authorization.test.ts',
      "'integrations.validate' > answers the member as the table says",
    ),
  },
  {
    name: 'contract-userinfo-in-url',
    means: 'A password in the URL of an integration is stored and shown to every member.',
    file: `${SRC}/shared/uris.ts`,
    search: "  if (hasUserinfo(url)) return 'Must not contain a user name or password.';\n",
    replace: '',
    test: suiteTest('server', 'Integrations > need a name and a url that can be one'),
  },
  {
    name: 'contract-script-redirect',
    means: 'An application may have users redirected to a script.',
    file: `${SRC}/shared/uris.ts`,
    search: "  'javascript',\n",
    replace: '',
    test: suiteTest(
      'server',
      'Applications > need a name, a type and redirect URIs that can be some',
    ),
  },
  {
    name: 'contract-unbounded-pages',
    means: 'One request reads a whole list.',
    file: `${SRC}/shared/pagination.ts`,
    search: 'Math.min(value, limits.pageMax)',
    replace: 'value',
    test: contractTest('shared/pagination.test.ts', 'the page size > reads 101 as 100'),
  },
  {
    name: 'contract-input-in-problem',
    means: 'A refused request is answered with the secret it held.',
    file: `${SRC}/shared/uris.ts`,
    search: "if (message) context.addIssue({ code: 'custom', message });",
    replace: "if (message) context.addIssue({ code: 'custom', message: message + uri });",
    test: contractTest(
      'shared/problem.test.ts',
      'a request problem > never repeats an input value',
    ),
  },
  {
    name: 'openapi-without-409',
    means: 'Generated clients do not know that a write can meet a conflict.',
    file: `${SRC}/openapi/operation-problems.ts`,
    search: "[route.idempotency === 'key', [",
    replace: '[isPublic && isWrite, [',
    test: contractTest(
      'openapi/problems.test.ts',
      'the problems of an operation > post /integrations are all listed, and no other',
    ),
  },
  {
    name: 'openapi-without-if-match',
    means: 'The document does not say that a change can be made conditional.',
    file: `${SRC}/openapi/operations.ts`,
    search: "takesIfMatch: isVersioned && ['PATCH', 'PUT', 'DELETE']",
    replace: "takesIfMatch: isVersioned && ['PATCH', 'PUT']",
    test: contractTest(
      'openapi/document.test.ts',
      'the OpenAPI document > documents the headers of conditional, repeatable and creating requests',
    ),
  },
  {
    name: 'contract-uncounted-values',
    means: 'A refused body of 1 MiB holds the process for seconds.',
    file: `${SRC}/shared/json-body.ts`,
    search: '  requireLittle(bytes);\n',
    replace: '',
    test: contractTest('shared/json-body.test.ts', 'a JSON body > with too many values is refused'),
  },
  {
    name: 'contract-uncounted-list',
    means: 'Every item of a long list is parsed before the list is refused.',
    file: `${SRC}/shared/unique.ts`,
    search: 'if (input.length > limits.listItems) {',
    replace: 'if (input.length > limits.bodyBytes) {',
    test: suiteTest(
      'server',
      'Bodies and the order of checks > lengths and counts are judged first, with at most 20 errors',
    ),
  },
  {
    name: 'contract-nul-in-a-field-name',
    means: 'A connection with a NUL in the name of a field is answered with 500.',
    file: `${SRC}/connections/connections.schema.ts`,
    search: "name !== '' && isStorable(name) && hasAtMost",
    replace: "name !== '' && hasAtMost",
    test: contractTest(
      'connections/connections.test.ts',
      'storing a connection > judges {"fields":{"a\\u0000":"a"}}',
    ),
  },
  {
    name: 'contract-field-without-a-name',
    means: 'A connection has a field that no header and no form can name.',
    file: `${SRC}/connections/connections.schema.ts`,
    search: "name !== '' && isStorable(name)",
    replace: 'isStorable(name)',
    test: contractTest(
      'connections/connections.test.ts',
      'storing a connection > judges {"fields":{"":"a"}}',
    ),
  },
  {
    name: 'contract-endless-field-name',
    means: 'The name of a field of a connection is as long as a body.',
    file: `${SRC}/connections/connections.schema.ts`,
    search: 'isStorable(name) && hasAtMost(name, limits.name)',
    replace: 'isStorable(name)',
    test: contractTest(
      'connections/connections.test.ts',
      `storing a connection > judges {"fields":{"${'n'.repeat(201)}":"a"}}`,
    ),
  },
  {
    name: 'contract-five-digit-year',
    means: 'The expiry of a token is read back as a text that is no RFC 3339 timestamp.',
    file: `${SRC}/shared/timestamps.ts`,
    search: 'Date.parse(value) < YEAR_10000',
    replace: 'Date.parse(value) !== YEAR_10000',
    test: contractTest(
      'tokens/tokens.test.ts',
      'creating a token > judges {"expiresAt":"9999-12-31T23:59:59-00:01"}',
    ),
  },
  {
    name: 'contract-patch-as-json',
    means: 'A JSON Patch or merge patch is carried out as something else.',
    file: `${SRC}/shared/json-body.ts`,
    search: '/^application\\/json\\s*(?:;|$)/i',
    replace: '/^application\\/(?:[^;]+\\+)?json\\s*(?:;|$)/i',
    test: suiteTest(
      'server',
      'Bodies and the order of checks > a body that is not JSON by its type or charset is 415',
    ),
  },
  {
    name: 'contract-counts-code-units',
    means: 'A name of 200 emoji is refused, though the document allows it.',
    file: `${SRC}/shared/text.ts`,
    search: 'text.length <= 2 * max && [...text].length <= max',
    replace: 'text.length < max',
    test: suiteTest(
      'server',
      'Bodies and the order of checks > names have up to 200 characters, of any plane',
    ),
  },
  {
    name: 'contract-counts-pairs',
    means: 'A name has up to 400 characters.',
    file: `${SRC}/shared/text.ts`,
    search: ' && [...text].length <= max',
    replace: '',
    test: suiteTest(
      'server',
      'Bodies and the order of checks > names have up to 200 characters, of any plane',
    ),
  },
];
