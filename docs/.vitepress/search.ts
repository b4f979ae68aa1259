import type { DefaultTheme } from 'vitepress';

/** The search of the site. The browser gets these functions as text, so they use nothing from outside. */
export const search: { provider: 'local'; options: DefaultTheme.LocalSearchOptions } = {
  provider: 'local',
  options: {
    miniSearch: {
      options: {
        /** A name such as `GATEHOUSE_PORT` is a word, and so is each of its parts. */
        tokenize: (text) =>
          (text.match(/[\p{L}\p{N}_]+/gu) ?? []).flatMap((word) =>
            word.includes('_') ? [word, ...word.split('_').filter(Boolean)] : [word],
          ),
      },
      searchOptions: {
        /** Pages for users come before those for maintainers, and the page of the settings with a setting. */
        boostDocument: (page: string, term: string) => {
          if (!/^\/(start|clients|code|run)\//.test(page)) return 0.2;
          if (page.startsWith('/code/reference/')) return 0.6;
          return term.startsWith('gatehouse_') && page.startsWith('/run/configuration') ? 4 : 1;
        },
      },
    },
  },
};
