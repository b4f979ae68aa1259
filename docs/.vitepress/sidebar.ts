import { readdirSync, readFileSync } from 'node:fs';
import type { DefaultTheme } from 'vitepress';
import { resources } from './reference/resources.ts';

const docs = new URL('../', import.meta.url);

/** The first pages of each part, in their order. Others of its folder follow by their titles. */
const ORDER: Readonly<Record<string, readonly string[]>> = {
  start: ['index', 'how-it-works', 'console', 'views'],
  clients: [
    ...['index', 'prepare', 'one-url', 'connect-an-account'],
    ...['claude', 'claude-code', 'cursor', 'vs-code'],
    ...['codex', 'gemini-cli', 'opencode', 'mcporter', 'mcp-inspector', 'mcp-remote'],
    ...['mcp-sdk', 'ai-sdk', 'langchain', 'openai-agents', 'mastra', 'other-libraries'],
  ],
  code: ['index', 'sdk', 'http', 'write-an-application', 'credentials', 'testing', 'problems'],
  run: [
    ...['index', 'deploy', 'secrets', 'configuration', 'command', 'proxy', 'sizing', 'sign-in'],
    ...['providers', 'validate', 'policy'],
    ...['backup', 'upgrade', 'keys', 'recovery', 'observe', 'audit', 'usage', 'alerts', 'metrics'],
    'logs',
    ...['what-if', 'security-model', 'limits', 'troubleshooting'],
  ],
};

const PARTS = {
  start: 'Start',
  clients: 'Connect clients',
  code: 'Use it from code',
  run: 'Run it',
};

export const nav: DefaultTheme.NavItem[] = [
  ...Object.entries(PARTS).map(([folder, text]) => ({ text, link: `/${folder}/` })),
  { text: 'Maintainers', link: '/architecture' },
];

const maintainers: DefaultTheme.SidebarItem = {
  text: 'Maintainers',
  items: [
    ...pagesOf('.')
      .filter((name) => name !== 'index')
      .map((name) => itemOf('', name)),
    { text: 'Decisions', items: decisions() },
  ],
};

/** Each part has its own; the bar above leads to the others. */
export const sidebar: DefaultTheme.SidebarMulti = {
  ...Object.fromEntries(
    Object.entries(PARTS).map(([folder, text]) => [`/${folder}/`, partOf(folder, text)]),
  ),
  '/': [maintainers],
};

function partOf(folder: string, text: string): DefaultTheme.SidebarItem[] {
  const part = { text, items: itemsOf(folder) };
  return folder === 'code' ? [part, reference()] : [part];
}

function reference(): DefaultTheme.SidebarItem {
  const items = resources().map((name) => ({ text: name, link: `/code/reference/${name}` }));
  return { text: 'HTTP reference', link: '/code/reference/', items };
}

function decisions(): DefaultTheme.SidebarItem[] {
  return pagesOf('decisions').map((name) => itemOf('decisions/', name));
}

function itemsOf(folder: string): DefaultTheme.SidebarItem[] {
  const names = pagesOf(folder);
  const first = (ORDER[folder] ?? []).filter((name) => names.includes(name));
  const others = names.filter((name) => !first.includes(name));
  return [...first, ...others].map((name) => itemOf(`${folder}/`, name));
}

function pagesOf(folder: string): string[] {
  const files = readdirSync(new URL(`${folder}/`, docs)).filter((name) => name.endsWith('.md'));
  return files.map((name) => name.replace('.md', '')).sort();
}

function itemOf(prefix: string, name: string): { text: string; link: string } {
  const [, title = name] =
    /^# (.+)$/m.exec(readFileSync(new URL(`${prefix}${name}.md`, docs), 'utf8')) ?? [];
  const isIndex = prefix !== '' && name === 'index';
  return { text: title, link: isIndex ? `/${prefix}` : `/${prefix}${name}` };
}
