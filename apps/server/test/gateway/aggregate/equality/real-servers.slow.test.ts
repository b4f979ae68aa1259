import { findChromium, isBrowserMissing } from '@gatehouse/harness';
import { describe } from 'vitest';
import { use } from '../../../support/use.ts';
import { useFixture } from '../../fixture.ts';
import { EVERYTHING, PLAYWRIGHT, startRealServer } from '../../real-servers.ts';
import { checkEquality } from './check-equality.ts';
import { openSides } from './open-sides.ts';

const ERAS = ['legacy', 'modern'] as const;

const fixture = useFixture();

describe.each(ERAS)('server-everything for a client of the %s era', (client) => {
  const server = use(() => startRealServer(EVERYTHING));
  const eras = { client, upstream: 'legacy' } as const;
  checkEquality({
    eras,
    open: () => openSides(fixture, { name: 'Everything', url: server.url }, eras),
    leftOut: ['simulate-research-query'],
    asking: client === 'modern' ? ['trigger-url-elicitation', 'trigger-elicitation-request'] : [],
    argumentsFor: {
      'trigger-long-running-operation': { duration: 0.2, steps: 2 },
      'trigger-url-elicitation': { url: 'https://example.com/a', elicitationId: 'one' },
      'gzip-file-as-resource': { name: 'a.gz', data: 'data:text/plain,hello' },
      'get-resource-reference': { resourceType: 'Text', resourceId: 1 },
      'resource-prompt': { resourceType: 'Text', resourceId: '1' },
      'completable-prompt': { department: 'Sales', name: 'David' },
    },
  });
});

const PAGE = `data:text/html,${encodeURIComponent(`
  <title>Page</title><h1>Hello</h1>
  <button id="b" onclick="console.log('clicked'); alert('hi')">Go</button>
  <input id="t"><select id="s"><option value="1">one<option value="2">two</select>
  <p id="d" draggable="true">drag</p><p id="e">drop</p>
`)}`;

/** One after another, they make sense. */
const IN_A_BROWSER = {
  browser_navigate: { url: PAGE },
  browser_resize: { width: 800, height: 600 },
  browser_snapshot: {},
  browser_evaluate: { function: '() => document.title' },
  browser_type: { target: '#t', text: 'hello' },
  browser_fill_form: {
    fields: [{ target: '#t', name: 'text', type: 'textbox', value: 'é' }],
  },
  browser_select_option: { target: '#s', values: ['2'] },
  browser_press_key: { key: 'Tab' },
  browser_hover: { target: '#b' },
  browser_drag: { startTarget: '#d', endTarget: '#e' },
  browser_drop: { target: '#e', data: { 'text/plain': 'x' } },
  browser_find: { text: 'Hello' },
  browser_click: { target: '#b' },
  browser_handle_dialog: { accept: true },
  browser_console_messages: { level: 'info' },
  browser_network_requests: { static: true },
  browser_network_request: { index: 1 },
  browser_run_code_unsafe: { code: 'async (page) => await page.title()' },
  browser_emulate_media: { colorScheme: 'dark' },
  browser_take_screenshot: { scale: 'css' },
  browser_wait_for: { text: 'Hello' },
  browser_tabs: { action: 'list' },
  browser_file_upload: {},
  browser_navigate_back: {},
  browser_close: {},
};

describe.skipIf(isBrowserMissing())('playwright-mcp', () => {
  describe.each(ERAS)('for a client of the %s era', (client) => {
    const own = ['--isolated', '--no-sandbox', '--executable-path', findChromium() ?? ''];
    const server = use(() => startRealServer(PLAYWRIGHT, ...own));
    const eras = { client, upstream: 'legacy' } as const;
    checkEquality({
      eras,
      open: () => openSides(fixture, { name: 'Browser', url: server.url }, eras),
      lists: ['tools'],
      argumentsFor: IN_A_BROWSER,
    });
  });
});
