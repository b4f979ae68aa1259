import { createServer } from 'node:http';
import { extname } from 'node:path';
import { closeServer, listen } from '../listen.ts';

/** A running web site. */
export interface StaticSite {
  readonly origin: string;
  close(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

const EMPTY_PAGE = '<!doctype html><title>A page</title><link rel="icon" href="data:,">';

/**
 * Serves files from memory to a browser. A path without an ending is a page; `/` is an empty one unless it is given.
 *
 * @param files - contents by path, such as `/main.js`
 * @param headers - of every response
 */
export async function startStaticSite(
  files: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<StaticSite> {
  const contents = new Map(Object.entries({ '/': EMPTY_PAGE, ...files }));
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    const content = contents.get(pathname);
    if (content === undefined) return response.writeHead(404).end();
    const type = TYPES[extname(pathname) || '.html'] ?? 'text/plain';
    return response.writeHead(200, { ...headers, 'content-type': type }).end(content);
  });
  const authority = await listen(server);
  return {
    origin: `http://${authority}`,
    async close() {
      server.closeAllConnections();
      await closeServer(server);
    },
  };
}
