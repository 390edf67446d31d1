import { Button } from '@mantine/core';
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import styles from './Cropped.module.css';

interface CroppedProps {
  /** The heading: "Preview". */
  title: string;
  children: ReactNode;
}

/** A section of a panel that shows only the beginning of a tall preview until the user expands it. */
export function Cropped({ title, children }: CroppedProps) {
  const id = useId();
  const content = useRef<HTMLDivElement>(null);
  // Null until it is measured: the crop applies meanwhile, and nothing moves afterward.
  const [isTall, setIsTall] = useState<boolean | null>(null);
  const [isExpanded, setExpanded] = useState(false);
  useLayoutEffect(() => {
    const element = content.current;
    if (!element) return;
    // The outer height is the limit of the crop, the inner height is that of the whole preview.
    const measure = () => setIsTall(element.scrollHeight > CROP_HEIGHT);
    // Its first call is when the browser has laid out the page. Measuring here would lay it out once more.
    const observer = new ResizeObserver(measure);
    for (const child of [element, ...element.children]) observer.observe(child);
    return () => observer.disconnect();
  }, []);
  const isCropped = isTall !== false && !isExpanded;
  return (
    <section className={styles.root}>
      <h3 className={styles.title}>{title}</h3>
      <div
        ref={content}
        id={id}
        className={styles.content}
        data-cropped={isCropped ? (isTall ? 'faded' : 'plain') : undefined}
      >
        {children}
      </div>
      {isTall && (
        <Button
          variant="subtle"
          size="xs"
          className={styles.toggle ?? ''}
          aria-expanded={isExpanded}
          aria-controls={id}
          onClick={() => setExpanded(!isExpanded)}
        >
          {isExpanded ? 'Show less' : 'Show all'}
        </Button>
      )}
    </section>
  );
}

/** In pixels, as in the styles. */
const CROP_HEIGHT = 260;
