/** The whole app at one address, with its own routes and guards: for pages whose point is where they lead. Calls go to the stub given. */
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { App } from '../App.tsx';
import { queryClient } from '../kernel/http/query.ts';
import { writeToken } from '../kernel/http/token.ts';
import { SessionProvider } from '../kernel/session/session.tsx';
import { ThemeProvider } from '../ui/theme/ThemeProvider.tsx';

interface Start {
  signedIn?: boolean;
  /** The key to somebody's account that the address has brought along. */
  session_id?: string;
  /** As after a reload: the tab keeps what it knows. */
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
