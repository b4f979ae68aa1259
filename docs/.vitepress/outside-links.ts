import { posix } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

/**
 * Makes plain text of links that lead out of `docs`, such as to a source file. They work where the
 * repository is read. The site has no address of the repository to lead to.
 */
export function nameOutsideLinks(renderer: MarkdownRenderer): void {
  renderer.core.ruler.push('outside-links', (state) => {
    for (const { children } of state.tokens) {
      let isOutside = false;
      for (const token of children ?? []) {
        if (token.type === 'link_open') {
          isOutside = leadsOut(token.attrGet('href') ?? '', state.env.relativePath ?? '');
        }
        if (isOutside && (token.type === 'link_open' || token.type === 'link_close')) {
          token.type = 'text';
          token.content = '';
        }
      }
    }
  });
}

function leadsOut(href: string, page: string): boolean {
  if (/^([a-z]+:|[/#])/.test(href)) return false;
  return posix.join(posix.dirname(page), href).startsWith('..');
}
