import { page, tool } from '../examples/resources.ts';
import { routes } from '../routes.ts';
import { c, endpoint, routerOptions } from '../shared/endpoint.ts';
import { idParamsSchema } from '../shared/ids.ts';
import {
  changedToolsResponseSchema,
  listToolsQuerySchema,
  toolFingerprintsBodySchema,
  toolPageSchema,
} from './tools.schema.ts';

const requestExample = { fingerprints: { [tool.name]: tool.fingerprint } };
const responseExample = { changed: [tool.name] };

export const toolsContract = c.router(
  {
    list: {
      ...endpoint(routes.tools.list, { responseExample: page(tool) }),
      summary: 'List the tools of an integration',
      description:
        'By name, each as its definition was seen last. A page may have fewer tools than `limit`, if ' +
        'their definitions are long.',
      pathParams: idParamsSchema,
      query: listToolsQuerySchema,
      responses: { 200: toolPageSchema },
    },
    approve: {
      ...endpoint(routes.tools.approve, {
        codes: ['archived', 'tools_changed'],
        requestExample,
        responseExample,
      }),
      summary: 'Approve definitions of tools',
      description:
        'All or nothing: refused if one of them is not the definition of its tool that was seen last.',
      pathParams: idParamsSchema,
      body: toolFingerprintsBodySchema,
      responses: { 200: changedToolsResponseSchema },
    },
    withdraw: {
      ...endpoint(routes.tools.withdraw, {
        codes: ['archived'],
        requestExample,
        responseExample,
      }),
      summary: 'Withdraw the approval of definitions',
      description: 'Also of a definition that is no longer listed. What is not approved stays so.',
      pathParams: idParamsSchema,
      body: toolFingerprintsBodySchema,
      responses: { 200: changedToolsResponseSchema },
    },
  },
  routerOptions,
);
