import { Button, Collapse, Radio, Select, Stack, Switch } from '@mantine/core';
import { type AudienceImport, CONTACT_FIELDS, type ContactField } from '@parley/contract/audiences/imports.ts';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { formatCount } from '../../ui/data/format.ts';
import { SearchSelect } from '../../ui/form/SearchSelect.tsx';
import { useCountries } from '../numbers.ts';
import styles from './Create.module.css';
import type { Choice } from './choice.ts';
import { assign, DELIMITER_LABELS, ENCODING_LABELS, FIELD_LABELS, fieldOf } from './mapping.ts';

const FIELDS = CONTACT_FIELDS.map((value) => ({ value, label: FIELD_LABELS[value] }));

export interface ColumnsStepProps {
  found: AudienceImport;
  choice: Choice;
  looking: boolean;
  onChange: (changes: Partial<Choice>) => void;
  /** Changes how the file is read: it has to be looked at again. */
  onReading: (reading: Partial<Choice>) => void;
}

export function ColumnsStep({ found, choice, looking, onChange, onReading }: ColumnsStepProps) {
  const countries = useCountries();
  const { preview } = found;
  return (
    <div className={styles.fields}>
      <Reading found={found} choice={choice} onReading={onReading} />
      <div className={styles.tableBox} aria-busy={looking || undefined}>
        <table className={styles.table}>
          <caption className={styles.caption}>Which column holds what</caption>
          <thead>
            <tr>
              <th scope="col">Column in the file</th>
              <th scope="col" className={styles.examples}>
                For example
              </th>
              <th scope="col">Becomes</th>
            </tr>
          </thead>
          <tbody>
            {preview.columns.map((column, index) => {
              const field = fieldOf(choice.columns, index);
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place in the file
                <tr key={index} data-number={field === 'number' || undefined}>
                  <th scope="row">
                    <span className={styles.columnName}>{column.name}</span>
                    {field === 'number' && <span className={styles.mark}>Number</span>}
                  </th>
                  <td className={styles.examples}>
                    {column.samples.length > 0 ? (
                      column.samples.join(', ')
                    ) : (
                      <span className={styles.nothing}>empty</span>
                    )}
                  </td>
                  <td>
                    <Select
                      aria-label={`${column.name} becomes`}
                      className={styles.becomes}
                      placeholder="Not imported"
                      data={FIELDS}
                      value={field}
                      clearable
                      clearButtonProps={{ 'aria-label': `Do not import ${column.name}` }}
                      onChange={(value) =>
                        onChange({ columns: assign(choice.columns, index, value as ContactField | null) })
                      }
                    />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {choice.columns.number === undefined && (
        <p className={styles.missing} role="status">
          No column with phone numbers was found. Choose the one that becomes the Number.
        </p>
      )}
      <SearchSelect
        className={styles.short}
        label="Default country"
        description="For numbers written without their country code."
        placeholder="None: refuse such numbers"
        data={countries}
        value={countries.length > 0 ? choice.default_country : null}
        onChange={(default_country) => onChange({ default_country })}
        clearable
        clearButtonProps={{ 'aria-label': 'No default country' }}
        nothingFoundMessage="No such country"
      />
      {found.audience_id && (
        <Radio.Group
          label="People who are in the audience already"
          value={choice.existing}
          onChange={(existing) => onChange({ existing: existing as Choice['existing'] })}
        >
          <Stack gap={8} mt={8}>
            <Radio value="update" label="Update them" description="Empty cells change nothing." />
            <Radio value="skip" label="Leave them as they are" />
          </Stack>
        </Radio.Group>
      )}
    </div>
  );
}

function Reading({ found, choice, onReading }: Pick<ColumnsStepProps, 'found' | 'choice' | 'onReading'>) {
  const [open, setOpen] = useState(false);
  const { preview } = found;
  const isCsv = preview.format === 'csv';
  const how = isCsv
    ? `${preview.delimiter ? DELIMITER_LABELS[preview.delimiter] : 'One column'}, ${ENCODING_LABELS[preview.encoding] ?? preview.encoding}`
    : 'Excel, first sheet';
  const encodings = Object.entries({
    ...ENCODING_LABELS,
    [preview.encoding]: ENCODING_LABELS[preview.encoding] ?? preview.encoding,
  });
  return (
    <div>
      <p className={styles.reading}>
        <b>{found.filename}</b> <span>{formatCount(found.total_rows, 'row')}</span> <span>{how}</span>
        <Button
          variant="subtle"
          size="compact-sm"
          aria-expanded={open}
          rightSection={
            <IconChevronDown size={14} aria-hidden className={styles.chevron} data-open={open || undefined} />
          }
          onClick={() => setOpen(!open)}
        >
          Read differently
        </Button>
      </p>
      <Collapse expanded={open}>
        <div className={styles.readingFields}>
          {isCsv && (
            <>
              <Select
                label="Between columns"
                data={Object.entries(DELIMITER_LABELS).map(([value, label]) => ({ value, label }))}
                value={choice.delimiter}
                placeholder="One column"
                allowDeselect={false}
                onChange={(delimiter) => onReading({ delimiter: delimiter as Choice['delimiter'] })}
              />
              <SearchSelect
                label="Letters"
                data={encodings.map(([value, label]) => ({ value, label }))}
                value={choice.encoding}
                onChange={(encoding) => encoding && onReading({ encoding })}
              />
            </>
          )}
          <Switch
            label="The first row holds headings"
            checked={choice.has_header}
            onChange={(event) => onReading({ has_header: event.currentTarget.checked })}
          />
        </div>
      </Collapse>
    </div>
  );
}
