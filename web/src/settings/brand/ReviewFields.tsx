/** The review pages below sign-in and sign-up. There are none until an operator adds them. */
import { Button, TextInput } from '@mantine/core';
import { MAX_REVIEWS } from '@parley/contract/brand/brand.ts';
import { useRef } from 'react';
import { Pair } from '../../ui/form/FormParts.tsx';
import styles from './Brand.module.css';
import { type BrandImage, ImageField } from './ImageField.tsx';

export interface Review {
  label: string;
  href: string;
  image: BrandImage | null;
}

interface ReviewFieldsProps {
  value: readonly Review[];
  onChange: (value: Review[]) => void;
  /** The server's or the form's errors by path, such as `reviews.0.href`. */
  errors: Readonly<Record<string, unknown>>;
  readOnly: boolean;
}

export function ReviewFields({ value, onChange, errors, readOnly }: ReviewFieldsProps) {
  const add = useRef<HTMLButtonElement>(null);
  const change = (at: number, part: Partial<Review>) =>
    onChange(value.map((review, index) => (index === at ? { ...review, ...part } : review)));
  const errorAt = (path: string) => {
    const text = errors[path];
    return typeof text === 'string' ? text : null;
  };
  return (
    <>
      {value.map((review, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no other identity
        <fieldset key={at} className={styles.review} aria-label={`Review page ${at + 1}`}>
          <Pair>
            <TextInput
              label="Name"
              description="Also the logo’s alternative text."
              maxLength={60}
              readOnly={readOnly}
              value={review.label}
              error={errorAt(`reviews.${at}.label`)}
              onChange={(event) => change(at, { label: event.currentTarget.value })}
            />
            <TextInput
              label="Address"
              description="Begins with https."
              type="url"
              inputMode="url"
              readOnly={readOnly}
              value={review.href}
              error={errorAt(`reviews.${at}.href`)}
              onChange={(event) => change(at, { href: event.currentTarget.value })}
            />
          </Pair>
          <ImageField
            label={`Logo of review page ${at + 1}`}
            hint="Drop the logo of the review page here"
            value={review.image}
            onChange={(image) => change(at, { image })}
            readOnly={readOnly}
          />
          {!readOnly && (
            <div>
              <Button
                size="xs"
                variant="default"
                onClick={() => {
                  onChange(value.filter((_, index) => index !== at));
                  add.current?.focus();
                }}
              >
                Delete review page
              </Button>
            </div>
          )}
        </fieldset>
      ))}
      {!readOnly && (
        <div>
          <Button
            ref={add}
            variant="default"
            disabled={value.length >= MAX_REVIEWS}
            onClick={() => onChange([...value, { label: '', href: '', image: null }])}
          >
            Add review page
          </Button>
        </div>
      )}
    </>
  );
}
