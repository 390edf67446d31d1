import { Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { brandName } from '../ui/brand.ts';
import { WordMark } from '../ui/layout/WordMark.tsx';
import styles from './Prose.module.css';

export interface Section {
  title: string;
  text: ReactNode;
}

/** A page of text, such as the manual or a legal document. */
export function Prose({
  title,
  description,
  sections,
}: {
  title: string;
  description: string;
  sections: readonly Section[];
}) {
  return (
    <div className={styles.root}>
      <header>
        <Link to="/" aria-label={`${brandName()}, home`} className={styles.brand}>
          <WordMark size={26} />
        </Link>
      </header>
      <main>
        <Title order={1}>{title}</Title>
        <p className={styles.description}>{description}</p>
        {sections.map((section) => (
          <section key={section.title}>
            <h2 className={styles.heading}>{section.title}</h2>
            <div className={styles.text}>{section.text}</div>
          </section>
        ))}
      </main>
    </div>
  );
}
