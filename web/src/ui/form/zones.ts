/** The time zones this browser knows, with their distance from UTC at a moment. */
export interface ZoneOption {
  value: string;
  label: string;
}

/** "UTC+05:30" */
export function utcOffset(zone: string, at: Date): string {
  const name = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value;
  return (name ?? 'GMT').replace('GMT', 'UTC').replace(/^UTC$/, 'UTC+00:00');
}

const minutesOf = (offset: string): number => {
  const [, sign, hours, minutes] = /^UTC([+-])(\d{2}):(\d{2})/.exec(offset) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
};

/** West to east, with `current` among them whatever it is called. */
export function zoneOptions(current: string, at: Date = new Date()): ZoneOption[] {
  const names = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', current]);
  return [...names]
    .map((value) => ({ value, offset: utcOffset(value, at) }))
    .sort((a, b) => minutesOf(a.offset) - minutesOf(b.offset) || a.value.localeCompare(b.value))
    .map(({ value, offset }) => ({ value, label: `${value.replaceAll('_', ' ')} (${offset})` }));
}
