import ipaddr from 'ipaddr.js';
import { z } from 'zod';

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** RFC 6750, section 2.1; the length makes it hard to guess. */
const BEARER = /^[A-Za-z0-9._~+/-]{32,}=*$/;

const KEY = /^([A-Za-z0-9._-]{1,64}):([A-Za-z0-9+/]{43}=)$/;

/** The names of address ranges that Express's `trust proxy` setting accepts. */
const PROXY_NAMES = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** A decimal integer within bounds. */
export function integer(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .refine((value) => value >= min && value <= max);
}

/** Milliseconds, written as `90s`, `5m`, `24h`. */
export const duration = z
  .string()
  .regex(/^\d{1,9}(?:ms|s|m|h|d)$/)
  .transform((text) => {
    const unit = text.replace(/\d+/, '') as keyof typeof UNITS;
    return Number.parseInt(text, 10) * UNITS[unit];
  })
  .refine((milliseconds) => milliseconds > 0);

export const bearer = z.string().regex(BEARER);

/** An http or https origin. A trailing slash is removed. */
export const origin = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.href === `${url.origin}/` &&
    !text.includes('@') &&
    !/[?#]/.test(text);
  if (isOrigin) return url.origin;
  context.addIssue({ code: 'custom', message: 'not an origin' });
  return z.NEVER;
});

/** The issuer of an OpenID provider, as it spells itself (OpenID Connect Discovery 1.0, section 3). */
export const issuer = z.string().refine((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && !/[?#@]/.test(text);
});

/** The domain of emails, in lower case. */
export const domain = z
  .string()
  .toLowerCase()
  .regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/);

export const onOrOff = z.enum(['on', 'off']).transform((text) => text === 'on');

export const postgresqlUrl = z
  .string()
  .refine((text) => URL.canParse(text) && /^postgres(?:ql)?:$/.test(new URL(text).protocol));

export const network = z
  .string()
  .refine((text) => ipaddr.isValidCIDR(text) || ipaddr.isValid(text));

export const proxy = z
  .string()
  .refine((text) => PROXY_NAMES.has(text) || network.safeParse(text).success);

/** `id:base64`, where the key is 32 bytes long. */
const encryptionKey = z
  .string()
  .regex(KEY)
  .transform((text) => {
    const [id = '', base64 = ''] = text.split(':');
    return { id, key: Buffer.from(base64, 'base64') };
  });

/** Items separated by commas. Spaces around an item are ignored. */
export function listOf<T>(item: z.ZodType<T, string>) {
  return z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(item));
}

export const encryptionKeys = listOf(encryptionKey).refine(
  (keys) => new Set(keys.map(({ id }) => id)).size === keys.length,
);
