/**
 * The order of preference of one message: the ways it goes when the one before does not arrive, in their order. Whoever uses it says from what may be sent on
 * each channel, and hands over what is wrong; errors stand at their fields under the names the API has for them.
 */
import { Button } from '@mantine/core';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { IconPlus } from '@tabler/icons-react';
import { useRef } from 'react';
import type { ErrorOf } from '../field_errors.ts';
import styles from './Fallbacks.module.css';
import { WayFields } from './WayFields.tsx';
import { addWay, changeWay, mayAdd, moveWay, type Offer, type Way, type Words } from './ways.ts';

interface Props {
  /** The channel the message itself goes on. */
  channel: ChannelName;
  /** What it says. */
  words: Words;
  ways: readonly Way[];
  onChange: (ways: Way[]) => void;
  offers: Readonly<Record<ChannelName, Offer>>;
  errorOf: ErrorOf;
  /** What a new way waits. */
  wait: Pick<Way, 'wait' | 'unit'>;
}

export function FallbackFields({ channel, words, ways, onChange, offers, errorOf, wait }: Props) {
  const root = useRef<HTMLFieldSetElement>(null);
  /** Once it is drawn. */
  const focus = (find: (root: HTMLElement) => HTMLElement | null | undefined) =>
    requestAnimationFrame(() => root.current && find(root.current)?.focus());
  const addButton = (place: HTMLElement) => place.querySelector<HTMLElement>('[data-add]');
  return (
    <fieldset ref={root} className={styles.root}>
      <legend className={styles.legend}>If it does not arrive</legend>
      <p className={styles.hint}>
        Other ways for the same message, in this order. It stays one message: whichever way arrives, the rest is called
        off.
      </p>
      {ways.length > 0 && (
        <ol className={styles.ways}>
          {ways.map((way, at) => (
            <li key={way.key} className={styles.way}>
              <WayFields
                first={channel}
                ways={ways}
                at={at}
                words={words}
                offers={offers}
                errorOf={(field) => errorOf(`fallbacks.${at}${field && `.${field}`}`)}
                onChange={(part) => onChange(changeWay(ways, way.key, part))}
                onMove={(by) => {
                  onChange(moveWay(ways, at, by));
                  // The same row, where it stands now; at an end the button that is left.
                  focus((place) => {
                    const row = place.querySelectorAll<HTMLElement>('li')[at + by];
                    const wanted = row?.querySelector<HTMLButtonElement>(`[data-move="${by}"]`);
                    return wanted?.disabled ? row?.querySelector<HTMLElement>(`[data-move="${-by}"]`) : wanted;
                  });
                }}
                onRemove={() => {
                  onChange(ways.filter(({ key }) => key !== way.key));
                  focus(addButton);
                }}
              />
            </li>
          ))}
        </ol>
      )}
      {errorOf('fallbacks') && (
        <p className={styles.problem} role="alert">
          {errorOf('fallbacks')}
        </p>
      )}
      {mayAdd(channel, ways) && (
        <Button
          className={styles.add}
          variant="default"
          size="xs"
          data-add
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => {
            onChange(addWay(channel, ways, wait));
            focus((place) => place.querySelector<HTMLElement>('li:last-of-type input'));
          }}
        >
          {ways.length === 0 ? 'Add another way' : 'Add one more'}
        </Button>
      )}
    </fieldset>
  );
}
