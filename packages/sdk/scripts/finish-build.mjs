// Completes what tsup has written to dist, so that the package stays small:
// - each entry gets a CommonJS copy with the same lines, so that both share one source map;
// - the types are those of the CommonJS entry, and the ESM ones are the same declarations, so that a
//   client made in one module system is accepted in the other.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));

for (const entry of ['index', 'validation']) {
  const file = (extension) => join(dist, `${entry}${extension}`);
  writeFileSync(file('.cjs'), toCommonJs(readFileSync(file('.js'), 'utf8')));
  renameSync(file('.d.ts'), file('.d.cts'));
  writeFileSync(file('.d.ts'), `export * from './${entry}.cjs';\n`);
}

/** Replaces the one export statement of a module without imports. */
function toCommonJs(module) {
  const copy = module.replace(/^export \{ (.*) \};$/m, (_, names) =>
    names
      .split(', ')
      .map((name) => `exports.${name} = ${name};`)
      .join(' '),
  );
  if (copy === module || /^(im|ex)port\b/m.test(copy)) throw new Error('Unexpected module syntax.');
  return `'use strict'; ${copy}`;
}
