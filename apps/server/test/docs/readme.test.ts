import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { SETTINGS } from '../../src/platform/config/settings.ts';

const root = new URL('../../../../', import.meta.url);
const readmeFile = fileURLToPath(new URL('README.md', root));

/** With UPDATE_DOCS=1 the README is written anew instead of compared. */
function holdAgainst(marker: RegExp, expected: string): void {
  const readme = readFileSync(readmeFile, 'utf8');
  const found = marker.exec(readme);
  if (!found?.groups) throw new Error(`The README has no part ${marker.source}.`);
  const { before = '', after = '' } = found.groups;
  if (process.env.UPDATE_DOCS === '1') {
    writeFileSync(
      readmeFile,
      readme.replace(marker, () => before + expected + after),
    );
    return;
  }
  expect(found[0]).toBe(before + expected + after);
}

function configurationTable(): string {
  const rows = Object.values(SETTINGS).map(
    ({ name, expected, fallback, purpose }) =>
      `| \`${name}\` | ${purpose} | ${expected} | ${fallback.replaceAll('<', '&lt;')} |`,
  );
  const head = ['| variable | what it does | its value | when not set |', '|---|---|---|---|'];
  return [...head, ...rows].join('\n');
}

function quickStart(): string {
  const source = readFileSync(new URL('packages/sdk/src/gatehouse.examples.ts', root), 'utf8');
  const region = /\/\/#region quick-start\n([\s\S]*?)\/\/#endregion/.exec(source)?.[1];
  if (!region) throw new Error('The SDK has no quick-start region.');
  return region;
}

it('shows the configuration table as the settings have it', () => {
  holdAgainst(
    /(?<before><!-- configuration: .*? -->\n\n)[\s\S]*?(?<after>\n\n<!-- end -->)/,
    configurationTable(),
  );
});

it('shows the quick start that the tests of the SDK compile and run', () => {
  holdAgainst(/(?<before><!-- quick start: .*? -->\n```ts\n)[\s\S]*?(?<after>```)/, quickStart());
});
