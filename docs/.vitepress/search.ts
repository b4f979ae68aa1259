import type { DefaultTheme } from 'vitepress';

type MiniSearch = NonNullable<DefaultTheme.LocalSearchOptions['miniSearch']>;

/** How the search reads words, when the site is built and in the browser. */
export const miniSearch = {
  options: {
    /** A name such as `GATEHOUSE_PORT` is a word, and so is each of its parts. */
    tokenize: (text) =>
      (text.match(/[\p{L}\p{N}_]+/gu) ?? []).flatMap((word) =>
        word.includes('_') ? [word, ...word.split('_').filter(Boolean)] : [word],
      ),
  },
  searchOptions: {
    /** Pages for users come before those for maintainers, a page that the word names, and that of the settings with a setting. */
    boostDocument: (id: string, term: string) => {
      const page = id.replace(/^\/docs/, '');
      if (!/^\/(start|clients|code|run)\//.test(page)) return 0.2;
      if (page.startsWith('/code/reference/')) return 0.6;
      if (page.replace(/#.*/, '').endsWith(`/${term}`)) return 2;
      return term.startsWith('gatehouse_') && page.startsWith('/run/configuration') ? 4 : 1;
    },
  },
} satisfies MiniSearch;

/**
 * VitePress hands own properties to the browser as text, functions too, which `new Function` then makes again: the
 * policy of the site forbids that. Inherited ones stay here, and the theme brings them.
 */
export const search: { provider: 'local'; options: DefaultTheme.LocalSearchOptions } = {
  provider: 'local',
  options: { miniSearch: Object.create(miniSearch) },
};
