import { ActionIcon } from '@mantine/core';
import type { AudienceImport } from '@parley/contract/audiences/imports.ts';
import { IconAlertTriangle, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { formatNumber } from '../../ui/data/format.ts';
import { countryName, useNumberReader } from '../numbers.ts';
import styles from './Create.module.css';
import type { Choice } from './choice.ts';
import { FIELD_LABELS, toContact } from './mapping.ts';

/** Previews the first rows of the file as contacts, one at a time. */
export function ContactPreview({ preview, choice }: { preview: AudienceImport['preview']; choice: Choice }) {
  const [position, setPosition] = useState(0);
  const read = useNumberReader();
  const rows = preview.sample_rows;
  const index = Math.min(position, rows.length - 1);
  const contact = toContact(choice.columns, rows[index] ?? []);
  const number = contact.number ? read(contact.number, choice.default_country) : null;
  const name = `${contact.first_name} ${contact.last_name}`.trim();
  return (
    <div className={styles.preview}>
      <div className={styles.stepper}>
        <ActionIcon aria-label="Previous row" disabled={index <= 0} onClick={() => setPosition(index - 1)}>
          <IconChevronLeft size={16} aria-hidden />
        </ActionIcon>
        <span className="tabular" role="status">
          Row {formatNumber(index + 1)} of {formatNumber(preview.row_count)}
        </span>
        <ActionIcon aria-label="Next row" disabled={index >= rows.length - 1} onClick={() => setPosition(index + 1)}>
          <IconChevronRight size={16} aria-hidden />
        </ActionIcon>
      </div>
      <article className={styles.card} aria-label="Contact preview">
        <span className={styles.avatar} aria-hidden>
          {(contact.first_name || contact.last_name || '#').slice(0, 1).toUpperCase()}
        </span>
        <p className={styles.person} dir="auto">
          {name || <span className={styles.empty}>No name</span>}
        </p>
        {number ? (
          <p className={styles.number}>
            {number.text}
            <span className={styles.country}>{countryName(number.country)}</span>
          </p>
        ) : (
          <p className={styles.skipped} data-unknown={number === undefined || undefined}>
            {number === undefined ? (
              contact.number
            ) : (
              <>
                <IconAlertTriangle size={15} aria-hidden />
                {contact.number ? `${contact.number} is not a phone number` : 'No phone number'}: skipped
              </>
            )}
          </p>
        )}
        <dl className={styles.customs}>
          {(['custom1', 'custom2'] as const).map((field) => (
            <div key={field}>
              <dt>{FIELD_LABELS[field]}</dt>
              <dd dir="auto">{contact[field] || '\u2013'}</dd>
            </div>
          ))}
        </dl>
      </article>
      <p className={styles.hint}>
        Every row is checked during the import. Texts that are too long are shortened. Skipped rows are listed with the
        reasons.
      </p>
    </div>
  );
}
