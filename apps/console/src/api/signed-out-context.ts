import { createContext } from 'react';

/** While the browser is signed out and a form is begun: what goes on after signing in. */
export const SignedOutContext = createContext<(() => void) | undefined>(undefined);
