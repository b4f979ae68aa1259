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
    file: `${SRC}/openapi/problems.ts`,
    search: "return route.idempotency === 'key' || CONFLICTING.has(id);",
    replace: 'return CONFLICTING.has(id);',
    test: contractTest(
      'openapi/document.test.ts',
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
];
