import { readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import { expectGenerated } from './generated-part.ts';
import { pages, root } from './pages.ts';

const escaped = (text: string) => text.replaceAll('.', '\\.');

const MARK = /<!-- file: (\S+) -->/g;

const shown = pages().flatMap((page) =>
  [...readFileSync(new URL(page, root), 'utf8').matchAll(MARK)].map(
    ([, file = '']) => [page, file] as const,
  ),
);

describe('a page shows the file that is run', () => {
  it.each(shown)('%s: %s', (page, file) => {
    expectGenerated(
      page,
      new RegExp(
        `(?<before><!-- file: ${escaped(file)} -->\n\`\`\`\\w+\n)[\\s\\S]*?(?<after>\`\`\`)`,
      ),
      readFileSync(new URL(file, root), 'utf8'),
    );
  });
});
