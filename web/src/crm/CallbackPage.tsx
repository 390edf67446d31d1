/** The page to which a CRM sends people back after they have allowed the connection. */
import { CRM_LABELS, CRMS, type CrmName } from '@parley/contract/crm/crm.ts';
import { useParams } from '@tanstack/react-router';
import { ConnectPage } from './ConnectPage.tsx';

const connectEndpoint = async () => (await import('@parley/contract/crm/crm.ts')).connectCrm;

export default function CallbackPage() {
  const { provider = '' } = useParams({ strict: false }) as { provider?: string };
  const name = (Object.hasOwn(CRM_LABELS, provider) ? provider : CRMS[0]) as CrmName;
  return <ConnectPage provider={name} endpoint={connectEndpoint} />;
}
