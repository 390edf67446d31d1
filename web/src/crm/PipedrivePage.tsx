/**
 * The callback page of the app at Pipedrive. Its panels show it in a frame, with a signed token. After a person has
 * allowed the connection, Pipedrive opens it with a code.
 */
import { Suspense } from 'react';
import { isFramed } from '../kernel/http/token.ts';
import { lazyPart } from '../ui/feedback/lazy_part.ts';
import { Loading } from '../ui/layout/Loading.tsx';
import { ConnectPage } from './ConnectPage.tsx';

const PanelPage = lazyPart(() => import('./panel/PanelPage.tsx'));

export default function PipedrivePage() {
  const isPanel = isFramed() || new URLSearchParams(window.location.search).has('token');
  return isPanel ? (
    <Suspense fallback={<Loading />}>
      <PanelPage />
    </Suspense>
  ) : (
    <ConnectPage provider="pipedrive" endpoint={connectEndpoint} />
  );
}

const connectEndpoint = async () => (await import('@parley/contract/crm/pipedrive.ts')).connectPipedrive;
