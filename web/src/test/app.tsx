/** The whole app at one address, with its own routes and guards: for pages whose point is where they lead. Calls go to the stub given. */
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { App } from '../App.tsx';
import { queryClient } from '../kernel/query.ts';
import { SessionProvider } from '../kernel/session.tsx';
import { writeToken } from '../kernel/token.ts';
import { Look } from '../ui/theme/Look.tsx';

export function drawApp(address: string, { signedIn = false }: { signedIn?: boolean } = {}) {
  queryClient.clear();
  sessionStorage.clear();
  if (signedIn) writeToken('test-token');
  window.history.replaceState(null, '', address);
  return render(
    <Look>
      <QueryClientProvider client={queryClient}>
        <SessionProvider>
          <App />
        </SessionProvider>
      </QueryClientProvider>
    </Look>,
  );
}
