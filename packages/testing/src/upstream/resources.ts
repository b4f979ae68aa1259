import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { RED_PIXEL_PNG } from './media.ts';

/** The resources of the conformance suites: text, binary, a template, and one to subscribe to. */
export function registerResources(server: McpServer): void {
  registerText(server, 'static-text', 'This is the content of the static text resource.');
  registerText(server, 'watched-resource', 'Watched resource content.');
  server.registerResource(
    'static-binary',
    'test://static-binary',
    { title: 'Static binary resource', mimeType: 'image/png' },
    async ({ href }) => ({
      contents: [{ uri: href, mimeType: 'image/png', blob: RED_PIXEL_PNG }],
    }),
  );
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { title: 'Resource template', mimeType: 'application/json' },
    async ({ href }, { id }) => {
      const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
      return { contents: [{ uri: href, mimeType: 'application/json', text }] };
    },
  );
  server.server.setRequestHandler('resources/subscribe', async () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', async () => ({}));
}

function registerText(server: McpServer, name: string, text: string): void {
  const uri = `test://${name}`;
  server.registerResource(name, uri, { title: name, mimeType: 'text/plain' }, async () => ({
    contents: [{ uri, mimeType: 'text/plain', text }],
  }));
}
