/** The pages of SMPP accounts. They are one chunk, because every chunk has a line in the first page. */
import { useLocation, useParams } from '@tanstack/react-router';
import { CREATE_SMPP_ACCOUNT } from './addresses.ts';
import { CreateSmppAccountPage } from './CreateSmppAccountPage.tsx';
import { SmppAccountPage } from './SmppAccountPage.tsx';
import { SmppAccountsPage } from './SmppAccountsPage.tsx';

export default function SmppPages() {
  const { id } = useParams({ strict: false }) as { id?: string };
  const path = useLocation({ select: ({ pathname }) => pathname });
  if (id !== undefined) return <SmppAccountPage />;
  return path === CREATE_SMPP_ACCOUNT ? <CreateSmppAccountPage /> : <SmppAccountsPage />;
}
