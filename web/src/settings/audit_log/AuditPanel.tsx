import type { AuditEntry } from '@parley/contract/accounts/audit_log.ts';
import { CopyId } from '../../ui/data/CopyId.tsx';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { Fields, SidePanel } from '../../ui/layout/SidePanel.tsx';
import { actionTitle, actorLabel, detailRows } from './audit_words.ts';

export function AuditPanel({ entry, onClose }: { entry: AuditEntry | null; onClose: () => void }) {
  return (
    <SidePanel
      open={entry !== null}
      onClose={onClose}
      title={entry ? actionTitle(entry.action) : ''}
      description={entry && <DateTime value={entry.create_date} />}
      recordId={entry?.id}
    >
      {entry && (
        <Fields
          fields={[
            {
              label: 'By',
              value: entry.real_user_id ? `${actorLabel(entry)}, as another user` : actorLabel(entry),
            },
            ...(entry.target_name ? [{ label: 'Target', value: entry.target_name }] : []),
            ...detailRows(entry.detail).map(({ label, text }) => ({ label, value: text })),
            { label: 'IP address', value: entry.address || '–' },
            { label: 'Device', value: entry.agent || '–' },
            { label: 'Request ID', value: entry.request_id ? <CopyId value={entry.request_id} /> : '–' },
          ]}
        />
      )}
    </SidePanel>
  );
}
