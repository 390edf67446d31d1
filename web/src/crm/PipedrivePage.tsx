/**
 * The callback page for CRM apps. The CRM opens it with a code after a person has allowed the connection. The panels
 * of Pipedrive show it in a frame, with a signed token.
 */
import { CRM_LABELS, CRMS, type CrmName } from '@parley/contract/crm/crm.ts';
import { useParams } from '@tanstack/react-router';
import { Suspense } from 'react';
import { isFramed } from '../kernel/http/token.ts';
import { lazyPart } from '../ui/feedback/lazy_part.ts';
import { Loading } from '../ui/layout/Loading.tsx';
import { ConnectPage } from './ConnectPage.tsx';

const PanelPage = lazyPart(() => import('./panel/PanelPage.tsx'));

export default function PipedrivePage() {
  const { provider } = useParams({ strict: false }) as { provider?: string };
  const isPanel = !provider && (isFramed() || new URLSearchParams(window.location.search).has('token'));
  const name = (provider && Object.hasOwn(CRM_LABELS, provider) ? provider : CRMS[0]) as CrmName;
  return isPanel ? (
    <Suspense fallback={<Loading />}>
      <PanelPage />
    </Suspense>
  ) : (
    <ConnectPage provider={name} endpoint={connectEndpoint} />
  );
}

const connectEndpoint = async () => (await import('@parley/contract/crm/crm.ts')).connectCrm;
