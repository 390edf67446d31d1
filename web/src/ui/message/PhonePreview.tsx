/**
 * The message as the channel shows it on a phone, for one recipient at a time. A tick marks where a new SMS segment
 * begins. The caller fills in variables and finds the segment breaks.
 */
import { ActionIcon } from '@mantine/core';
import {
  IconBattery3,
  IconChevronLeft,
  IconChevronRight,
  IconExternalLink,
  IconUser,
  IconWifi,
} from '@tabler/icons-react';
import { Fragment, type ReactNode } from 'react';
import { formatNumber } from '../data/format.ts';
import styles from './PhonePreview.module.css';

interface PreviewBubble {
  key: string;
  from: 'business' | 'person';
  text: string;
  /** Offsets in `text` at which a new segment begins. */
  breaks?: readonly number[];
  media?: ReactNode;
  button?: string;
  /** The channel's own layout; replaces text and button. */
  body?: ReactNode;
  /** Buttons below the bubble, with the same width as the bubble. */
  after?: ReactNode;
  /** HH:mm */
  time?: string;
}

export interface PreviewStepper {
  /** The zero-based position. */
  index: number;
  total: number;
  onStep: (index: number) => void;
  /** The recipient's name. */
  label?: ReactNode;
}

interface PhonePreviewProps {
  /** Selects the style. The channel's stylesheet sets the `--phone-*` variables. */
  channel: string;
  sender: string;
  bubbles: readonly PreviewBubble[];
  stepper?: PreviewStepper;
  /** Shown on the screen while there is no message. */
  empty?: string;
  time?: string;
}

export function PhonePreview({ channel, sender, bubbles, stepper, empty, time = '9:41' }: PhonePreviewProps) {
  const isEmpty = bubbles.every((bubble) => bubble.text === '' && !bubble.media && !bubble.body && !bubble.after);
  return (
    <figure className={styles.root}>
      <div className={styles.phone}>
        <div className={styles.screen} data-channel={channel.toUpperCase()}>
          <div className={styles.status} aria-hidden>
            <span>{time}</span>
            <span className={styles.island} />
            <span className={styles.statusIcons}>
              <IconWifi size={13} />
              <IconBattery3 size={16} />
            </span>
          </div>
          <div className={styles.contact}>
            <span className={styles.avatar} aria-hidden>
              <IconUser size={18} stroke={1.8} />
            </span>
            <bdi className={styles.sender}>{sender || 'Sender'}</bdi>
          </div>
          {/* Makes long messages scrollable with the keyboard. */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region */}
          <section className={styles.thread} tabIndex={0} aria-label="Message preview">
            {isEmpty && empty ? (
              <p className={styles.empty}>{empty}</p>
            ) : (
              bubbles.map((bubble) => <Bubble key={bubble.key} bubble={bubble} />)
            )}
          </section>
          <span className={styles.homeBar} aria-hidden />
        </div>
      </div>
      {stepper && stepper.total > 0 && (
        <figcaption className={styles.stepper}>
          <ActionIcon
            aria-label="Previous recipient"
            disabled={stepper.index <= 0}
            onClick={() => stepper.onStep(stepper.index - 1)}
          >
            <IconChevronLeft size={16} aria-hidden />
          </ActionIcon>
          <span className={styles.position} aria-live="polite">
            {formatNumber(stepper.index + 1)}/{formatNumber(stepper.total)}
            {stepper.label && <bdi className={styles.who}>{stepper.label}</bdi>}
          </span>
          <ActionIcon
            aria-label="Next recipient"
            disabled={stepper.index >= stepper.total - 1}
            onClick={() => stepper.onStep(stepper.index + 1)}
          >
            <IconChevronRight size={16} aria-hidden />
          </ActionIcon>
        </figcaption>
      )}
    </figure>
  );
}

function Bubble({ bubble }: { bubble: PreviewBubble }) {
  return (
    <div className={styles.line} data-from={bubble.from}>
      <div className={styles.bubble} data-body={bubble.body ? true : undefined}>
        {bubble.body}
        {bubble.media}
        {!bubble.body && bubble.text && (
          <p className={styles.text} dir="auto">
            {withTicks(bubble.text, bubble.breaks ?? [])}
          </p>
        )}
        {bubble.button && (
          <span className={styles.button}>
            <IconExternalLink size={13} aria-hidden />
            <bdi>{bubble.button}</bdi>
          </span>
        )}
      </div>
      {bubble.after && <div className={styles.after}>{bubble.after}</div>}
      {bubble.time && <span className={styles.time}>{bubble.time}</span>}
    </div>
  );
}

function withTicks(text: string, breaks: readonly number[]): ReactNode {
  if (breaks.length === 0) return text;
  const edges = [0, ...breaks, text.length];
  return edges.slice(0, -1).map((start, part) => (
    <Fragment key={start}>
      {part > 0 && (
        <span className={styles.tick} title={`Segment ${part + 1} begins here`}>
          {part + 1}
        </span>
      )}
      {text.slice(start, edges[part + 1])}
    </Fragment>
  ));
}
