import { Select } from '@mantine/core';

const GRACE = [
  { value: '0', label: 'Stops immediately' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '24 hours' },
  { value: '604800', label: '7 days' },
];
export const DEFAULT_GRACE_SECONDS = 86_400;

interface GraceSelectProps {
  /** The name of the replaced secret, such as “key”. */
  noun: string;
  seconds: number;
  onChange: (seconds: number) => void;
}

/** Asks how long a replaced credential stays valid. */
export function GraceSelect({ noun, seconds, onChange }: GraceSelectProps) {
  return (
    <Select
      label={`How long the current ${noun} stays valid`}
      data={GRACE}
      value={String(seconds)}
      allowDeselect={false}
      onChange={(next) => onChange(Number(next ?? 0))}
      data-autofocus
    />
  );
}
