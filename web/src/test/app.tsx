/** Renders the whole app at a path, with its routes and guards, for navigation tests. Requests go to the stub. */
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { App } from '../App.tsx';
import { queryClient } from '../kernel/http/query.ts';
import { writeToken } from '../kernel/http/token.ts';
import { SessionProvider } from '../kernel/session/session.tsx';
import { ThemeProvider } from '../ui/theme/ThemeProvider.tsx';

interface Start {
  signedIn?: boolean;
  /** The key of an impersonated session in the URL. */
  session_id?: string;
  /** Keeps the tab's storage, as a reload does. */
  keepTab?: boolean;
}

export function drawApp(address: string, { signedIn = false, session_id, keepTab = false }: Start = {}) {
  queryClient.clear();
  if (!keepTab) sessionStorage.clear();
  if (signedIn) writeToken('test-token');
  window.history.replaceState(null, '', address);
  return render(
    <ThemeProvider>
      <QueryClientProvider client={queryClient}>
        <SessionProvider session_id={session_id ?? null}>
          <App />
        </SessionProvider>
      </QueryClientProvider>
    </ThemeProvider>,
  );
}
