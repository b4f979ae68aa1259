import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** The packages of the workspace, each after those it depends on. */
export function workspacePackages() {
  const found = ['packages', 'apps']
    .flatMap((group) => readdirSync(join(root, group)).map((folder) => join(root, group, folder)))
    .concat(join(root, 'examples'), join(root, 'docs'))
    .filter((dir) => existsSync(join(dir, 'package.json')))
    .map((dir) => ({ dir, ...readManifest(dir) }));
  const sorted = [];
  const visit = (member) => {
    if (sorted.includes(member)) return;
    for (const name of member.uses) {
      const used = found.find((other) => other.name === name);
      if (used) visit(used);
    }
    sorted.push(member);
  };
  found.forEach(visit);
  return sorted;
}

function readManifest(dir) {
  const manifest = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
  const dependencies = { ...manifest.dependencies, ...manifest.devDependencies };
  return {
    name: manifest.name,
    isPrivate: manifest.private === true,
    repository: manifest.repository,
    scripts: manifest.scripts ?? {},
    uses: Object.keys(dependencies).filter((name) => dependencies[name].startsWith('workspace:')),
  };
}
