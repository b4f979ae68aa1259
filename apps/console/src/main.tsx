import './styles/fonts.css';
import './styles/console.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client.ts';
import { router } from './router.tsx';
import { applyTheme, storedTheme } from './shell/theme.ts';

applyTheme(storedTheme());

// The content security policy allows no code from text, which zod would otherwise try to make. Views load zod later, and
// it reads its configuration here.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

// `npm run console:demo` alone: a build holds no mocks.
if (import.meta.env.MODE === 'demo') await (await import('../demo/start.ts')).startDemo();

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root.');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
