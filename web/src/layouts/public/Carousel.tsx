import { useEffect, useState } from 'react';
import { ChannelMark } from '../../ui/data/ChannelMark.tsx';
import styles from './Carousel.module.css';
import type { Slide } from './slides.ts';

const EVERY_MS = 6_000;

/** Changes by itself until somebody chooses, points at it, or prefers things to stand still. */
export function Carousel({ slides }: { slides: readonly Slide[] }) {
  const [index, setIndex] = useState(0);
  const [held, setHeld] = useState(() => window.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false);
  useEffect(() => {
    if (held || slides.length < 2) return;
    const timer = setInterval(() => setIndex((now) => (now + 1) % slides.length), EVERY_MS);
    return () => clearInterval(timer);
  }, [held, slides.length]);
  const slide = slides[index % slides.length] as Slide;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing at it only pauses it
    <div className={styles.root} onMouseEnter={() => setHeld(true)}>
      <Scene />
      <div className={styles.words} aria-live={held ? 'polite' : 'off'}>
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
                setHeld(true);
                setIndex(at);
              }}
            />
          ))}
        </div>
      )}
    </div>
  );
}

const LINES = [
  { key: 'a', from: 'us', channel: 'SMS', text: 'Hi Anna, your table for two is ready at 19:30.' },
  { key: 'b', from: 'them', channel: 'WHATSAPP', text: 'Could we make it three?' },
  { key: 'c', from: 'us', channel: 'WHATSAPP', text: 'Of course. See you tonight.' },
  { key: 'd', from: 'them', channel: 'VIBER', text: 'Thank you' },
];

function Scene() {
  return (
    <div className={styles.scene} aria-hidden>
      {LINES.map((line, at) => (
        <div key={line.key} className={styles.line} data-from={line.from} style={{ animationDelay: `${at * 140}ms` }}>
          <ChannelMark channel={line.channel} iconOnly />
          <span className={styles.bubble}>{line.text}</span>
        </div>
      ))}
    </div>
  );
}
