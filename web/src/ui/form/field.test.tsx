import { NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ThemeProvider } from '../theme/ThemeProvider.tsx';
import { CountrySelect } from './CountrySelect.tsx';
import { Field } from './Field.tsx';
import { PasswordText } from './PasswordText.tsx';

const VALUES = {
  name: 'Main',
  note: '',
  secret: '',
  unit: 'day' as string | null,
  country: 'AM',
  enabled: true,
  settings: { port: 2775 as number | string },
  texts: ['one', 'two'],
};
const onSave = vi.fn();

function Page() {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: VALUES,
    validate: { name: (value) => (value ? null : 'Name is required!') },
  });
  return (
    <form onSubmit={form.onSubmit((values) => onSave(values))}>
      <Field form={form} name="name" as={TextInput} label="Name" maxLength={45} />
      <Field
        form={form}
        name="note"
        as={Textarea}
        label="Note"
        onChange={(event) => {
          event.currentTarget.value = event.currentTarget.value.trim();
        }}
      />
      <Field form={form} name="secret" as={PasswordText} label="Password" />
      <Field form={form} name="unit" as={Select} label="Unit" data={['day', 'week']} />
      <Field form={form} name="country" as={CountrySelect} label="Country" />
      <Field form={form} name="enabled" as={Switch} type="checkbox" label="Enabled" />
      <Field form={form} name="settings.port" as={NumberInput} label="Port" min={1} />
      <Field form={form} name="texts.1" as={TextInput} label="Second text" />
      <button type="button" onClick={() => form.reset()}>
        Reset
      </button>
    </form>
  );
}

/** Never rendered: it exists only for the compiler to check. */
export function Rejected() {
  const form = useForm({ initialValues: VALUES });
  return (
    <>
      {/* @ts-expect-error: no such value */}
      <Field form={form} name="nme" as={TextInput} />
      {/* @ts-expect-error: no such nested value */}
      <Field form={form} name="settings.host" as={TextInput} />
      {/* @ts-expect-error: not a prop of the input */}
      <Field form={form} name="name" as={TextInput} minRows={2} />
      {/* @ts-expect-error: a required prop of the input is missing */}
      <Field form={form} name="name" as={({ label }: { label: string }) => <p>{label}</p>} />
    </>
  );
}

const input = (label: string) => screen.getByLabelText(label, { selector: 'input, textarea' }) as HTMLInputElement;
const type = (label: string, value: string) => fireEvent.change(input(label), { target: { value } });

test('a field shows the form’s value and writes input back to the form', async () => {
  render(<Page />, { wrapper: ThemeProvider });
  expect(input('Name').value).toBe('Main');
  expect(input('Port').value).toBe('2775');
  expect(input('Unit').value).toBe('day');
  expect(input('Country').value).toBe('Armenia (AM)');
  expect(input('Enabled').checked).toBe(true);
  type('Name', 'Second');
  type('Port', '2776');
  type('Password', 'Secret-123');
  type('Second text', 'three');
  fireEvent.click(input('Enabled'));
  fireEvent.submit(input('Name').form as HTMLFormElement);
  await waitFor(() => expect(onSave).toHaveBeenCalledTimes(1));
  expect(onSave.mock.calls[0]?.[0]).toEqual({
    ...VALUES,
    name: 'Second',
    secret: 'Secret-123',
    enabled: false,
    settings: { port: 2776 },
    texts: ['one', 'three'],
  });
});

test('a field shows its error and returns to its initial value when the form is reset', async () => {
  render(<Page />, { wrapper: ThemeProvider });
  type('Name', '');
  fireEvent.submit(input('Name').form as HTMLFormElement);
  expect(await screen.findByText('Name is required!')).toBeTruthy();
  expect(input('Name').dataset.path).toBe('name');
  fireEvent.click(screen.getByRole('button', { name: 'Reset' }));
  await waitFor(() => expect(input('Name').value).toBe('Main'));
  expect(screen.queryByText('Name is required!')).toBeNull();
});

test('a field’s own onChange runs before the form reads the value', async () => {
  onSave.mockClear();
  render(<Page />, { wrapper: ThemeProvider });
  type('Note', '  call back ');
  fireEvent.submit(input('Name').form as HTMLFormElement);
  await waitFor(() => expect(onSave.mock.calls[0]?.[0]).toMatchObject({ note: 'call back' }));
});
