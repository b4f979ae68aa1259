import * as z from 'zod';

/** The schemas that have a name in the OpenAPI document, and what it says of them. */
export const components = z.registry<{ id: string; description?: string }>();
