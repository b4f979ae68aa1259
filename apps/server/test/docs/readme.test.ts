import { readFileSync } from 'node:fs';
import { it } from 'vitest';
import { expectGenerated } from './generated-part.ts';
import { root } from './pages.ts';

function quickStart(): string {
  const source = readFileSync(new URL('packages/sdk/src/gatehouse.examples.ts', root), 'utf8');
  const region = /\/\/#region quick-start\n([\s\S]*?)\/\/#endregion/.exec(source)?.[1];
  if (!region) throw new Error('The SDK has no quick-start region.');
  return region;
}

it('shows the quick start that the tests of the SDK compile and run', () => {
  for (const page of ['README.md', 'docs/code/sdk.md']) {
    expectGenerated(
      page,
      /(?<before><!-- quick start: .*? -->\n```ts\n)[\s\S]*?(?<after>```)/,
      quickStart(),
    );
  }
});
