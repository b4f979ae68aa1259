import type { DefaultTheme } from 'vitepress';

type MiniSearch = NonNullable<DefaultTheme.LocalSearchOptions['miniSearch']>;

/** Pages to read count fully, pages to look something up in less, pages for maintainers least. */
const WEIGHTS: readonly (readonly [pages: RegExp, weight: number])[] = [
  [/^\/(code\/(problems$|reference\/)|run\/(alerts|command|logs|metrics)$|start\/views$)/, 0.25],
  [/^\/run\/providers$/, 0.5],
  [/^\/(start|clients|code|run)\//, 1],
  [/^/, 0.1],
];

/** How the search reads words, when the site is built and in the browser. */
export const miniSearch = {
  options: {
    /** A name such as `GATEHOUSE_PORT` is a word, and so is each of its parts. A title that is a name is only about the name. */
    tokenize: (text, field) =>
      (text.match(/[\p{L}\p{N}_]+/gu) ?? []).flatMap((word) =>
        word.includes('_') && field !== 'title'
          ? [word, ...word.split('_').filter(Boolean)]
          : [word],
      ),
  },
  searchOptions: {
    weights: { prefix: 0.1, fuzzy: 0.3 },
    boostTerm: (term: string) => (term.includes('_') ? 2 : 1),
    /** A page or an entry that has the word as its name comes before others, and that of the settings with a setting. */
    boostDocument: (id: string, term: string, entry?: Record<string, unknown>) => {
      const page = id.replace(/^\/docs|#.*/g, '');
      const [, weight = 1] = WEIGHTS.find(([pages]) => pages.test(page)) ?? [];
      if (term.includes('_') && entry?.title === term) return 1.5;
      if (page.endsWith(`/${term}`)) return 2 * weight;
      return term.startsWith('gatehouse_') && page === '/run/configuration' ? 4 : weight;
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
