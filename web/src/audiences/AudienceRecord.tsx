/** Loads a page's audience. Shows "not found" or an error with a Retry button if it cannot be loaded. */
import { type Audience, getAudience } from '@parley/contract/audiences/audiences.ts';
import { IconUsers } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useEndpoint } from '../kernel/http/query.ts';
import { RecordPage } from '../kernel/record/RecordPage.tsx';
import { AUDIENCES } from '../paths.ts';

export function AudienceRecord({ id, children }: { id: string; children: (audience: Audience) => ReactNode }) {
  const query = useEndpoint(getAudience, { params: { id } });
  return (
    <RecordPage query={query} noun="audience" icon={IconUsers} list={{ to: AUDIENCES, label: 'All audiences' }}>
      {children}
    </RecordPage>
  );
}
