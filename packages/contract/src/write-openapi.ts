import { readFile, writeFile } from 'node:fs/promises';
import { buildOpenApiDocument } from './openapi/document.ts';

const [, , target] = process.argv;
if (!target) throw new Error('The path of the file to write is missing.');

const manifest: { version: string } = JSON.parse(
  await readFile(new URL('../package.json', import.meta.url), 'utf8'),
);
const document = buildOpenApiDocument({ version: manifest.version });
await writeFile(target, `${JSON.stringify(document, null, 2)}\n`);
