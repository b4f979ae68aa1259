import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { miniSearch } from '../search.ts';
import './look.css';

export default {
  extends: DefaultTheme,
  enhanceApp({ siteData }) {
    siteData.value.themeConfig.search.options.miniSearch = miniSearch;
  },
} satisfies Theme;
