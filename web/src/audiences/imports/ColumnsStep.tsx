import { Button, Collapse, Radio, Select, Stack, Switch } from '@mantine/core';
import type { AudienceImport } from '@parley/contract/audiences/imports.ts';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { formatCount } from '../../ui/data/format.ts';
import { SearchSelect } from '../../ui/form/SearchSelect.tsx';
import { useCountries } from '../numbers.ts';
import { useContactFields } from '../people/contact_fields.ts';
import styles from './Create.module.css';
import type { Choice } from './choice.ts';
import { ImportFacts } from './ImportFacts.tsx';
import { assign, columnField, DELIMITER_LABELS, ENCODING_LABELS, hasAddress, targets } from './mapping.ts';

export interface ColumnsStepProps {
  record: AudienceImport;
  choice: Choice;
  isReading: boolean;
  onChange: (changes: Partial<Choice>) => void;
  /** Reads the file again with other settings. */
  onReread: (reading: Partial<Choice>) => void;
}

export function ColumnsStep({ record, choice, isReading, onChange, onReread }: ColumnsStepProps) {
  const countries = useCountries();
  return (
    <div className={styles.fields}>
      <FileSettings record={record} choice={choice} onReread={onReread} />
      <ColumnTable record={record} choice={choice} isReading={isReading} onChange={onChange} />
      {!hasAddress(choice.columns) && (
        <p className={styles.missing} role="status">
          No column with phone numbers was found. Select the column to import as Number.
        </p>
      )}
      <SearchSelect
        className={styles.short}
        label="Default country"
        description="For numbers without a country code."
        placeholder="None: skip these numbers"
        data={countries}
        value={countries.length > 0 ? choice.default_country : null}
        onChange={(default_country) => onChange({ default_country })}
        clearable
        clearButtonProps={{ 'aria-label': 'No default country' }}
        nothingFoundMessage="No matching countries"
      />
      {record.audience_id && (
        <Radio.Group
          label="Contacts already in the audience"
          value={choice.existing}
          onChange={(existing) => onChange({ existing: existing as Choice['existing'] })}
        >
          <Stack gap={8} mt={8}>
            <Radio value="update" label="Update them" description="Empty cells are ignored." />
            <Radio value="merge" label="Fill empty fields only" description="Existing values are kept." />
            <Radio value="skip" label="Keep them unchanged" />
          </Stack>
        </Radio.Group>
      )}
      <ImportFacts choice={choice} onChange={onChange} />
    </div>
  );
}

type ColumnTableProps = Pick<ColumnsStepProps, 'record' | 'choice' | 'isReading' | 'onChange'>;

function ColumnTable({ record, choice, isReading, onChange }: ColumnTableProps) {
  const data = targets(useContactFields());
  return (
    <div className={styles.tableBox} aria-busy={isReading || undefined}>
      <table className={styles.table}>
        <caption className={styles.caption}>Map columns</caption>
        <thead>
          <tr>
            <th scope="col">Column in the file</th>
            <th scope="col" className={styles.examples}>
              Examples
            </th>
            <th scope="col">Import as</th>
          </tr>
        </thead>
        <tbody>
          {record.preview.columns.map((column, index) => {
            const field = columnField(choice.columns, index);
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column is identified by its position
              <tr key={index} data-number={field === 'number' || undefined}>
                <th scope="row">
                  <bdi className={styles.columnName}>{column.name}</bdi>
                  {field === 'number' && <span className={styles.mark}>Number</span>}
                </th>
                <td className={styles.examples}>
                  {column.samples.length > 0 ? (
                    <bdi>{column.samples.join(', ')}</bdi>
                  ) : (
                    <span className={styles.empty}>empty</span>
                  )}
                </td>
                <td>
                  <Select
                    aria-label={`Import ${column.name} as`}
                    placeholder="Not imported"
                    data={data}
                    value={field}
                    clearable
                    clearButtonProps={{ 'aria-label': `Do not import ${column.name}` }}
                    onChange={(value) => onChange({ columns: assign(choice.columns, index, value) })}
                  />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function FileSettings({ record, choice, onReread }: Pick<ColumnsStepProps, 'record' | 'choice' | 'onReread'>) {
  const [open, setOpen] = useState(false);
  const { preview } = record;
  const isCsv = preview.format === 'csv';
  const separator = preview.delimiter ? DELIMITER_LABELS[preview.delimiter] : 'One column';
  const encoding = ENCODING_LABELS[preview.encoding] ?? preview.encoding;
  const format = isCsv ? `${separator}, ${encoding}` : 'Excel, first sheet';
  const encodings = Object.entries({ ...ENCODING_LABELS, [preview.encoding]: encoding });
  return (
    <div>
      <p className={styles.file}>
        <b>{record.filename}</b> <span>{formatCount(record.total_rows, 'row')}</span> <span>{format}</span>
        <Button
          variant="subtle"
          size="compact-sm"
          aria-expanded={open}
          rightSection={
            <IconChevronDown size={14} aria-hidden className={styles.chevron} data-open={open || undefined} />
          }
          onClick={() => setOpen(!open)}
        >
          File settings
        </Button>
      </p>
      <Collapse expanded={open}>
        <div className={styles.fileFields}>
          {isCsv && (
            <>
              <Select
                label="Column separator"
                data={Object.entries(DELIMITER_LABELS).map(([value, label]) => ({ value, label }))}
                value={choice.delimiter}
                placeholder="One column"
                allowDeselect={false}
                onChange={(delimiter) => onReread({ delimiter: delimiter as Choice['delimiter'] })}
              />
              <SearchSelect
                label="Encoding"
                data={encodings.map(([value, label]) => ({ value, label }))}
                value={choice.encoding}
                onChange={(encoding) => encoding && onReread({ encoding })}
              />
            </>
          )}
          <Switch
            label="First row contains headings"
            checked={choice.has_header}
            onChange={(event) => onReread({ has_header: event.currentTarget.checked })}
          />
        </div>
      </Collapse>
    </div>
  );
}
