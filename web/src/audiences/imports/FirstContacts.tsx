import { ActionIcon } from '@mantine/core';
import type { AudienceImport } from '@parley/contract/audiences/imports.ts';
import { IconAlertTriangle, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { formatNumber } from '../../ui/data/format.ts';
import { countryName, useNumberReader } from '../numbers.ts';
import styles from './Create.module.css';
import type { Choice } from './choice.ts';
import { contactOf, FIELD_LABELS } from './mapping.ts';

/** The first rows as the contacts they would become, one at a time. */
export function FirstContacts({ preview, choice }: { preview: AudienceImport['preview']; choice: Choice }) {
  const [at, setAt] = useState(0);
  const read = useNumberReader();
  const rows = preview.sample_rows;
  const index = Math.min(at, rows.length - 1);
  const contact = contactOf(choice.columns, rows[index] ?? []);
  const number = contact.number ? read(contact.number, choice.default_country) : null;
  const name = `${contact.first_name} ${contact.last_name}`.trim();
  return (
    <div className={styles.preview}>
      <div className={styles.stepper}>
        <ActionIcon aria-label="Previous row" disabled={index <= 0} onClick={() => setAt(index - 1)}>
          <IconChevronLeft size={16} aria-hidden />
        </ActionIcon>
        <span className="tabular" role="status">
          Row {formatNumber(index + 1)} of {formatNumber(preview.row_count)}
        </span>
        <ActionIcon aria-label="Next row" disabled={index >= rows.length - 1} onClick={() => setAt(index + 1)}>
          <IconChevronRight size={16} aria-hidden />
        </ActionIcon>
      </div>
      <article className={styles.card} aria-label="The contact it becomes">
        <span className={styles.avatar} aria-hidden>
          {(contact.first_name || contact.last_name || '#').slice(0, 1).toUpperCase()}
        </span>
        <p className={styles.person}>{name || <span className={styles.nothing}>No name</span>}</p>
        {number ? (
          <p className={styles.number}>
            {number.text}
            <span className={styles.country}>{countryName(number.country)}</span>
          </p>
        ) : (
          <p className={styles.refused} data-unknown={number === undefined || undefined}>
            {number === undefined ? (
              contact.number
            ) : (
              <>
                <IconAlertTriangle size={15} aria-hidden />
                {contact.number ? `${contact.number} is not a phone number` : 'No phone number'}: refused
              </>
            )}
          </p>
        )}
        <dl className={styles.customs}>
          {(['custom1', 'custom2'] as const).map((field) => (
            <div key={field}>
              <dt>{FIELD_LABELS[field]}</dt>
              <dd>{contact[field] || '\u2013'}</dd>
            </div>
          ))}
        </dl>
      </article>
      <p className={styles.hint}>
        Every row is checked when it is imported. Refused ones are kept in a file with the reason.
      </p>
    </div>
  );
}
