/**
 * The message as the channel would show it, on a phone, stepping through real recipients. Where an SMS is cut into segments a tick marks the
 * place. It draws what it is given: filling variables and finding the cuts is the channel's business.
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

export interface PreviewBubble {
  key: string;
  from: 'business' | 'person';
  text: string;
  /** Offsets in `text` at which a new segment begins. */
  breaks?: readonly number[];
  media?: ReactNode;
  button?: string;
  /** Instead of text and button: how a channel sets it out. */
  body?: ReactNode;
  /** Below the bubble and as wide: buttons that stand apart. */
  after?: ReactNode;
  /** HH:mm */
  time?: string;
}

export interface PreviewStepper {
  /** From 0. */
  index: number;
  total: number;
  onStep: (index: number) => void;
  /** Whose message is shown. */
  label?: ReactNode;
}

export interface PhonePreviewProps {
  channel: string;
  sender: string;
  bubbles: readonly PreviewBubble[];
  stepper?: PreviewStepper;
  /** Said on the screen while there is nothing to show. */
  empty?: string;
  time?: string;
}

export function PhonePreview({ channel, sender, bubbles, stepper, empty, time = '9:41' }: PhonePreviewProps) {
  const nothing = bubbles.every((bubble) => bubble.text === '' && !bubble.media && !bubble.body && !bubble.after);
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
            <span className={styles.sender}>{sender || 'Sender'}</span>
          </div>
          {/* Long messages scroll on the phone, and a keyboard can scroll them too. */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region */}
          <section className={styles.thread} tabIndex={0} aria-label="Message as it will arrive">
            {nothing && empty ? (
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
            {stepper.label && <span className={styles.who}>{stepper.label}</span>}
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
        {!bubble.body && bubble.text && <p className={styles.text}>{withTicks(bubble.text, bubble.breaks ?? [])}</p>}
        {bubble.button && (
          <span className={styles.button}>
            <IconExternalLink size={13} aria-hidden />
            {bubble.button}
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
