export { settings as default } from '../../vitest.config.ts';
