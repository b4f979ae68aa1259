import { it } from 'vitest';
import { fileVariable } from '../../src/platform/config/secret-file.ts';
import { SETTINGS } from '../../src/platform/config/settings.ts';
import { expectGenerated } from './generated-part.ts';

function configurationTable(): string {
  const rows = Object.values(SETTINGS).map(
    ({ name, expected, fallback, purpose, isSecret }) =>
      `| \`${name}\`${isSecret ? ` or \`${fileVariable(name)}\`` : ''} | ${purpose} | ${expected} | ${fallback.replaceAll('<', '&lt;')} |`,
  );
  const head = ['| variable | what it does | its value | when not set |', '|---|---|---|---|'];
  return [...head, ...rows].join('\n');
}

it('lists every setting, as the server describes it', () => {
  expectGenerated(
    'docs/run/configuration.md',
    /(?<before><!-- configuration: .*? -->\n\n)[\s\S]*?(?<after>\n\n<!-- end -->)/,
    configurationTable(),
  );
});
