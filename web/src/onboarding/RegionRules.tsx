import { IconArrowRight, IconArrowsLeftRight, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './Onboarding.module.css';
import { AS_OF, type Region, type SenderRule } from './regions.ts';

const WORKS: Readonly<Record<SenderRule['works'], { label: string; icon: typeof IconX; tone: string }>> = {
  both_ways: { label: 'Two-way', icon: IconArrowsLeftRight, tone: 'ok' },
  one_way: { label: 'One-way', icon: IconArrowRight, tone: 'wait' },
  no: { label: 'Not available', icon: IconX, tone: 'off' },
};

export function RegionRules({ region }: { region: Region }) {
  return (
    <div className={styles.rules}>
      <div className={styles.ruleBox}>
        <h3 className={styles.ruleTitle}>Sender types</h3>
        <ul className={styles.senders}>
          {region.senders.map(({ type, works, text }) => {
            const { label, icon: Icon, tone } = WORKS[works];
            return (
              <li key={type}>
                <span className={styles.senderHead}>
                  <b>{type}</b>
                  <span className={styles.works} data-tone={tone}>
                    <Icon size={14} stroke={2} aria-hidden />
                    {label}
                  </span>
                </span>
                <span className={styles.dim}>{text}</span>
              </li>
            );
          })}
        </ul>
      </div>
      <div className={styles.ruleBox}>
        <h3 className={styles.ruleTitle}>Requirements</h3>
        <dl className={styles.facts}>
          <Fact name="Consent">{region.consent}</Fact>
          <Fact name="Hours">{region.hours}</Fact>
          <Fact name="Opt-out">{region.opt_out}</Fact>
          {region.laws.map(({ name, text, source, checked }) => (
            <Fact key={name} name={name}>
              {text}{' '}
              <a href={source} target="_blank" rel="noreferrer" aria-label={`Source of ${name}`}>
                Source
              </a>
              {!checked && ' (not compared with its source yet)'}
            </Fact>
          ))}
          {region.notes.length > 0 && <Fact name="Good to know">{region.notes.join(' ')}</Fact>}
        </dl>
        <p className={styles.dim}>
          Compared with the sources on {AS_OF}. This summary is for planning and is not legal advice. Consult a lawyer
          about your situation.
        </p>
      </div>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
