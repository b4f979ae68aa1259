import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { MarkdownRenderer, SiteConfig } from 'vitepress';

/*
 * The server sends the site with a policy that allows scripts and styles in files alone. So what VitePress writes into
 * pages becomes files, and styles in attributes become classes.
 */

const INLINE_SCRIPT = /<script( id="[\w-]+")?>([\s\S]+?)<\/script>/g;

/** What the theme sets again by script as soon as it runs. */
const SET_BY_THEME = / style="(?:--vp-[\w-]+:[^"]*)?"/g;

/** The name of a class by the style that it stands for. */
const classes = new Map<string, string>();

interface Shown {
  readonly siteConfig: SiteConfig;
}

/** Puts the scripts of a page into files, and links the styles of code. */
export function moveOut(html: string, _file: string, { siteConfig }: Shown): string {
  const { outDir, site } = siteConfig;
  const write = (name: string, text: string): string => {
    const hash = createHash('sha256').update(text).digest('base64url').slice(0, 8);
    const path = `assets/${name.replace('.', `.${hash}.`)}`;
    mkdirSync(dirname(join(outDir, path)), { recursive: true });
    writeFileSync(join(outDir, path), text);
    return site.base + path;
  };
  return html
    .replaceAll(SET_BY_THEME, '')
    .replaceAll(INLINE_SCRIPT, (_all, id = '', text: string) => {
      return `<script${id} src="${write('inline.js', text)}"></script>`;
    })
    .replace('</head>', `<link rel="stylesheet" href="${write('code.css', styles())}"></head>`);
}

function styles(): string {
  return [...classes].map(([style, name]) => `.${name}{${style}}`).join('\n');
}

function classFor(style: string): string {
  const known = classes.get(style);
  if (known !== undefined) return known;
  const name = `s${classes.size}`;
  classes.set(style, name);
  return name;
}

/** What Shiki hands over of an element. */
interface Span {
  properties: Record<string, unknown>;
}

/** The colours of code, as classes. */
export const codeClasses = {
  name: 'gatehouse:classes',
  span(node: Span): void {
    const { style, ...others } = node.properties;
    if (typeof style !== 'string') return;
    node.properties = { ...others, class: [others.class, classFor(style)].flat().filter(Boolean) };
  },
};

/** The alignments of cells, as classes. */
export function alignByClass(renderer: MarkdownRenderer): void {
  renderer.core.ruler.push('align-by-class', (state) => {
    for (const token of state.tokens) {
      const [, side] = /^text-align:(\w+)$/.exec(token.attrGet('style') ?? '') ?? [];
      if (side === undefined) continue;
      token.attrs = (token.attrs ?? []).filter(([name]) => name !== 'style');
      token.attrJoin('class', `align-${side}`);
    }
  });
}
