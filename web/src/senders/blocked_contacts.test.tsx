/** @vitest-environment happy-dom */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { answer, draw, refuse, sessionStub, stubApi } from '../test/draw.tsx';
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

/** The stop list as the server keeps it. */
function keep(rows: ReturnType<typeof entry>[], permissions?: Record<string, number>, total = () => rows.length) {
  return stubApi((call) => {
    const { method, path, body } = call;
    if (path === '/v1/stop_list')
      return answer(rows, {
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
      return answer(rows[0]);
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

test('blocked once: an empty field and one who is blocked already are said below it; the list follows', async () => {
  const calls = keep([entry('447410000321', 'keyword')]);
  await draw(() => <BlockedContacts id={ID} />);
  await screen.findByText('They asked for it');
  expect(calls.find(({ path }) => path === '/v1/stop_list')!.query.get('filter[sender_id]')).toBe(ID);
  const field = screen.getByLabelText('Block a contact') as HTMLInputElement;
  const said = () => document.getElementById(field.getAttribute('aria-describedby')!.split(' ').at(-1)!)?.textContent;
  fireEvent.click(screen.getByRole('button', { name: 'Block' }));
  await waitFor(() => expect(said()).toBe('Number is required'));
  fireEvent.change(field, { target: { value: '+44 7410 000321' } });
  fireEvent.click(screen.getByRole('button', { name: 'Block' }));
  await waitFor(() => expect(said()).toBe('This contact is already blocked for the sender'));
  fireEvent.change(field, { target: { value: '+44 7410 000322' } });
  fireEvent.click(screen.getByRole('button', { name: 'Block' }));
  expect(await screen.findByText('Added by hand')).toBeTruthy();
  const emptied = screen.getByLabelText('Block a contact') as HTMLInputElement;
  expect(emptied.value).toBe('');
  await waitFor(() => expect(document.activeElement).toBe(emptied));
  expect(screen.getAllByRole('listitem')).toHaveLength(2);
});

test('whoever asked for nothing is not allowed again without a warning', async () => {
  const calls = keep([entry('447410000321', 'keyword')]);
  await draw(() => <BlockedContacts id={ID} />);
  fireEvent.click(await screen.findByRole('button', { name: /^Remove / }));
  const ask = within(await screen.findByRole('dialog'));
  expect(ask.getByText(/^They asked to get nothing more/)).toBeTruthy();
  expect(calls.some(({ method }) => method === 'DELETE')).toBe(false);
  fireEvent.click(ask.getByRole('button', { name: 'Allow again' }));
  expect(await screen.findByText(/^Nobody\./)).toBeTruthy();
  expect(calls.find(({ method }) => method === 'DELETE')!.path).toBe(
    `/v1/senders/${ID}/blockers/01a1fd0a-dc6e-776b-9f75-447410000321`,
  );
});

test('a longer list leads to the stop list; who may only look can change nothing', async () => {
  keep([entry('447410000321', 'manual')], { SENDERS: 1 }, () => 12);
  await draw(() => <BlockedContacts id={ID} />);
  const link = await screen.findByRole('link', { name: 'All 12 on the stop list' });
  expect(link.getAttribute('href')).toContain(`/contacts/my-stop-list?sender_id=${ID}`);
  expect((screen.getByLabelText('Block a contact') as HTMLInputElement).disabled).toBe(true);
  expect(screen.getByRole('button', { name: 'Block' }).getAttribute('aria-disabled')).toBe('true');
  expect(screen.getByRole('button', { name: /^Remove / }).getAttribute('aria-disabled')).toBe('true');
});

test('of many only the first five stand there, however many a page of the list has', async () => {
  keep(Array.from({ length: 10 }, (_, at) => entry(`44741000032${at}`, 'manual')));
  await draw(() => <BlockedContacts id={ID} />);
  expect(await screen.findByRole('link', { name: 'All 10 on the stop list' })).toBeTruthy();
  expect(screen.getAllByRole('listitem')).toHaveLength(5);
});
