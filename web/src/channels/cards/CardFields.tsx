/** The fields of a location, a contact, and a list. */
import { ActionIcon, Button, Textarea, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { FieldError } from '../field_errors.ts';
import styles from './Cards.module.css';
import type { CardDraft } from './card_draft.ts';

interface FieldsProps {
  draft: CardDraft;
  onChange: (part: Partial<CardDraft>) => void;
  fieldError: FieldError;
}

const MAX_ROWS = 10;

/** Shows the problem of the whole card, which can concern any of its fields. */
const CardProblem = ({ text }: { text: string | null }) =>
  text && (
    <p className={styles.problem} role="alert">
      {text}
    </p>
  );

export function PlaceFields({ draft, onChange, fieldError }: FieldsProps) {
  return (
    <>
      <TextInput
        label="Latitude and longitude"
        description="For example 51.5, -0.12, or the address of a place on a map"
        required
        value={draft.point}
        error={fieldError('location')}
        wrapperProps={{ 'data-field': 'location' }}
        onChange={(event) => onChange({ point: event.currentTarget.value })}
        data-autofocus
      />
      <TextInput
        label="Name"
        value={draft.place_name}
        onChange={(event) => onChange({ place_name: event.currentTarget.value })}
        dir="auto"
      />
      <TextInput
        label="Address"
        value={draft.address}
        onChange={(event) => onChange({ address: event.currentTarget.value })}
        dir="auto"
      />
    </>
  );
}

const EMPTY_ROW = { text: '', description: '' };
const isEmpty = (text: string): boolean => text.trim() === '';

export function ContactFields({ draft, onChange, fieldError }: FieldsProps) {
  const problem = fieldError('contacts');
  const isNameMissing = isEmpty(draft.contact_name);
  return (
    <div className={styles.form} data-field="contacts">
      <TextInput
        label="Name"
        required
        value={draft.contact_name}
        error={isNameMissing ? problem : null}
        onChange={(event) => onChange({ contact_name: event.currentTarget.value })}
        dir="auto"
        data-autofocus
      />
      <div className={styles.pair}>
        <TextInput
          label="Phone"
          type="tel"
          description="With the country code"
          value={draft.phone}
          onChange={(event) => onChange({ phone: event.currentTarget.value })}
        />
        <TextInput
          label="Email"
          type="email"
          description="With or instead of a phone number"
          value={draft.email}
          onChange={(event) => onChange({ email: event.currentTarget.value })}
        />
      </div>
      <CardProblem text={isNameMissing ? null : problem} />
    </div>
  );
}

/** The field that the first problem of a list is about; the row is -1 if it is about another field. */
function findMissing({ button, rows }: CardDraft): { isButtonMissing: boolean; emptyRow: number } {
  const isButtonMissing = isEmpty(button);
  return { isButtonMissing, emptyRow: isButtonMissing ? -1 : rows.findIndex(({ text }) => isEmpty(text)) };
}

export function ListFields({ draft, onChange, fieldError }: FieldsProps) {
  const { rows } = draft;
  const { isButtonMissing, emptyRow } = findMissing(draft);
  const problem = fieldError('list');
  const change = (at: number, part: Partial<CardDraft['rows'][number]>) =>
    onChange({ rows: rows.map((row, index) => (index === at ? { ...row, ...part } : row)) });
  return (
    <>
      <Textarea
        label="Message"
        required
        autosize
        minRows={2}
        maxRows={6}
        value={draft.text}
        error={fieldError('text')}
        wrapperProps={{ 'data-field': 'text' }}
        onChange={(event) => onChange({ text: event.currentTarget.value })}
        dir="auto"
        data-autofocus
      />
      <div className={styles.form} data-field="list">
        <TextInput
          label="Button text"
          description="The button that opens the list"
          required
          maxLength={20}
          value={draft.button}
          error={isButtonMissing ? problem : null}
          onChange={(event) => onChange({ button: event.currentTarget.value })}
          dir="auto"
        />
        {rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a choice has no identity but its position
          <div key={at} className={styles.row}>
            <div className={styles.pair}>
              <TextInput
                label={`Choice ${at + 1}`}
                required
                maxLength={24}
                value={row.text}
                error={at === emptyRow ? problem : null}
                onChange={(event) => change(at, { text: event.currentTarget.value })}
                dir="auto"
              />
              <TextInput
                label={`Description ${at + 1}`}
                maxLength={72}
                value={row.description}
                onChange={(event) => change(at, { description: event.currentTarget.value })}
                dir="auto"
              />
            </div>
            {rows.length > 1 && (
              <ActionIcon
                variant="subtle"
                aria-label={`Remove choice ${at + 1}`}
                onClick={() => onChange({ rows: rows.toSpliced(at, 1) })}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            )}
          </div>
        ))}
        {rows.length < MAX_ROWS && (
          <Button
            className={styles.add}
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => onChange({ rows: [...rows, EMPTY_ROW] })}
          >
            Add choice
          </Button>
        )}
        <CardProblem text={isButtonMissing || emptyRow >= 0 ? null : problem} />
      </div>
    </>
  );
}
