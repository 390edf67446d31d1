/** The changes that the sync would make. */

import type { CrmPreview, CrmPreviewRow } from '@parley/contract/crm/sync.ts';
import { brandName } from '../../../ui/brand.ts';
import { formatCount, formatNumber } from '../../../ui/data/format.ts';
import settings from '../../Settings.module.css';
import styles from './Sync.module.css';

const CHANGES: Readonly<Record<CrmPreviewRow['change'], (label: string) => string>> = {
  add_to_parley: () => `Add to ${brandName()}`,
  update_parley: () => `Change in ${brandName()}`,
  add_to_crm: (label) => `Add to ${label}`,
  update_crm: (label) => `Change in ${label}`,
};

export function Preview({ preview, label }: { preview: CrmPreview; label: string }) {
  const counts = [
    [`Add to ${brandName()}`, preview.add_to_parley_count],
    [`Change in ${brandName()}`, preview.update_parley_count],
    [`Add to ${label}`, preview.add_to_crm_count],
    [`Change in ${label}`, preview.update_crm_count],
    ['No phone number', preview.without_number_count],
    ['Duplicate number', preview.duplicate_count],
  ] as const;
  return (
    <section className={settings.state} aria-label="Preview">
      <p className={settings.hint}>
        {preview.is_complete ? 'Read' : 'Read the first'} {formatCount(preview.records_count, 'record')} in {label}
        {' and '}
        {formatCount(preview.contacts_count, 'contact')} in the audience. Nothing has been changed.
      </p>
      <dl className={styles.figures}>
        {counts.map(([title, count]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{formatNumber(count)}</dd>
          </div>
        ))}
      </dl>
      {preview.rows.length > 0 && (
        <ul className={settings.rows} aria-label="Examples">
          {preview.rows.map((row) => (
            <li key={`${row.change} ${row.number}`}>
              <span className={settings.rowText}>
                <bdi className={settings.rowName}>{row.name || `+${row.number}`}</bdi>
                <span className={styles.changes}>
                  {row.fields.map((field) => (
                    <span key={field.label}>
                      {field.label}: {field.before || 'empty'} → {field.after || 'empty'}
                    </span>
                  ))}
                </span>
              </span>
              <span className={settings.hint}>{CHANGES[row.change](label)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
