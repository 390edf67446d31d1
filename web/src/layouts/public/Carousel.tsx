import { CHANNELS, DEFAULT_CHANNEL } from '@parley/contract/channels/names.ts';
import { useEffect, useState } from 'react';
import { ChannelMark } from '../../channels/ChannelMark.tsx';
import styles from './Carousel.module.css';
import type { Slide } from './slides.ts';

const INTERVAL_MS = 6_000;

/**
 * Slides that advance until the user selects one or points at them. They never advance if the user prefers reduced
 * motion.
 */
export function Carousel({ slides }: { slides: readonly Slide[] }) {
  const [index, setIndex] = useState(0);
  const [paused, setPaused] = useState(() => window.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false);
  useEffect(() => {
    if (paused || slides.length < 2) return;
    const timer = setInterval(() => setIndex((current) => (current + 1) % slides.length), INTERVAL_MS);
    return () => clearInterval(timer);
  }, [paused, slides.length]);
  const slide = slides[index % slides.length] as Slide;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing at it only pauses the slides
    <div className={styles.root} onMouseEnter={() => setPaused(true)}>
      <Scene />
      <div className={styles.words} aria-live={paused ? 'polite' : 'off'}>
        <p key={index} className={styles.title}>
          {slide.title}
        </p>
        <p className={styles.text}>{slide.text}</p>
      </div>
      {slides.length > 1 && (
        <div className={styles.dots}>
          {slides.map((item, at) => (
            <button
              key={item.title}
              type="button"
              className={styles.dot}
              aria-label={`${at + 1}: ${item.title}`}
              aria-current={at === index ? 'true' : undefined}
              onClick={() => {
                setPaused(true);
                setIndex(at);
              }}
            />
          ))}
        </div>
      )}
    </div>
  );
}

const [FIRST = DEFAULT_CHANNEL, SECOND = FIRST, THIRD = FIRST] = CHANNELS;
const MESSAGES = [
  { key: 'a', from: 'us', channel: FIRST, text: 'Hi Anna, your table for two is ready at 19:30.' },
  { key: 'b', from: 'them', channel: SECOND, text: 'Could we make it three?' },
  { key: 'c', from: 'us', channel: SECOND, text: 'Of course. See you tonight.' },
  { key: 'd', from: 'them', channel: THIRD, text: 'Thank you' },
];

function Scene() {
  return (
    <div className={styles.scene} aria-hidden>
      {MESSAGES.map((message, at) => (
        <div
          key={message.key}
          className={styles.message}
          data-from={message.from}
          style={{ animationDelay: `${at * 140}ms` }}
        >
          <ChannelMark channel={message.channel} iconOnly />
          <span className={styles.bubble}>{message.text}</span>
        </div>
      ))}
    </div>
  );
}
