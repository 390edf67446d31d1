/** @vitest-environment happy-dom */
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { flushRemovals } from '../kernel/http/undo.ts';
import { draw, refuse, respond, sessionStub, stubApi } from '../test/draw.tsx';
import { BlockedContacts } from './BlockedContacts.tsx';

afterEach(() => vi.unstubAllGlobals());

const ID = '01a1fd0a-dc6e-776b-9f75-00ea6b9cab02';
const entry = (number: string, reason: string) => ({
  id: `01a1fd0a-dc6e-776b-9f75-${number}`,
  account_id: '0197a5f0-0000-7000-8000-000000000001',
  number,
  country: 'GB',
  sender_id: ID,
  sender_name: 'Harbour',
  reason,
  text: '',
  message_id: null,
  create_date: '2030-01-01 10:00:00',
});

/** Stubs a server with a stop list. */
function serve(rows: ReturnType<typeof entry>[], permissions?: Record<string, number>, total = () => rows.length) {
  return stubApi((call) => {
    const { method, path, body } = call;
    if (path === '/v1/stop_list')
      return respond(rows, {
        number: 1,
        size: 5,
        total: total(),
        links: { first: '', current: '', previous: null, next: null },
      });
    if (method === 'POST' && path === `/v1/senders/${ID}/blockers`) {
      const number = (body as { number: string }).number.replace(/\D/g, '');
      if (rows.some((row) => row.number === number))
        return refuse(409, { code: 1003, message: 'This contact is already blocked for the sender', field: 'number' });
      rows.unshift(entry(number, 'manual'));
      return respond(rows[0]);
    }
    if (method === 'DELETE') {
      rows.splice(
        rows.findIndex(({ id }) => path.endsWith(id)),
        1,
      );
      return new Response(null, { status: 204 });
    }
    return sessionStub(permissions ? { permissions } : {})(call);
  });
}

test('the block form shows errors under its field and updates the list', async () => {
  const calls = serve([entry('447410000321', 'keyword')]);
  await draw(() => <BlockedContacts id={ID} />);
  await screen.findByText('Opted out by keyword');
  expect(calls.find(({ path }) => path === '/v1/stop_list')!.query.get('filter[sender_id]')).toBe(ID);
  const field = screen.getByLabelText('Block a contact') as HTMLInputElement;
  const fieldError = () =>
    document.getElementById(field.getAttribute('aria-describedby')!.split(' ').at(-1)!)?.textContent;
  fireEvent.click(screen.getByRole('button', { name: 'Block' }));
  await waitFor(() => expect(fieldError()).toBe('Number is required!'));
  fireEvent.change(field, { target: { value: '+44 7410 000321' } });
  fireEvent.click(screen.getByRole('button', { name: 'Block' }));
  await waitFor(() => expect(fieldError()).toBe('This contact is already blocked for the sender'));
  fireEvent.change(field, { target: { value: '+44 7410 000322' } });
  fireEvent.click(screen.getByRole('button', { name: 'Block' }));
  expect(await screen.findByText('Added manually')).toBeTruthy();
  const cleared = screen.getByLabelText('Block a contact') as HTMLInputElement;
  expect(cleared.value).toBe('');
  await waitFor(() => expect(document.activeElement).toBe(cleared));
  expect(screen.getAllByRole('listitem')).toHaveLength(2);
});

test('removing a contact who opted out shows a warning first', async () => {
  const calls = serve([entry('447410000321', 'keyword')]);
  await draw(() => <BlockedContacts id={ID} />);
  fireEvent.click(await screen.findByRole('button', { name: /^Remove / }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/^This person opted out/)).toBeTruthy();
  expect(calls.some(({ method }) => method === 'DELETE')).toBe(false);
  fireEvent.click(dialog.getByRole('button', { name: 'Remove from the stop list' }));
  expect(await screen.findByText(/^No blocked contacts/)).toBeTruthy();
  await act(async () => flushRemovals());
  expect(calls.find(({ method }) => method === 'DELETE')!.path).toBe(
    `/v1/senders/${ID}/blockers/01a1fd0a-dc6e-776b-9f75-447410000321`,
  );
});

test('a longer list links to the stop list and is read-only without edit permission', async () => {
  serve([entry('447410000321', 'manual')], { SENDERS: 1 }, () => 12);
  await draw(() => <BlockedContacts id={ID} />);
  const link = await screen.findByRole('link', { name: 'View all 12 on the stop list' });
  expect(link.getAttribute('href')).toContain(`/contacts/my-stop-list?sender_id=${ID}`);
  expect((screen.getByLabelText('Block a contact') as HTMLInputElement).disabled).toBe(true);
  expect(screen.getByRole('button', { name: 'Block' }).getAttribute('aria-disabled')).toBe('true');
  expect(screen.getByRole('button', { name: /^Remove / }).getAttribute('aria-disabled')).toBe('true');
});

test('the panel shows only the first five contacts', async () => {
  serve(Array.from({ length: 10 }, (_, at) => entry(`44741000032${at}`, 'manual')));
  await draw(() => <BlockedContacts id={ID} />);
  expect(await screen.findByRole('link', { name: 'View all 10 on the stop list' })).toBeTruthy();
  expect(screen.getAllByRole('listitem')).toHaveLength(5);
});
