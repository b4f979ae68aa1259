import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mustRun, runCommand } from '../../src/index.ts';

const repository = fileURLToPath(new URL('../../../../', import.meta.url));
const PUBLISHED = [
  'packages/contract',
  'packages/mocks',
  'packages/sdk',
  'packages/testing',
  'apps/server',
];

/** A copy of what a release looks at: manifests, changelogs, scripts, configuration. */
let copy: string;

const readManifest = async (folder: string) =>
  JSON.parse(await readFile(join(copy, folder, 'package.json'), 'utf8'));

async function folders(): Promise<string[]> {
  const groups = ['packages', 'apps'].map(async (group) =>
    (await readdir(join(repository, group))).map((name) => join(group, name)),
  );
  return [...(await Promise.all(groups)).flat(), 'examples'];
}

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'gatehouse-release-'));
  const files = ['package.json', 'pnpm-workspace.yaml', '.changeset', 'scripts'];
  for (const folder of await folders()) files.push(join(folder, 'package.json'));
  for (const folder of PUBLISHED) files.push(join(folder, 'CHANGELOG.md'));
  for (const file of files) await cp(join(repository, file), join(copy, file), { recursive: true });
  await symlink(join(repository, 'node_modules'), join(copy, 'node_modules'));
  await mustRun('git', ['init', '--quiet', '--initial-branch=main'], { cwd: copy });
});

afterAll(() => rm(copy, { recursive: true }));

describe('a change of one package', () => {
  it('gives all published packages the next version, and its text to the changelog', async () => {
    const { version } = await readManifest('packages/sdk');
    const text = 'Lists can be counted: `list().count()` asks for no items.';
    await writeFile(
      join(copy, '.changeset/a-change.md'),
      `---\n'@gatehouse/sdk': minor\n---\n\n${text}\n`,
    );
    await mustRun('npm', ['run', '--silent', 'version-packages'], { cwd: copy });

    const manifests = await Promise.all(PUBLISHED.map(readManifest));
    const [major, minor] = version.split('.').map(Number);
    const next = `${major}.${minor + 1}.0`;
    expect(manifests.map((manifest) => manifest.version)).toEqual(PUBLISHED.map(() => next));
    expect(manifests[1].dependencies['@gatehouse/contract']).toBe('workspace:*');

    const changelog = await readFile(join(copy, 'packages/sdk/CHANGELOG.md'), 'utf8');
    expect(changelog).toContain(`## ${next}\n`);
    expect(changelog).toContain(text);
    expect(changelog).toContain(`## ${version}\n`);
  });

  it('leaves the packages that are not published as they are', async () => {
    const others = (await folders()).filter((folder) => !PUBLISHED.includes(folder));
    for (const folder of others) {
      const { private: isPrivate, version } = await readManifest(folder);
      const before = await readFile(join(repository, folder, 'package.json'), 'utf8');
      expect([folder, isPrivate, version]).toEqual([folder, true, JSON.parse(before).version]);
    }
  });
});

describe('a release', () => {
  const check = () =>
    runCommand(process.execPath, ['scripts/release.mjs', '--check'], { cwd: copy });

  async function setRepository(value: (folder: string) => unknown): Promise<void> {
    for (const folder of PUBLISHED) {
      const manifest = { ...(await readManifest(folder)), repository: value(folder) };
      await writeFile(join(copy, folder, 'package.json'), JSON.stringify(manifest));
    }
  }

  it('is refused while a package does not say where it was built', async () => {
    await setRepository(() => undefined);
    const { code, output } = await check();
    expect(code).toBe(1);
    for (const folder of PUBLISHED) {
      expect(output).toContain(`${folder}/package.json has no "repository" with a "url".`);
    }
    expect(output).toContain('Nothing was published.');
  });

  it('is refused when the folder in the repository is another', async () => {
    const url = 'git+https://git.example.com/gatehouse.git';
    await setRepository(() => ({ type: 'git', url, directory: 'packages/sdk' }));
    const { code, output } = await check();
    expect(code).toBe(1);
    expect(output).toContain('packages/contract/package.json must be "packages/contract".');
    expect(output).not.toContain('packages/sdk/package.json must');
  });

  it('is allowed when all of them say it', async () => {
    const url = 'git+https://git.example.com/gatehouse.git';
    await setRepository((directory) => ({ type: 'git', url, directory }));
    expect(await check()).toEqual({ code: 0, output: '' });
  });

  it('is called by the workflow with the right to state its provenance', async () => {
    const file = join(repository, '.github/workflows/release.yml');
    const workflow = await readFile(file, 'utf8');
    expect(workflow).toContain('id-token: write');
    expect(workflow).toContain('run: npm run release\n');
    const scripts = [...workflow.matchAll(/run: npm run ([\w-]+)/g)].map(([, name]) => name);
    const manifest = JSON.parse(await readFile(join(dirname(file), '../../package.json'), 'utf8'));
    for (const name of scripts) expect(manifest.scripts).toHaveProperty([name ?? '']);
  });
});

describe('the bill of materials', () => {
  it('names the server and all that is installed with it, each with its version', async () => {
    const file = join(copy, 'gatehouse.cdx.json');
    await mustRun(process.execPath, ['scripts/sbom.mjs', file], { cwd: repository });
    const { bomFormat, metadata, components } = JSON.parse(await readFile(file, 'utf8'));
    expect([bomFormat, metadata.component.name]).toEqual(['CycloneDX', 'gatehouse']);
    const versions = new Map<string, string>(
      components.map(({ name, version }: Record<'name' | 'version', string>) => [name, version]),
    );
    const { dependencies } = JSON.parse(
      await readFile(join(repository, 'apps/server/package.json'), 'utf8'),
    );
    for (const name of ['@gatehouse/server', ...Object.keys(dependencies)]) {
      expect(versions.get(name), name).toMatch(/^\d+\.\d+\.\d+/);
    }
    expect([...versions.keys()]).not.toContain('vitest');
  }, 500_000);
});
