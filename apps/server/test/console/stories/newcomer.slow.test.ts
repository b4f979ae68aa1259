import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { isBrowserMissing, launchBrowser, noteComplaints } from '@gatehouse/harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVERYTHING, startRealServer } from '../../gateway/real-servers.ts';
import { startServer } from '../../process/support/servers.ts';
import { PASSWORD } from '../../support/browser.ts';
import { use } from '../../support/use.ts';
import { copiedFrom, type Locator } from './console-browser.ts';

/** From the link that the first start prints to the green light. */
const MOST_CLICKS = 10;
const MOST_PASTED_BLOCKS = 3;

const run = promisify(execFile);
const upstream = use(() => startRealServer(EVERYTHING));

describe.skipIf(isBrowserMissing())('a newcomer with the link of the first start', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'newcomer-'));
    await placeNpm(join(folder, 'bin'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** Types a block of commands into a terminal in the folder of the program. */
  async function inTerminal(commands: string): Promise<string> {
    const cwd = join(folder, 'program');
    const env = { ...process.env, PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}` };
    return (await run('sh', ['-c', commands], { cwd, env })).stdout;
  }

  it('reaches the green light with ten clicks and three pasted blocks at most', async () => {
    const server = await startServer({ env: { GATEHOUSE_BOOTSTRAP_TOKEN: '' } });
    const link = /http\S+\/sign-in\/link\/\S+/.exec(server.stdout)?.[0] ?? '';
    const chromium = await launchBrowser();
    if (chromium === undefined) throw new Error('There is no Chromium.');
    const permissions = ['clipboard-read', 'clipboard-write'];
    const page = await (await chromium.newContext({ permissions })).newPage();
    const complaints: string[] = [];
    noteComplaints(page, complaints);
    let clicks = 0;
    let pasted = 0;
    const click = async (control: Locator) => {
      clicks += 1;
      await control.click();
    };
    const copied = async (name: RegExp) => {
      await click(page.getByRole('button', { name }));
      pasted += 1;
      return copiedFrom(page);
    };

    clicks += 1;
    await page.goto(link);
    for (const field of await page.locator('input[type=password]').all()) {
      await field.fill(PASSWORD);
    }
    await click(page.getByRole('button'));
    pasted += 1;
    await page.getByLabel('URL of the MCP server').fill(upstream.url);
    await click(page.getByRole('button', { name: 'Look at it' }));
    await click(page.getByRole('button', { name: 'Add integration' }));
    await click(page.getByRole('button', { name: 'MCP SDK' }));
    await click(page.getByRole('button', { name: 'Make a token' }));
    await page.getByText('callTool({ name: "').waitFor();
    const program = await copied(/^Copy MCP SDK/);
    const commands = await copied(/^Copy the commands/);
    const curl = await page.getByRole('region', { name: 'the call with curl' }).textContent();

    await mkdir(join(folder, 'program'));
    await writeFile(join(folder, 'program/first-call.mjs'), program);
    const printed = await inTerminal(commands);
    await page.getByText('A client has called').waitFor();
    process.stderr.write(`A newcomer: ${clicks} clicks, ${pasted} pasted blocks.\n`);
    expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
    expect(pasted).toBeLessThanOrEqual(MOST_PASTED_BLOCKS);

    const [, called = ''] = /callTool\({ name: "([^"]+)"/.exec(program) ?? [];
    expect(printed).toContain(called);
    expect(printed).toMatch(/type: 'text'/);
    expect(await inTerminal(curl ?? '')).toMatch(/"content":\[{"type":"text"/);
    expect(complaints).toEqual([]);
    await chromium.close();
  });
});

/** A program `npm` that installs what this repository has, without a registry. */
async function placeNpm(bin: string): Promise<void> {
  const require = createRequire(import.meta.url);
  const name = '@modelcontextprotocol/client';
  const installed = packageFolder(require.resolve(name), name);
  const npm = `#!/bin/sh
[ "$*" = "install ${name}" ] || exit 1
mkdir -p node_modules/@modelcontextprotocol
ln -s '${installed}' node_modules/${name}
`;
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, 'npm'), npm);
  await chmod(join(bin, 'npm'), 0o755);
}

function packageFolder(file: string, name: string): string {
  const folder = dirname(file);
  return folder.endsWith(name) ? folder : packageFolder(folder, name);
}
