import * as z from 'zod';

/** An id in a response: a lower-case UUID. */
export const idSchema = z.guid();

/** An id in a request: any UUID, converted to lower case. */
export const idParamSchema = z.guid('Must be a UUID.').toLowerCase();

/** Path parameters of every route that names one resource. */
export const idParamsSchema = z.object({ id: idParamSchema });
