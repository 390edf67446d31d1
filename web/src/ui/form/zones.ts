/** The browser's time zones with their UTC offsets at a given time. */
interface ZoneOption {
  value: string;
  label: string;
}

/** A zone's UTC offset at a given time, such as "UTC+05:30". */
export function utcOffset(zone: string, at: Date): string {
  const name = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value;
  return (name ?? 'GMT').replace('GMT', 'UTC').replace(/^UTC$/, 'UTC+00:00');
}

const toMinutes = (offset: string): number => {
  const [, sign, hours, minutes] = /^UTC([+-])(\d{2}):(\d{2})/.exec(offset) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
};

/** The options from west to east; `current`, if any, is always among them, even if it is an old zone name. */
export function zoneOptions(current: string, at: Date = new Date()): ZoneOption[] {
  const names = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', ...(current === '' ? [] : [current])]);
  return [...names]
    .map((value) => ({ value, offset: utcOffset(value, at) }))
    .sort((a, b) => toMinutes(a.offset) - toMinutes(b.offset) || a.value.localeCompare(b.value))
    .map(({ value, offset }) => ({ value, label: `${value.replaceAll('_', ' ')} (${offset})` }));
}
