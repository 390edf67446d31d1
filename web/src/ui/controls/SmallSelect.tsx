import { Input } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';

interface SmallSelectProps {
  'aria-label': string;
  value: string;
  onChange: (value: string) => void;
  data: readonly { value: string; label: string }[];
}

/** A native select for the tools of a list. Lighter than Mantine's, which brings its own list. */
export function SmallSelect({ value, onChange, data, ...label }: SmallSelectProps) {
  return (
    <Input
      {...label}
      component="select"
      size="xs"
      pointer
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      rightSection={<IconChevronDown size={14} aria-hidden />}
      rightSectionPointerEvents="none"
    >
      {data.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </Input>
  );
}
