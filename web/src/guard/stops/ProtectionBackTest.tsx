/** Tests settings of fraud protection on past messages or codes, and lists the signs that they would have found. */
import type { TrafficBackTest } from '@parley/contract/guard/back_tests.ts';
import { MESSAGE_SIGNAL_LABELS, TRAFFIC_WORDS } from '@parley/contract/guard/traffic_stops.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatCount, formatNumber } from '../../ui/data/format.ts';
import styles from '../back_test/BackTest.module.css';
import { BackTestHint, BackTestSection, type BackTestWords } from '../back_test/BackTestSection.tsx';
import { stopPlace } from './stop_words.ts';

interface ProtectionBackTestProps {
  /** Null: not run yet, or the settings have changed since. */
  result: TrafficBackTest | null;
  isRunning: boolean;
  onRun: () => void;
  words?: BackTestWords;
}

export const ProtectionBackTest = (props: ProtectionBackTestProps) => (
  <BackTestSection rule="these settings" {...props}>
    {(tested) => (
      <>
        <BackTestHint>{signsText(tested)}</BackTestHint>
        {tested.signs.length > 0 && <Signs signs={tested.signs} />}
      </>
    )}
  </BackTestSection>
);

export function signsText({ signs, signs_total, is_partial }: TrafficBackTest): string {
  const found =
    signs_total === 0
      ? 'No signs of fraud were found.'
      : `${formatCount(signs_total, 'sign')} of fraud ${signs_total === 1 ? 'was' : 'were'} found` +
        `${signs_total > signs.length ? `, of which ${formatNumber(signs.length)} are listed` : ''}.`;
  const partial = is_partial ? ' Only the number ranges with the highest peaks were compared.' : '';
  return `${found} The test compares full hours, so the figures are estimates.${partial}`;
}

const blockedText = ({ traffic, blocked }: TrafficBackTest['signs'][number]): string =>
  `${formatCount(blocked, traffic === 'codes' ? 'code' : 'message')} blocked`;

const Signs = ({ signs }: { signs: TrafficBackTest['signs'] }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling list must be reachable by keyboard
  <ul className={styles.signs} aria-label="Signs of fraud in the back-test" tabIndex={0}>
    {signs.map((sign) => (
      <li key={`${sign.traffic} ${sign.place} ${sign.signal} ${sign.start_date}`}>
        <span className={styles.signHead}>
          <span>{`${stopPlace(sign)} · ${TRAFFIC_WORDS[sign.traffic]}`}</span>
          <span>{sign.refuses ? blockedText(sign) : 'Reported only'}</span>
        </span>
        <span>{`${MESSAGE_SIGNAL_LABELS[sign.signal]}: ${sign.reason}`}</span>
        <span className={styles.hint}>
          <DateTime value={sign.start_date} />
          {sign.refuses && (
            <>
              {' to '}
              <DateTime value={sign.end_date} />
            </>
          )}
        </span>
      </li>
    ))}
  </ul>
);
