import { defineConfig } from 'vitepress';
import { nameOutsideLinks } from './outside-links.ts';
import { search } from './search.ts';
import { nav, sidebar } from './sidebar.ts';
import { slugify } from './slugify.ts';

export default defineConfig({
  title: 'Gatehouse',
  description: 'Remote MCP servers for the AI applications of an organization, safely.',
  lang: 'en',
  // A picture follows the look of the page, which a reader can choose, instead of that of the system.
  head: [['style', {}, ':root { color-scheme: light } :root.dark { color-scheme: dark }']],
  markdown: {
    anchor: { slugify },
    config: nameOutsideLinks,
    theme: { light: 'github-light', dark: 'github-dark' },
  },
  themeConfig: {
    nav,
    sidebar,
    outline: [2, 3],
    search,
    externalLinkIcon: true,
  },
});
