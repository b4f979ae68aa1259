import { referencePage } from '../../.vitepress/reference/reference-page.ts';
import { resources } from '../../.vitepress/reference/resources.ts';

/** A page for each resource of the OpenAPI document. */
export default {
  paths: () =>
    resources().map((resource) => ({ params: { resource }, content: referencePage(resource) })),
};
