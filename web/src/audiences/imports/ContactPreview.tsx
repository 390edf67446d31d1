import { ActionIcon } from '@mantine/core';
import type { AudienceImport } from '@parley/contract/audiences/imports.ts';
import { ID_CHANNELS, idColumn } from '@parley/contract/channels/person_ids.ts';
import { IconAlertTriangle, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { formatNumber } from '../../ui/data/format.ts';
import { countryName, useNumberReader } from '../numbers.ts';
import { useContactFields } from '../people/contact_fields.ts';
import styles from './Create.module.css';
import type { Choice } from './choice.ts';
import { targets, toContact } from './mapping.ts';

/** A person without a number is imported by an ID. */
const noNumber = (id: string | undefined): string => (id ? `No phone number: ${id}` : 'No phone number: skipped');

/** Previews the first rows of the file as contacts, one at a time. */
export function ContactPreview({ preview, choice }: { preview: AudienceImport['preview']; choice: Choice }) {
  const [position, setPosition] = useState(0);
  const read = useNumberReader();
  const rows = preview.sample_rows;
  const index = Math.min(position, rows.length - 1);
  const row = rows[index] ?? [];
  const contact = toContact(choice.columns, row);
  const cell = (name: string) => row[choice.columns[name] ?? -1] ?? '';
  const details = targets(useContactFields()).filter(
    ({ value }) => value.startsWith('custom') || (!(value in contact) && choice.columns[value] !== undefined),
  );
  const id = ID_CHANNELS.map((channel) => cell(idColumn(channel))).find((text) => text !== '');
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
                {contact.number ? `${contact.number} is not a phone number: skipped` : noNumber(id)}
              </>
            )}
          </p>
        )}
        <dl className={styles.customs}>
          {details.map(({ value, label }) => (
            <div key={value}>
              <dt>{label}</dt>
              <dd dir="auto">{cell(value) || '\u2013'}</dd>
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
