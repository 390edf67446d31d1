/**
 * The hours in which the law of the recipient's country allows marketing messages. A country without an entry has no
 * rule for which we found a source. The rules do not replace legal advice.
 */
import { type Hours, toMinutes } from '../accounts/quiet_hours.ts';

export interface LegalHours {
  readonly country: string;
  /** The state, where it has stricter hours than the country. */
  readonly state: string | null;
  /** Empty on days without marketing. */
  readonly weekdays: readonly string[];
  readonly saturday: readonly string[];
  readonly sunday: readonly string[];
  readonly source: string;
  /** The day when the rule was last checked. */
  readonly checked: string;
}

const CHECKED = '2026-11-28';
const every = (country: string, state: string | null, hours: string, source: string): LegalHours => ({
  ...{ country, state, source, checked: CHECKED },
  ...{ weekdays: [hours], saturday: [hours], sunday: [hours] },
});
const noSunday = (country: string, state: string | null, hours: string, source: string): LegalHours => ({
  ...every(country, state, hours, source),
  sunday: [],
});

/** Public holidays are not considered. */
export const LEGAL_HOURS: readonly LegalHours[] = [
  every('US', null, '08:00-21:00', '47 CFR 64.1200(c)(1)'),
  noSunday('US', 'AL', '08:00-20:00', 'Ala. Code 8-19A'),
  every('US', 'CT', '09:00-20:00', 'Conn. Gen. Stat. 42-288a'),
  every('US', 'FL', '08:00-20:00', 'Fla. Stat. 501.616(6)'),
  every('US', 'KY', '10:00-21:00', 'Ky. Rev. Stat. 367.46955'),
  noSunday('US', 'LA', '08:00-20:00', 'La. Rev. Stat. 45:844'),
  every('US', 'MA', '08:00-20:00', 'Mass. Gen. Laws ch. 159C, sec. 3'),
  every('US', 'MD', '08:00-20:00', 'Md. Code, Com. Law, title 14 (Stop the Spam Calls Act)'),
  every('US', 'MI', '09:00-21:00', 'Mich. Comp. Laws 445.111a'),
  every('US', 'MN', '09:00-21:00', 'Minn. Stat. 325E.30'),
  noSunday('US', 'MS', '08:00-20:00', 'Miss. Code 77-3-723'),
  every('US', 'NM', '09:00-21:00', 'N.M. Stat. 57-12-22'),
  every('US', 'NV', '09:00-20:00', 'Nev. Rev. Stat. 598.0918'),
  every('US', 'OK', '08:00-20:00', 'Okla. Stat. tit. 15, sec. 775C'),
  {
    ...{ country: 'US', state: 'RI', weekdays: ['09:00-18:00'], saturday: ['10:00-17:00'], sunday: [] },
    ...{ source: 'R.I. Gen. Laws 5-61-3.6', checked: CHECKED },
  },
  {
    ...{ country: 'US', state: 'TX', weekdays: ['09:00-21:00'], saturday: ['09:00-21:00'], sunday: ['12:00-21:00'] },
    ...{ source: 'Tex. Bus. & Com. Code 301.051 and 302 (SB 140)', checked: CHECKED },
  },
  every('US', 'WA', '08:00-20:00', 'Wash. Rev. Code 80.36.390'),
  noSunday('FR', null, '08:00-22:00', 'Rules of the French carriers (AF2M) for marketing by SMS'),
  every('IN', null, '10:00-21:00', 'TRAI, Telecom Commercial Communications Customer Preference Regulations, 2018'),
];

const readHours = (text: string): Hours => {
  const [from, until] = text.split('-') as [string, string];
  return [toMinutes(from), toMinutes(until)];
};

/** The allowed hours of each day, from Monday to Sunday. */
export const readWeek = ({ weekdays, saturday, sunday }: LegalHours): Hours[][] => [
  ...Array.from({ length: 5 }, () => weekdays.map(readHours)),
  saturday.map(readHours),
  sunday.map(readHours),
];
