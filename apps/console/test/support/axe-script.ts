import axe from 'axe-core';

/** Where the site of the tests has axe, which the built console does not. */
export const AXE_PATH = '/console/assets/axe.js';

export const axeScript: string = axe.source;
