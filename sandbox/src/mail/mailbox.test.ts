import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { type Box, openBox } from '../test/box.ts';

interface Mail {
  to: string | string[];
  subject?: string;
  text?: string;
  html?: string;
  raw?: string;
  login?: boolean;
}

test('an email is stored in full, with its codes and links', async () => {
  const box = await openBox();
  await send(box, {
    to: 'anna@example.com',
    subject: '=?utf-8?Q?Your_code_=E2=9C=93?=',
    text: 'Your code is 482913, call 4420 7946 0000.\r\nOr open https://app.example/verify?t=a&u=1.',
    html: '<p>Your code is <b>482913</b></p><a href="https://app.example/verify?t=a&amp;u=1">Go</a>',
  });
  const { mail, total } = await box.get('mail?to=ANNA@example.com');
  expect(total).toBe(1);
  expect(mail[0]).toMatchObject({ from: 'app@parley.example', to: ['anna@example.com'], subject: 'Your code ✓' });
  const detail = await box.get(`mail/${mail[0].id}`);
  expect(detail.codes[0]).toBe('482913');
  expect(detail.links).toContain('https://app.example/verify?t=a&u=1');
  expect(detail.text).toContain('482913');
  expect(detail.headers.map((header: { name: string }) => header.name)).toContain('subject');
  expect((await box.call('GET', `mail/${mail[0].id}/raw`)).body).toMatch(/^From: .*\r\nTo: anna@example.com\r\n/);
  expect((await box.get('mail?to=boris')).mail).toEqual([]);
});

test('an HTML email is served with its inline pictures and cannot run scripts', async () => {
  const box = await openBox();
  await send(box, {
    to: 'anna@example.com',
    raw: [
      'Subject: Pictures',
      'Content-Type: multipart/related; boundary=b',
      '',
      '--b',
      'Content-Type: text/html',
      '',
      '<img src="cid:logo"><script>alert(1)</script>',
      '--b',
      'Content-Type: image/png; name=logo.png',
      'Content-ID: <logo>',
      'Content-Disposition: attachment; filename="logo.png"',
      'Content-Transfer-Encoding: base64',
      '',
      'iVBORw0KGgo=',
      '--b--',
    ].join('\r\n'),
  });
  const { mail } = await box.get('mail');
  const url = `http://127.0.0.1:${box.sandbox.ports.http}/api/mail/${mail[0].id}`;
  const page = await fetch(`${url}/html`);
  expect(page.headers.get('content-security-policy')).toMatch(/^sandbox allow-popups.*default-src 'none'/);
  expect(page.headers.get('content-security-policy')).not.toMatch(/allow-scripts|script-src|allow-same-origin/);
  expect(await page.text()).toContain('data:image/png;base64,iVBORw0KGgo=');
  const file = await fetch(`${url}/attachments/0`);
  expect(file.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''logo.png");
  expect(file.headers.get('content-type')).toBe('application/octet-stream');
  expect([...new Uint8Array(await file.arrayBuffer())].slice(1, 4)).toEqual([0x50, 0x4e, 0x47]);
  expect((await fetch(`${url}/attachments/1`)).status).toBe(404);
});

test('an email survives a restart, is listed in pages, and can be deleted', async () => {
  const box = await openBox();
  for (const name of ['One', 'Two', 'Three']) await send(box, { to: 'anna@example.com', subject: name, text: name });
  await box.sandbox.close();
  const again = await openBox({}, box.data_dir);
  const first = await again.get('mail?limit=2');
  expect(first.mail.map((mail: { subject: string }) => mail.subject)).toEqual(['Three', 'Two']);
  const second = await again.get(`mail?limit=2&before=${first.next}`);
  expect(second.mail.map((mail: { subject: string }) => mail.subject)).toEqual(['One']);
  expect(second.next).toBeNull();
  await send(again, { to: 'anna@example.com', subject: 'Four', text: 'Four' });
  expect(Number((await again.get('mail')).mail[0].id)).toBeGreaterThan(Number(first.mail[0].id));
  expect((await again.call('DELETE', 'mail')).status).toBe(204);
  expect((await again.get('mail')).mail).toEqual([]);
  expect((await again.call('GET', `mail/${first.mail[0].id}`)).status).toBe(404);
});

test('an email to a magic address is refused, and authentication is optional', async () => {
  const box = await openBox();
  await expect(send(box, { to: 'bounce@example.com' })).rejects.toThrow(/^550 /);
  await expect(send(box, { to: 'Busy@example.com' })).rejects.toThrow(/^451 /);
  await send(box, { to: ['anna@example.com', 'boris@example.com'], subject: 'Both', login: true });
  const { mail } = await box.get('mail?to=boris');
  expect(mail[0].to).toEqual(['anna@example.com', 'boris@example.com']);
});

/** Sends an email over SMTP. Rejects with the first error response. */
async function send(box: Box, { to, subject, text, html, raw, login }: Mail): Promise<void> {
  const recipients = Array.isArray(to) ? to : [to];
  const body =
    raw ??
    [
      `Subject: ${subject ?? ''}`,
      'MIME-Version: 1.0',
      'Content-Type: multipart/alternative; boundary=b',
      '',
      `--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text ?? ''}`,
      ...(html ? [`--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${html}`] : []),
      '--b--',
    ].join('\r\n');
  const steps = [
    'EHLO test',
    ...(login ? [`AUTH PLAIN ${Buffer.from('\0anyone\0anything').toString('base64')}`] : []),
    'MAIL FROM:<app@parley.example>',
    ...recipients.map((recipient) => `RCPT TO:<${recipient}>`),
    'DATA',
    `From: App <app@parley.example>\r\nTo: ${recipients.join(', ')}\r\n${body}\r\n.`,
    'QUIT',
  ];
  const socket = connect(box.sandbox.ports.smtp, '127.0.0.1');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let output = '';
  socket.on('data', (chunk) => {
    output += chunk;
    const response = /^(?:\d{3}-.*\r\n)*((\d)\d\d .*)\r\n$/.exec(output);
    if (!response) return;
    output = '';
    if (Number(response[2]) >= 4) reject(new Error(response[1]));
    const step = steps.shift();
    if (step) socket.write(`${step}\r\n`);
    else resolve();
  });
  socket.on('error', reject);
  try {
    await promise;
  } finally {
    socket.destroy();
  }
}
