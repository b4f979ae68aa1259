import { defineConfig } from 'vitepress';
import { nameOutsideLinks } from './outside-links.ts';
import { search } from './search.ts';
import { nav, sidebar } from './sidebar.ts';
import { slugify } from './slugify.ts';
import { alignByClass, codeClasses, moveOut } from './without-inline.ts';

export default defineConfig({
  title: 'Gatehouse',
  description: 'Remote MCP servers for the AI applications of an organization, safely.',
  lang: 'en',
  // Where the server shows it.
  base: '/docs/',
  cleanUrls: true,
  metaChunk: true,
  // Each link in view would be a request, and the server limits those of strangers.
  router: { prefetchLinks: false },
  // Otherwise a style element is added while the look changes.
  appearance: { disableTransition: false },
  // Otherwise a style in an attribute; `look.css` has it.
  contentProps: {},
  transformHtml: moveOut,
  markdown: {
    // A page has a hundred and seventy of them.
    image: { lazyLoading: true },
    anchor: { slugify },
    config(renderer) {
      nameOutsideLinks(renderer);
      alignByClass(renderer);
    },
    codeTransformers: [codeClasses],
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
