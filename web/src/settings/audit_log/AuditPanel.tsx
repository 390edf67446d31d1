import type { AuditEntry } from '@parley/contract/accounts/audit_log.ts';
import { CopyId } from '../../ui/data/CopyId.tsx';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { Fields, SidePanel } from '../../ui/layout/SidePanel.tsx';
import { actorWord, auditTitle, detailLines } from './audit_words.ts';

export function AuditPanel({ entry, onClose }: { entry: AuditEntry | null; onClose: () => void }) {
  return (
    <SidePanel
      open={entry !== null}
      onClose={onClose}
      title={entry ? auditTitle(entry.action) : ''}
      description={entry && <DateTime value={entry.create_date} />}
    >
      {entry && (
        <Fields
          fields={[
            {
              label: 'By',
              value: entry.real_user_id ? `${actorWord(entry)}, in another’s name` : actorWord(entry),
            },
            ...(entry.target_name ? [{ label: 'To', value: entry.target_name }] : []),
            ...detailLines(entry.detail).map(({ label, text }) => ({ label, value: text })),
            { label: 'Address', value: entry.address || '–' },
            { label: 'Device', value: entry.agent || '–' },
            { label: 'Request', value: entry.request_id ? <CopyId value={entry.request_id} /> : '–' },
            { label: 'Entry', value: <CopyId value={entry.id} /> },
          ]}
        />
      )}
    </SidePanel>
  );
}
