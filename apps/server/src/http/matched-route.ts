import type { Request } from 'express';

/**
 * The template of the route that has answered, such as `/connect/:secret`: nothing that the caller has sent.
 * Undefined where no route has matched.
 */
export function matchedRoute(req: Request): string | undefined {
  const { path }: { readonly path?: unknown } = req.route ?? {};
  const [requested = ''] = req.originalUrl.split('?', 1);
  return [path].flat().find((one): one is string => isTemplateOf(one, requested));
}

/** Express does not say which of a route's paths has matched. */
function isTemplateOf(path: unknown, requested: string): boolean {
  if (typeof path !== 'string') return false;
  const template = path.split('/');
  const segments = requested.split('/');
  const rest = template.findIndex((segment) => segment.startsWith('*'));
  if (rest === -1 && segments.length !== template.length) return false;
  const fixed = rest === -1 ? template : template.slice(0, rest);
  return fixed.every((segment, at) => segment.startsWith(':') || segment === segments[at]);
}
