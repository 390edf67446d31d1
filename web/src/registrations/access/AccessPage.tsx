/** Asking for WhatsApp or Viber: a draft that was begun is gone on with and what was sent back is mended; `?id=` names one, `?fresh=` begins another. */

import { ACCESS_FORMS } from '@parley/contract/channels/access.ts';
import type { AccessKind } from '@parley/contract/channels/access_kinds.ts';
import { listSenders } from '@parley/contract/senders/senders.ts';
import { Navigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useEndpoint } from '../../kernel/http/query.ts';
import { linkTo, REQUEST_PATHS } from '../../paths.ts';
import { SkeletonFields } from '../../ui/feedback/Skeletons.tsx';
import styles from '../Registrations.module.css';
import { Opened } from '../sms/RequestPage.tsx';
import { AccessWizard } from './AccessWizard.tsx';

export function AccessPage({ kind }: { kind: AccessKind }) {
  const { id, fresh } = useSearch({ strict: false }) as { id?: string; fresh?: string };
  if (id)
    return <Opened key={id} kind={kind} id={id} draw={(sender) => <AccessWizard kind={kind} sender={sender} />} />;
  return fresh ? <AccessWizard kind={kind} sender={null} /> : <Resumed kind={kind} />;
}

function Resumed({ kind }: { kind: AccessKind }) {
  const answer = useEndpoint(
    listSenders,
    {
      query: { page_size: 10, filter: { channel: ACCESS_FORMS[kind].channel, statuses: ['unregistered', 'rejected'] } },
    },
    { staleTime: 0 },
  );
  // What was there when the page was opened: one that this page begins is not gone on with a second time.
  const [settled, setSettled] = useState(false);
  const draft = settled ? undefined : answer.data?.data[0];
  if (draft && !answer.isFetching) return <Navigate {...linkTo(REQUEST_PATHS[kind], { id: draft.id })} replace />;
  if (!settled && !answer.isFetching) setSettled(true);
  return settled ? (
    <AccessWizard kind={kind} sender={null} />
  ) : (
    <main className={styles.alone} aria-busy="true">
      <SkeletonFields count={4} />
    </main>
  );
}
