import { relative } from 'node:path';
import { root, workspacePackages } from './workspace.mjs';

/**
 * Why the published packages have no provenance yet, a sentence for each: the registry accepts a
 * statement of provenance only when the package names the repository that it was built from.
 */
export function repositoryFaults() {
  return workspacePackages()
    .filter(({ isPrivate }) => !isPrivate)
    .flatMap(({ name, dir, repository }) => {
      const folder = relative(root, dir);
      if (typeof repository?.url !== 'string' || repository.url === '') {
        return [
          `${name} cannot be published with provenance: ${folder}/package.json has no "repository" with a "url".`,
        ];
      }
      if (repository.directory === folder) return [];
      return [
        `${name} cannot be published with provenance: "repository.directory" in ${folder}/package.json must be "${folder}".`,
      ];
    });
}
