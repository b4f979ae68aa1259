/**
 * Sent with every relayed response and every refusal of a call: nothing an upstream sends may act in
 * a browser as if it came from our origin. As name, value.
 */
export const sandboxHeader = ['Content-Security-Policy', "sandbox; default-src 'none'"] as const;
