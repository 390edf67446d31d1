import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createLog, maskNumber } from './log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void): {
  text: string;
  lines: Record<string, unknown>[];
} {
  let text = '';
  const to = new Writable({
    write(chunk, _, callback) {
      text += String(chunk);
      callback();
    },
  });
  write(createLog({ LOG_LEVEL: 'info', ROLE: 'all' }, to));
  return {
    text,
    lines: text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

test('a masked number shows its beginning and end, but not enough to call it', () => {
  expect(maskNumber('+15551234567')).toBe('+1555***4567');
  expect(maskNumber('15551234567')).toBe('1555***4567');
  expect(maskNumber('+3741234567')).toBe('+37***67');
  expect(maskNumber('22395')).toBe('22395');
});

test('a log line is JSON with a UTC time, level, and message, and phone numbers are masked everywhere', () => {
  const { text, lines } = logged((log) =>
    log.info(
      {
        req_id: 'r1',
        account_id: 'a1',
        to: ['15551234567'],
        from: 'Parley',
        message: { number: '+15551234567' },
        ms: 15551234567,
      },
      'sent to +15551234567',
    ),
  );
  expect(text).not.toContain('+15551234567');
  expect(lines).toEqual([
    {
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      role: 'all',
      req_id: 'r1',
      account_id: 'a1',
      to: ['1555***4567'],
      from: 'Parley',
      message: { number: '+1555***4567' },
      ms: 15551234567,
      msg: 'sent to +1555***4567',
    },
  ]);
});

test('texts, passwords, tokens, and the values in database errors are never logged', () => {
  const failure = Object.assign(new Error('duplicate key: +15551234567'), {
    code: '23505',
    constraint: 'contacts_number',
    detail: 'Key (number)=(15551234567) already exists.',
  });
  const { text, lines } = logged((log) => {
    log.info(
      { text: 'Dear Anna', deep: [{ body: 'Dear Bert', authorization: 'Bearer x', password: 'hunter2' }] },
      'dropped',
    );
    log.error({ err: failure }, 'broke\nforged line');
  });
  for (const secret of ['Anna', 'Bert', 'Bearer', 'hunter2', '15551234567']) expect(text).not.toContain(secret);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatchObject({ err: { code: '23505', constraint: 'contacts_number' } });
});

test('a URL is logged with masked secrets and is otherwise unchanged', () => {
  const { text } = logged((log) => {
    log.warn({ url: 'https://app.example.com/?session_id=s3cret-1&tab=2' }, 'sent to /reset-password/s3cret-2');
    log.error({ err: new Error('GET https://api.example.com/a?token=s3cret-3#code=s3cret-4 failed') }, 'call');
  });
  expect(text).not.toContain('s3cret');
  expect(text).toContain('https://app.example.com/?session_id=***&tab=2');
  expect(text).toContain('/reset-password/***');
  expect(text).toContain('https://api.example.com/a?token=***#code=*** failed');
});
