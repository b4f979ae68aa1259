import { relative } from 'node:path';
import { root, workspacePackages } from './workspace.mjs';

/**
 * Why packages cannot be published with provenance, in a sentence each: the registry accepts a
 * statement of provenance only if the package names the repository it was built from.
 */
export function provenanceErrors() {
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
