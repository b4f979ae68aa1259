import {
  contract,
  credentialSchemaSchema,
  credentialValueSchema,
  httpUrlSchema,
  idParamSchema,
  issuerSchema,
  limitSchema,
  pageQuerySchema,
  redirectUriSchema,
  resourceUriSchema,
  returnUrlSchema,
  setConnectionBodySchema,
} from '@gatehouse/contract';
import fc from 'fast-check';
import type * as z from 'zod';
import { idPlaceholder, SECRET_MARK, UPSTREAM_URL } from './placeholders.ts';

/** Names of the properties of generated credential schemas. */
const PROPERTY_NAMES = ['token', 'key', 'region'];

const tail = fc.constantFrom('', '/', '/mcp', '/a/b?tenant=1&x=%20', '/%E2%82%AC?q=[]');

const url = fc.oneof(
  { weight: 6, arbitrary: fc.constant(UPSTREAM_URL) },
  { weight: 2, arbitrary: tail.map((path) => `http://127.0.0.1:1${path}`) },
  { weight: 2, arbitrary: tail.map((path) => `https://name.invalid${path}`) },
  { weight: 1, arbitrary: tail.map((path) => `HTTP://LocalHost:1${path}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'http://[::1]:1/mcp',
      'http://0x7f.1:1/',
      'https://例え.invalid/道',
      'http://10.0.0.1/',
      'http://169.254.169.254/latest/meta-data',
      'http://[::ffff:10.0.0.1]/',
      'https://192.0.2.1:8443/mcp',
    ),
  },
);

const issuer = fc.oneof(
  fc.constantFrom('https://login.invalid', 'https://login.invalid/tenant/1', 'http://127.0.0.1:1'),
  fc.webPath().map((path) => `https://issuer.invalid${path}`),
);

const redirectUri = fc.oneof(
  fc.constantFrom(
    'https://app.example.com/callback',
    'http://127.0.0.1/callback',
    'http://localhost:8123/',
    'http://[::1]:4/cb?x=1',
    'cursor://anysphere.cursor-retrieval/oauth',
    'com.example.app:/oauth',
    'claude://x',
  ),
  fc.webPath().map((path) => `https://app.example.com${path}`),
);

const resource = fc.constantFrom(
  'https://api.example.com',
  'https://api.example.com/mcp',
  'urn:x:y',
);

const returnUrl = fc.constantFrom(
  'https://elsewhere.example/#/settings',
  'http://127.0.0.1:1/done?a=b',
);

/** A credential: legal in a header, and to be known again wherever it turns up. */
const secret = fc.stringMatching(/^[!-~]{1,40}$/).map((text) => SECRET_MARK + text);

const property = fc.record(
  {
    type: fc.oneof(
      { weight: 9, arbitrary: fc.constant('string') },
      { weight: 1, arbitrary: fc.constantFrom('number', 'integer', 'boolean') },
    ),
    title: fc.string(),
    'x-header': fc.constantFrom('X-Api-Key', 'Authorization'),
    'x-prefix': fc.constantFrom('Token ', 'Bearer '),
    minLength: fc.constantFrom(0, 1, 30),
  },
  { requiredKeys: ['type'] },
);

const credentialSchema = fc.oneof(
  { weight: 4, arbitrary: fc.record({ properties: fc.record({ token: property }) }) },
  {
    weight: 2,
    arbitrary: fc.record(
      {
        type: fc.constant('object'),
        title: fc.string(),
        properties: fc.dictionary(fc.constantFrom(...PROPERTY_NAMES), property),
        required: fc.uniqueArray(fc.constantFrom(...PROPERTY_NAMES)),
        additionalProperties: fc.boolean(),
        'x-note': fc.jsonValue(),
      },
      { requiredKeys: ['properties'] },
    ),
  },
);

const credentialFields = fc.dictionary(
  fc.constantFrom(...PROPERTY_NAMES),
  fc.oneof({ weight: 4, arbitrary: secret }, fc.boolean(), fc.double()),
);

const connection = fc.oneof(
  { weight: 4, arbitrary: fc.record({ token: secret }) },
  { weight: 1, arbitrary: fc.record({ fields: credentialFields }) },
);

const STEPS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

const usageQuery = fc
  .record({
    step: fc.constantFrom('minute', 'hour', 'day'),
    groupBy: fc.constantFrom(undefined, 'application', 'integration', 'outcome'),
    begins: fc.constantFrom('2026-11-01T00:00:00.000Z', '2026-11-01T02:00:30+02:00'),
    points: fc.integer({ min: 1, max: 100 }),
    applicationId: fc.option(fc.nat({ max: 300 }).map(idPlaceholder), { nil: undefined }),
  })
  .map(({ begins: from, points, ...query }) => {
    const to = new Date(Date.parse(from) + points * STEPS[query.step]).toISOString();
    return Object.fromEntries(
      Object.entries({ from, to, ...query }).filter(([, value]) => value !== undefined),
    );
  });

/** Valid values of schemas with rules in code, which the walk over the contract cannot read. */
const knownSchemas: [z.core.$ZodType, fc.Arbitrary<unknown>][] = [
  [httpUrlSchema, url],
  [issuerSchema, issuer],
  [redirectUriSchema, redirectUri],
  [resourceUriSchema, resource],
  [returnUrlSchema, returnUrl],
  [credentialValueSchema, secret],
  [credentialSchemaSchema, credentialSchema],
  [setConnectionBodySchema, connection],
  [contract.usage.get.query, usageQuery],
  [idParamSchema, fc.nat({ max: 300 }).map(idPlaceholder)],
  [limitSchema, fc.constantFrom('1', '2', '3', '50', '100', '101', '0007', '99999999999999999999')],
  // A cursor continues a list that was read before; the plan says which.
  [pageQuerySchema.shape.cursor, fc.constant(undefined)],
];

const knownDefinitions = new Map<unknown, fc.Arbitrary<unknown>>(
  knownSchemas.map(([schema, arbitrary]) => [schema._zod.def, arbitrary]),
);

/** Of the schema or of a copy that `.describe()` or `.meta()` made: both have one definition. */
export function knownSchema(schema: z.core.$ZodType): fc.Arbitrary<unknown> | undefined {
  return knownDefinitions.get(schema._zod.def);
}

/** Some addresses are few, so that one is taken sometimes. */
const email = fc.oneof(
  { weight: 5, arbitrary: fc.uuid().map((name) => `${name}@example.com`) },
  { weight: 1, arbitrary: fc.emailAddress() },
  { weight: 1, arbitrary: fc.constantFrom('Taken@Example.com', 'also.taken@example.com') },
);

/** Fields of one meaning wherever they stand: secrets, and addresses. */
export const knownFields: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  email,
  clientSecret: fc.oneof(
    { weight: 4, arbitrary: secret },
    { weight: 1, arbitrary: fc.constantFrom(null, undefined) },
  ),
  tokenParams: fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 2, arbitrary: fc.dictionary(fc.string({ minLength: 1 }), secret, { maxKeys: 3 }) },
    { weight: 1, arbitrary: fc.constant(null) },
  ),
};
