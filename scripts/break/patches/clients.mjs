import { serverTest } from '../places.mjs';

const SRC = 'apps/server/src/authorization-server';
const CLIENTS = 'authorization-server/clients';
const COLD_START = 'needs no more than the URL, by registration';

/** What MCP clients that others wrote cannot do without. */
export const clientsPatches = [
  {
    name: 'clients-find-another-resource',
    means: 'No MCP client signs in: the metadata names another URL than the client uses.',
    file: `${SRC}/metadata.ts`,
    search: 'resource: publicUrl + path,',
    replace: 'resource: publicUrl,',
    test: serverTest(`${CLIENTS}/oauth4webapi.test.ts`, `oauth4webapi > ${COLD_START}`),
  },
  {
    name: 'clients-find-another-issuer',
    means: 'Strict clients do not sign in: the metadata names another issuer than it was asked of.',
    file: `${SRC}/metadata.ts`,
    search: '    issuer: publicUrl,',
    replace: "    issuer: publicUrl + '/',",
    test: serverTest(
      `${CLIENTS}/official-client.test.ts`,
      `the official client 2.x, modern era > ${COLD_START}`,
    ),
  },
  {
    name: 'clients-on-web-pages',
    means: 'An MCP client on a web page cannot find out where to sign in.',
    file: `${SRC}/router.ts`,
    search:
      "  router.options(RESOURCE_METADATA_PATH, checkHost, allowAnyOrigin('GET'), sendNothing);\n",
    replace: '',
    test: serverTest(
      'authorization-server/web-pages.test.ts',
      `an MCP client on a web page of any origin > may GET /.well-known/oauth-protected-resource/mcp/01900000-0000-7000-8000-000000000000/01900000-0000-7000-8000-000000000000`,
    ),
  },
];
