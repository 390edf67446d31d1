/**
 * Requests access to WhatsApp or Viber. Opens an existing draft or rejected request; `?id=` selects one, `?fresh=`
 * starts another.
 */

import { ACCESS_FORMS } from '@parley/contract/channels/access.ts';
import type { AccessKind } from '@parley/contract/channels/access_kinds.ts';
import { listSenders } from '@parley/contract/senders/senders.ts';
import { Navigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useEndpoint } from '../../kernel/http/query.ts';
import { linkTo, REQUEST_PATHS } from '../../paths.ts';
import { SkeletonFields } from '../../ui/feedback/Skeletons.tsx';
import styles from '../Registrations.module.css';
import { OpenRequest } from '../sms/RequestPage.tsx';
import { AccessWizard } from './AccessWizard.tsx';

export function AccessPage({ kind }: { kind: AccessKind }) {
  const { id, fresh } = useSearch({ strict: false }) as { id?: string; fresh?: string };
  if (id)
    return <OpenRequest key={id} kind={kind} id={id} draw={(sender) => <AccessWizard kind={kind} sender={sender} />} />;
  return fresh ? <AccessWizard kind={kind} sender={null} /> : <ResumedRequest kind={kind} />;
}

function ResumedRequest({ kind }: { kind: AccessKind }) {
  const query = useEndpoint(
    listSenders,
    {
      query: { page_size: 10, filter: { channel: ACCESS_FORMS[kind].channel, statuses: ['unregistered', 'rejected'] } },
    },
    { staleTime: 0 },
  );
  // The page resumes only a draft that existed before it opened, not the draft that it creates.
  const [settled, setSettled] = useState(false);
  const draft = settled ? undefined : query.data?.data[0];
  if (draft && !query.isFetching) return <Navigate {...linkTo(REQUEST_PATHS[kind], { id: draft.id })} replace />;
  if (!settled && !query.isFetching) setSettled(true);
  return settled ? (
    <AccessWizard kind={kind} sender={null} />
  ) : (
    <main className={styles.alone} aria-busy="true">
      <SkeletonFields count={4} />
    </main>
  );
}
