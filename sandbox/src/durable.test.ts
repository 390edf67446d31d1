import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { call, createDirectory, type Json, openBox, openBusiness, pause, until } from './test/box.ts';
import { startProgram } from './test/program.ts';

const phone = '447700123456';

describe('the sandbox', () => {
  test('keeps every accepted submission and receipt when it is killed during traffic', async () => {
    const data_dir = createDirectory();
    const first = await startProgram({ SANDBOX_DATA_DIR: data_dir });
    await call(first.ports.http, 'PUT', 'carrier', { receipt_delay_ms: 0, receipt_jitter_ms: 100 });
    const business = await openBusiness(first.ports, { response_timeout_ms: 500, bind: 'transmitter' });
    const acceptedIds: string[] = [];
    let isSending = true;
    let sent = 0;
    const sender = async () => {
      while (isSending) {
        const number = 10_000_000 + sent++;
        try {
          const [response] = await business.send(`4477${number}`, `Message ${number}`);
          if (response?.command_status === 0) acceptedIds.push(response.message_id!);
        } catch {
          isSending = false;
        }
      }
    };
    const senders = Array.from({ length: 50 }, sender);
    await until(() => acceptedIds.length > 1500);
    first.process.kill('SIGKILL');
    await first.exited;
    isSending = false;
    await Promise.all(senders);
    await business.client.stop(0);

    const second = await startProgram({ SANDBOX_DATA_DIR: data_dir });
    const { submissions } = (await call(second.ports.http, 'GET', 'submissions?limit=10000')).body;
    const storedIds = new Set(submissions.map((row: Json) => row.message_id));
    expect(acceptedIds.filter((id) => !storedIds.has(id))).toEqual([]);
    // Only submissions in flight when the process is killed can be stored without a response.
    expect(storedIds.size - acceptedIds.length).toBeLessThanOrEqual(100);
    const receiver = await openBusiness(second.ports, { bind: 'receiver' });
    await until(() => receiver.receipts.length >= storedIds.size);
    expect(new Set(receiver.receipts.map((receipt) => receipt.id))).toEqual(storedIds);
    await until(async () => (await call(second.ports.http, 'GET', 'stats')).body.receipts.pending === 0);
  }, 30_000);
});

describe('a restart', () => {
  test('preserves receipts, replies, phones, and carrier settings and does not repeat receipts', async () => {
    const box = await openBox();
    await box.carrier({ receipt_delay_ms: 1 });
    const transmitter = await box.business({ bind: 'transmitter' });
    const ids: string[] = [];
    for (let at = 0; at < 5; at += 1) ids.push((await transmitter.send(phone, `Message ${at}`))[0]!.message_id!);
    await box.call('POST', `phones/${phone}/messages`, { to: 'Parley', text: 'Long '.repeat(50) });
    await box.call('PUT', 'phones/447700000002', { state: 'off' });
    const [waiting] = await transmitter.send('447700000002', 'Wait for me');
    await box.carrier({ id_format: 'decimal', window: 9 });
    await transmitter.client.stop(0);
    await box.sandbox.close();

    const again = await openBox({}, box.data_dir);
    expect(await again.get('carrier')).toMatchObject({ window: 9, receipt_delay_ms: 1 });
    expect((await again.get('stats')).receipts.pending).toBe(5);
    const business = await again.business();
    await until(() => business.receipts.length === 5 && business.replies.length === 2);
    expect(business.receipts.map((receipt) => receipt.id)).toEqual(ids);
    await again.call('PUT', 'phones/447700000002', { state: 'on' });
    await until(() => business.receiptStates(waiting!.message_id).includes('DELIVERED'));
    expect((await again.thread(phone)).map((message) => message.status)).toEqual(Array(6).fill('delivered'));
    await until(async () => (await again.get('stats')).receipts.pending === 0);
    const [newer] = await business.send(phone, 'Afterwards');
    expect(Number(newer!.message_id)).toBeGreaterThan(Math.max(...ids.map(Number)));
    await until(() => business.receiptStates(newer!.message_id).length === 1);
    await business.client.stop(0);
    await again.sandbox.close();

    const third = await openBox({}, box.data_dir);
    const idleBusiness = await third.business();
    await pause(150);
    expect(idleBusiness.delivered).toEqual([]);
    expect(await third.get('stats')).toMatchObject({ accepted: 7, duplicates: 0, receipts: { pending: 0 } });
  });

  test('continues a journal whose last line is incomplete', async () => {
    const box = await openBox();
    const business = await box.business();
    await business.send(phone, 'Whole');
    await business.client.stop(0);
    await box.sandbox.close();
    const journal = readdirSync(box.data_dir).find((name) => name.endsWith('.jsonl'))!;
    appendFileSync(join(box.data_dir, journal), '{"k":"submission","seq":1795,"text":"To');
    const again = await openBox({}, box.data_dir);
    const secondBusiness = await again.business();
    await secondBusiness.send(phone, 'Next');
    expect((await again.thread(phone)).map((message) => message.text)).toEqual(['Whole', 'Next']);
    await secondBusiness.client.stop(0);
    await again.sandbox.close();
    const third = await openBox({}, box.data_dir);
    expect((await third.thread(phone)).map((message) => message.text)).toEqual(['Whole', 'Next']);
  });

  test('does not prevent the parts of a long message from being joined', async () => {
    const box = await openBox();
    const before = await box.business();
    const text = 'Part by part. '.repeat(20);
    const parts: Json[] = [];
    before.client.submit = (draft) => {
      parts.push(draft);
      return Promise.resolve({ command: 'submit_sm_resp', command_status: 0, sequence_number: 0 });
    };
    await before.send(phone, text);
    await (await box.business()).client.submit(parts[0]);
    await box.sandbox.close();
    const again = await openBox({}, box.data_dir);
    expect((await again.get('stats')).incomplete).toBe(1);
    await (await again.business()).client.submit(parts[1]);
    expect((await again.thread(phone))[0].text).toBe(text);
  });
});

test('a submission is written to the journal before its response is sent', async () => {
  const box = await openBox();
  const business = await box.business();
  const onDisk = () =>
    readdirSync(box.data_dir)
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => readFileSync(join(box.data_dir, name), 'utf8'))
      .join('');
  for (let at = 0; at < 50; at += 1) {
    const [response] = await business.send(phone, `Message ${at}`);
    expect(onDisk()).toContain(`"seq":${response!.message_id}`);
  }
});

test('a submission is refused and not stored when the journal cannot be written', async () => {
  const box = await openBox();
  const business = await box.business();
  box.sandbox.world.close();
  const [response] = await business.send(phone, 'Hello');
  expect(response!.command_status).toBe(8);
  expect(await box.thread(phone)).toEqual([]);
  const { status, body } = await box.call('POST', `phones/${phone}/messages`, { to: 'Parley', text: 'Hello' });
  expect([status, body.errors[0].code]).toEqual([503, 'unavailable']);
});

test('the sandbox refuses submissions while the disk is full and keeps every accepted one', async () => {
  const data_dir = createDirectory();
  const fullDisk = await startProgram({ SANDBOX_DATA_DIR: data_dir }, { file_blocks: 40 });
  const business = await openBusiness(fullDisk.ports, { bind: 'transmitter' });
  const acceptedIds: string[] = [];
  const statuses = new Set<number>();
  for (let at = 0; at < 100; at += 1) {
    const [response] = await business.send(phone, `Message ${at}`);
    statuses.add(response!.command_status);
    if (response!.command_status === 0) acceptedIds.push(response!.message_id!);
  }
  expect([...statuses]).toEqual([0, 8]);
  expect((await call(fullDisk.ports.http, 'GET', 'stats')).body).toMatchObject({ accepted: acceptedIds.length });
  fullDisk.process.kill('SIGKILL');
  await fullDisk.exited;
  const restarted = await startProgram({ SANDBOX_DATA_DIR: data_dir });
  const { submissions } = (await call(restarted.ports.http, 'GET', 'submissions')).body;
  expect(submissions.map((row: Json) => row.message_id)).toEqual(acceptedIds);
  const again = await openBusiness(restarted.ports);
  expect((await again.send(phone, 'Space available again'))[0]!.command_status).toBe(0);
});

test('the sandbox keeps only the newest messages in memory and on disk but counts all of them', async () => {
  const box = await openBox({ keep: 100, segment_bytes: 20_000 });
  const business = await box.business({ bind: 'transmitter' });
  await box.call('PUT', 'phones/447799999999', { state: 'reject' });
  for (let batch = 0; batch < 20; batch += 1) {
    const numbers = Array.from({ length: 50 }, (_, at) => `4477${10_000_000 + batch * 50 + at}`);
    await Promise.all(numbers.map((number) => business.send(number, 'Hello')));
  }
  const stats = await box.get('stats');
  expect(stats).toMatchObject({ accepted: 1000, kept: 100, phones: 101 });
  expect(stats.receipts.pending).toBe(100);
  expect(readdirSync(box.data_dir).filter((name) => name.endsWith('.jsonl')).length).toBeLessThanOrEqual(4);
  await business.client.stop(0);
  await box.sandbox.close();
  const again = await openBox({ keep: 100, segment_bytes: 20_000 }, box.data_dir);
  expect(await again.get('stats')).toMatchObject({ accepted: 1000, kept: 100, receipts: { pending: 100 } });
  expect((await again.get('phones/447799999999/messages')).phone.state).toBe('reject');
  const receiver = await again.business({ bind: 'receiver' });
  await until(() => receiver.receipts.length === 100);
});
