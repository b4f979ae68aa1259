import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from './run-command.ts';
import { type TarballContent, withTarball } from './tarball.ts';

const tools = fileURLToPath(new URL('../../node_modules/.bin', import.meta.url));

/** Options of {@link publishingFaults}. */
export interface PublishingOptions {
  /**
   * Entries that module resolution as in Node 10 need not find, such as `openapi.json`: it finds files
   * by their paths only.
   */
  readonly newerThanNode10?: readonly string[];
}

/**
 * What is wrong with a tarball that is to be published, each as a sentence or the output of a tool:
 * publint, types that some way of module resolution does not find, files that are missing or do not
 * belong there, source maps without sources, links that lead nowhere, and dependencies or exports that
 * only work inside the workspace.
 */
export function publishingFaults(
  tarball: string,
  { newerThanNode10 = [] }: PublishingOptions = {},
): Promise<string[]> {
  return withTarball(tarball, async (content) => {
    const hasTypes = content.manifest.types !== undefined;
    const found = await Promise.all([
      toolFaults('publint', [tarball, '--strict'], 'All good!'),
      hasTypes ? toolFaults('attw', attwArgs(tarball, newerThanNode10), 'No problems found') : [],
      mapFaults(content),
      linkFaults(content),
    ]);
    return [...found.flat(), ...fileFaults(content), ...manifestFaults(content)];
  });
}

function attwArgs(tarball: string, excluded: readonly string[]): string[] {
  const exclude = excluded.length > 0 ? ['--exclude-entrypoints', ...excluded] : [];
  return [tarball, '--no-emoji', ...exclude];
}

async function toolFaults(tool: string, args: string[], verdict: string): Promise<string[]> {
  const { code, output } = await runCommand(join(tools, tool), args, { cwd: tmpdir() });
  return code === 0 && output.includes(verdict) ? [] : [`${tool}:\n${output}`];
}

const REQUIRED = ['README.md', 'LICENSE', 'CHANGELOG.md'];
const UNWANTED =
  /(^|\/)(test|test-d|fixtures|node_modules|\.env)(\/|$)|\.(test|examples)\.[cm]?ts$/;

function fileFaults({ files }: TarballContent): string[] {
  return [
    ...REQUIRED.filter((name) => !files.includes(name)).map((name) => `${name} is missing.`),
    ...files.filter((name) => UNWANTED.test(name)).map((name) => `${name} does not belong here.`),
  ];
}

/** A source is present if the map contains its text or the package contains the file. */
async function mapFaults({ files, read }: TarballContent): Promise<string[]> {
  const isFile = (map: string, source: string) => files.includes(join(dirname(map), source));
  const maps = files.filter((name) => name.endsWith('.map'));
  const faults = maps.map(async (name) => {
    const { sources, sourcesContent = [] }: SourceMap = JSON.parse(await read(name));
    return sources
      .filter((source, index) => (sourcesContent[index] ?? null) === null && !isFile(name, source))
      .map((source) => `${name} refers to ${source}, which is not there.`);
  });
  return (await Promise.all(faults)).flat();
}

/** Links from the README to files: its readers have the package and nothing else. */
async function linkFaults({ files, read }: TarballContent): Promise<string[]> {
  const readme = files.includes('README.md') ? await read('README.md') : '';
  return [...readme.matchAll(/\]\((?![a-z]+:|#)([^)#]+)[^)]*\)/g)]
    .map(([, path = '']) => path)
    .filter((path) => !files.includes(path))
    .map((path) => `README.md links to ${path}, which is not there.`);
}

interface SourceMap {
  readonly sources: readonly string[];
  readonly sourcesContent?: readonly (string | null)[];
}

function manifestFaults({ manifest }: TarballContent): string[] {
  const {
    license,
    publishConfig,
    exports = {},
    dependencies = {},
    peerDependencies = {},
  } = manifest;
  const faults: string[] = [];
  if (license !== 'Apache-2.0') faults.push('The license is not Apache-2.0.');
  const { access, provenance }: Record<string, unknown> = Object(publishConfig);
  if (access !== 'public' || provenance !== true) {
    faults.push('publishConfig does not say access public and provenance true.');
  }
  if (JSON.stringify(exports).includes('/src/')) faults.push('An export leads to sources.');
  for (const [name, range] of Object.entries({
    ...Object(dependencies),
    ...Object(peerDependencies),
  })) {
    if (/^(workspace|catalog|file|link):/.test(String(range))) {
      faults.push(`The dependency ${name} has the range ${range}.`);
    }
  }
  return faults;
}
