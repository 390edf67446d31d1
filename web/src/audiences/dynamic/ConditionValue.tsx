import { MultiSelect, NumberInput, Select, TagsInput, TextInput } from '@mantine/core';
import { listAudiences } from '@parley/contract/audiences/audiences.ts';
import type { Condition } from '@parley/contract/audiences/conditions.ts';
import { CONSENT_PURPOSES } from '@parley/contract/audiences/purposes.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { CountriesSelect } from '../../ui/form/CountriesSelect.tsx';
import { type Fields, findField, findTakes } from './tree.ts';

const LONG_LIST = { withScrollArea: false, styles: { options: { maxHeight: 260, overflowY: 'auto' } } } as const;
const PURPOSES = CONSENT_PURPOSES.map((value) => ({ value: value as string, label: value }));
const HINTS: Readonly<Record<string, string>> = {
  network: 'Network codes, such as 26201',
  language: 'Language codes, such as en',
  timezone: 'Time zones, such as Europe/Berlin',
  tags: 'Type a tag and press Enter',
};

interface ConditionValueProps {
  condition: Condition;
  fields: Fields;
  onChange: (value: Condition['value']) => void;
  label: string;
  path: string;
}

/** The input for the value that an operator compares with. */
export function ConditionValue({ condition, fields, onChange, label, path }: ConditionValueProps) {
  const { value, subject } = condition;
  const common = { 'aria-label': label, 'data-path': path };
  const text = typeof value === 'string' ? value : '';
  switch (findTakes(condition, fields)) {
    case 'text':
      return (
        <TextInput {...common} maxLength={200} value={text} onChange={(event) => onChange(event.currentTarget.value)} />
      );
    case 'date':
      return (
        <TextInput {...common} type="date" value={text} onChange={(event) => onChange(event.currentTarget.value)} />
      );
    case 'number':
      return <NumberInput {...common} hideControls value={value as number} onChange={onChange} />;
    case 'days':
      return (
        <NumberInput
          {...common}
          min={1}
          max={3650}
          allowDecimal={false}
          suffix={value === 1 ? ' day' : ' days'}
          value={value as number}
          onChange={onChange}
        />
      );
    case 'purpose':
      return (
        <Select {...common} data={PURPOSES} value={text} allowDeselect={false} onChange={(one) => onChange(one)} />
      );
    case 'texts': {
      const words = Array.isArray(value) ? value : [];
      if (subject === 'audiences') return <Audiences {...common} value={words} onChange={onChange} />;
      if (subject === 'country') return <Countries {...common} value={words} onChange={onChange} />;
      const choices = findField(subject, fields)?.choices;
      if (choices?.length)
        return <MultiSelect {...common} data={[...choices]} value={words} onChange={onChange} {...LONG_LIST} />;
      return (
        <TagsInput
          {...common}
          splitChars={[',']}
          acceptValueOnBlur
          placeholder={words.length === 0 ? (HINTS[subject] ?? 'Type a value and press Enter') : ''}
          value={words}
          onChange={onChange}
        />
      );
    }
    default:
      return null;
  }
}

interface ListProps {
  'aria-label': string;
  'data-path': string;
  value: string[];
  onChange: (value: string[]) => void;
}

function Countries(props: ListProps) {
  return <CountriesSelect {...props} placeholder={props.value.length === 0 ? 'Select countries' : ''} />;
}

function Audiences(props: ListProps) {
  const { data } = useEndpoint(listAudiences, { query: { page_size: 1000 } });
  const fixed = (data?.data ?? []).filter(({ conditions }) => conditions === null);
  return (
    <MultiSelect
      {...props}
      data={fixed.map(({ id, name }) => ({ value: id, label: name }))}
      searchable
      placeholder={props.value.length === 0 ? 'Select audiences' : ''}
      nothingFoundMessage="No matching audiences"
      {...LONG_LIST}
    />
  );
}
