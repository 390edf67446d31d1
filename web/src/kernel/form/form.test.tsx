import { Button, NumberInput, TextInput } from '@mantine/core';
import { updateAccount } from '@parley/contract/accounts/company.ts';
import { updateRoute } from '@parley/contract/admin/admin.ts';
import { createAudience } from '@parley/contract/audiences/audiences.ts';
import { Link } from '@tanstack/react-router';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Call, draw, refuse, respond, sessionStub, stubApi } from '../../test/draw.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { SaveBar } from '../../ui/form/SaveBar.tsx';
import { useContractForm } from './form.ts';

let calls: Call[] = [];
let reply: () => Response | Promise<Response>;
const onSave = vi.fn();

beforeEach(() => {
  onSave.mockClear();
  reply = () => respond({ id: 'a', name: 'Spring' });
  const session = sessionStub();
  calls = stubApi((call) => (call.method === 'POST' ? reply() : session(call)));
});
afterEach(() => vi.unstubAllGlobals());
const posts = () => calls.filter((call) => call.method === 'POST');

function Page() {
  const { form, bind, sending, problem } = useContractForm(createAudience, {
    initial: { name: '', channel: 'SMS' },
    onDone: onSave,
  });
  return (
    <Form {...bind}>
      {problem && <p role="alert">{problem}</p>}
      <Field form={form} name="name" as={TextInput} label="Name" />
      <Field form={form} name="channel" as={TextInput} label="Channel" />
      <Button type="submit" loading={sending}>
        Create
      </Button>
      <Link to="/elsewhere">Away</Link>
    </Form>
  );
}
const field = (label: string) => screen.getByLabelText(label) as HTMLInputElement;
const type = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });
const create = () => fireEvent.submit(field('Name').form as HTMLFormElement);

test('the endpoint’s rules validate a field on blur, and invalid input is not sent', async () => {
  await draw(Page);
  type('Channel', '');
  fireEvent.blur(field('Channel'));
  expect(await screen.findByText('Channel is not valid')).toBeTruthy();
  type('Name', 'audience-7');
  fireEvent.blur(field('Name'));
  expect(await screen.findByText(/Names such as "audience-1"/)).toBeTruthy();
  create();
  await waitFor(() => expect(document.activeElement === field('Name')).toBe(true));
  expect(posts()).toHaveLength(0);
});

test('typed text is back after a reload, and Discard brings back the saved values', async () => {
  const draft = { saved: { name: 'Summer' }, save: vi.fn(), discard: vi.fn() };
  await draw(() => {
    const initial = { name: 'Spring', channel: 'SMS' };
    const { form, bind, saveBar } = useContractForm(createAudience, { initial, draft });
    return (
      <Form {...bind}>
        <Field form={form} name="name" as={TextInput} label="Name" />
        <SaveBar {...saveBar} save="Save audience" />
      </Form>
    );
  });
  expect(field('Name').value).toBe('Summer');
  type('Name', 'Autumn');
  expect(draft.save).toHaveBeenLastCalledWith({ name: 'Autumn', channel: 'SMS' });
  fireEvent.click(screen.getByRole('button', { name: 'Discard' }));
  expect(field('Name').value).toBe('Spring');
  expect(draft.discard).toHaveBeenCalled();
});

test('an empty field shows its error on submit but not on blur', async () => {
  await draw(Page);
  fireEvent.focus(field('Name'));
  fireEvent.blur(field('Name'));
  expect(screen.queryByText('Name is required!')).toBeNull();
  create();
  expect(await screen.findByText('Name is required!')).toBeTruthy();
});

test('a field’s error appears only after the click that moved focus has ended', async () => {
  await draw(Page);
  type('Name', 'audience-7');
  const outside = screen.getByText('Away');
  const isShown: boolean[] = [];
  const record = () => isShown.push(screen.queryByText(/Names such as "audience-1"/) !== null);
  fireEvent.pointerDown(outside);
  fireEvent.mouseDown(outside);
  fireEvent.blur(field('Name'));
  record();
  fireEvent.pointerUp(outside);
  fireEvent.mouseUp(outside);
  record();
  expect(isShown).toEqual([false, false]);
  expect(await screen.findByText(/Names such as "audience-1"/)).toBeTruthy();
});

test('valid input is sent once with an idempotency key, and the caller is notified', async () => {
  await draw(Page);
  type('Name', 'Spring');
  create();
  await waitFor(() => expect(onSave).toHaveBeenCalledTimes(1));
  expect(posts()).toHaveLength(1);
  expect(posts()[0]?.body).toEqual({ name: 'Spring', channel: 'SMS' });
  expect(posts()[0]?.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/);
});

test('a server error appears at its field, moves focus there, and does not show a toast', async () => {
  reply = () => refuse(409, { code: 1309, message: 'An audience with this name already exists', field: 'name' });
  await draw(Page);
  type('Name', 'Spring');
  create();
  expect(await screen.findByText('An audience with this name already exists')).toBeTruthy();
  expect(field('Name').getAttribute('aria-invalid')).toBe('true');
  await waitFor(() => expect(document.activeElement === field('Name')).toBe(true));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(onSave).not.toHaveBeenCalled();
});

test('an error without a field appears above the form', async () => {
  reply = () => refuse(402, { code: 7909, message: 'Your balance is too low' });
  await draw(Page);
  type('Name', 'Spring');
  create();
  expect((await screen.findByRole('alert')).textContent).toBe('Your balance is too low');
});

test('a request keeps its idempotency key while its outcome is unknown and replaces it after a rejection', async () => {
  await draw(Page);
  type('Name', 'Spring');
  reply = () => Promise.reject(new TypeError('network'));
  create();
  await screen.findByText(/cannot be reached/);
  reply = () => refuse(409, { code: 1309, message: 'An audience with this name already exists', field: 'name' });
  create();
  await screen.findByText('An audience with this name already exists');
  reply = () => respond({ id: 'a', name: 'Spring' });
  type('Name', 'Spring 2');
  create();
  await waitFor(() => expect(onSave).toHaveBeenCalled());
  const [first, second, third] = posts().map((call) => call.headers.get('idempotency-key'));
  expect(second).toBe(first);
  expect(third).not.toBe(second);
});

test('changed filters in the address of the same page ask for no confirmation', async () => {
  const { router } = await draw(Page);
  type('Name', 'Spring');
  await router.navigate({ to: '.', search: { search: 'Spring' } as never, replace: true });
  expect(router.state.location.searchStr).toContain('Spring');
  expect(screen.queryByText('Leave without saving?')).toBeNull();
});

test('leaving with unsaved changes asks for confirmation', async () => {
  const { router } = await draw(Page);
  type('Name', 'Spring');
  fireEvent.click(screen.getByText('Away'));
  fireEvent.click(await screen.findByRole('button', { name: 'Stay' }));
  await waitFor(() => expect(screen.queryByText('Leave without saving?')).toBeNull());
  expect(router.state.location.pathname).toBe('/');
  fireEvent.click(screen.getByText('Away'));
  fireEvent.click(await screen.findByRole('button', { name: 'Leave' }));
  expect(await screen.findByText('Elsewhere')).toBeTruthy();
});

test('number and range errors use the standard form messages', async () => {
  function Numbers() {
    const { form, onSubmit } = useContractForm(updateRoute, {
      initial: { priority: 5 as number | string },
      labels: { priority: 'Priority' },
    });
    return (
      <form onSubmit={onSubmit}>
        <Field form={form} name="priority" as={NumberInput} label="Priority" />
        <Button type="submit">Save</Button>
      </form>
    );
  }
  await draw(Numbers);
  const save = (value: string) => {
    type('Priority', value);
    fireEvent.submit(field('Priority').form as HTMLFormElement);
  };
  save('1001');
  expect(await screen.findByText('Priority must be between 1 and 1000')).toBeTruthy();
  save('-');
  expect(await screen.findByText('Priority is not a valid number!')).toBeTruthy();
  save('');
  expect(await screen.findByText('Priority is required!')).toBeTruthy();
});

const summary = () => screen.queryByRole('region', { name: 'Errors in this form' });

test('a summary links to each invalid field after a submit, and only the fields state the errors', async () => {
  await draw(Page);
  type('Channel', '');
  fireEvent.blur(field('Channel'));
  await screen.findByText('Channel is not valid');
  expect(summary()).toBeNull();
  create();
  await waitFor(() => expect(summary()?.textContent).toContain('2 fields need attention'));
  expect(screen.getAllByText('Channel is not valid')).toHaveLength(1);
  expect(screen.getAllByText('Name is required!')).toHaveLength(1);
  expect(document.activeElement === field('Name')).toBe(true);
  fireEvent.click(screen.getByRole('link', { name: 'Channel' }));
  expect(document.activeElement === field('Channel')).toBe(true);
});

test('a fixed field stays in the summary until the next submit', async () => {
  await draw(Page);
  type('Channel', '');
  create();
  await waitFor(() => expect(summary()?.textContent).toContain('2 fields need attention'));
  type('Name', 'Spring');
  await waitFor(() => expect(summary()?.textContent).toContain('1 field needs attention'));
  expect(screen.getByRole('link', { name: /^Name\s?, fixed$/ })).toBeTruthy();
  type('Channel', 'SMS');
  await waitFor(() => expect(summary()?.textContent).toContain('All errors are fixed'));
  create();
  await waitFor(() => expect(summary()).toBeNull());
});

function Settings() {
  const { form, bind, saveBar } = useContractForm(updateAccount, {
    initial: { company_name: 'Pier 9', company_website: '' },
    labels: { company_name: 'Company' },
  });
  return (
    <Form {...bind}>
      <Field form={form} name="company_name" as={TextInput} label="Company" />
      <Field form={form} name="company_website" as={TextInput} label="Website" />
      <SaveBar {...saveBar} save="Save company" />
      <Link to="/elsewhere">Away</Link>
    </Form>
  );
}

test('the rules mark a field as optional when they accept it empty', async () => {
  await draw(Settings);
  expect(screen.getByLabelText('Website (optional)').hasAttribute('required')).toBe(false);
  expect(field('Company').hasAttribute('required')).toBe(true);
});

test('the save bar appears with the first change, and Discard restores the saved values', async () => {
  await draw(Settings);
  const bar = () => screen.queryByRole('region', { name: 'Unsaved changes' });
  expect(bar()).toBeNull();
  type('Company', 'Pier 10');
  expect(bar()).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Discard' }));
  expect(field('Company').value).toBe('Pier 9');
  expect(bar()).toBeNull();
});

test('leaving asks once when several forms have unsaved changes', async () => {
  const { router } = await draw(() => (
    <>
      <Settings />
      <Page />
    </>
  ));
  type('Company', 'Pier 10');
  type('Name', 'Spring');
  fireEvent.click(screen.getAllByText('Away')[0]!);
  fireEvent.click(await screen.findByRole('button', { name: 'Leave' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/elsewhere'));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Leave' })).toBeNull());
});
