import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { takeFragment } from './auth/sign_in/fragment.ts';
import { takeSessionId } from './kernel/http/entry.ts';
import { queryClient } from './kernel/http/query.ts';
import { readToken } from './kernel/http/token.ts';
import { PageLoadError } from './kernel/session/lazy_page.tsx';
import { normalizeAddress } from './kernel/session/routes.tsx';
import { SessionProvider } from './kernel/session/session.tsx';
import { styleNonce } from './kernel/trusted.ts';
import { restoreBrand } from './ui/brand.ts';
import { ThemeProvider } from './ui/theme/ThemeProvider.tsx';

normalizeAddress();
takeFragment();
const session_id = takeSessionId();
if (readToken()) restoreBrand();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

// The page shows this error; it is expected while the server cannot be reached.
const onCaughtError = (error: unknown) => {
  if (!(error instanceof PageLoadError)) console.error(error);
};

createRoot(root, { onCaughtError }).render(
  <StrictMode>
    <ThemeProvider nonce={styleNonce}>
      <QueryClientProvider client={queryClient}>
        <SessionProvider session_id={session_id}>
          <App />
        </SessionProvider>
      </QueryClientProvider>
    </ThemeProvider>
  </StrictMode>,
);
