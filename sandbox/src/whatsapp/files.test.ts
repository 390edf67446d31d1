import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Box, openBox, until } from '../test/box.ts';
import { openWhatsapp, type WhatsappBusiness } from '../test/whatsapp.ts';

const phone = '447700123456';

async function start(): Promise<{ box: Box; business: WhatsappBusiness }> {
  const box = await openBox();
  return { box, business: await openWhatsapp(box) };
}

describe('files', () => {
  const png = Buffer.from('89504e470d0a1a0a', 'hex');

  async function upload(business: WhatsappBusiness, bytes: Buffer, type: string, name = 'a.bin') {
    const form = new FormData();
    form.set('messaging_product', 'whatsapp');
    form.set('type', type);
    form.set('file', new Blob([new Uint8Array(bytes)], { type }), name);
    return business.call('POST', `${business.number}/media`, form);
  }

  test('can be uploaded, downloaded with the token, sent by id, and deleted', async () => {
    const { box, business } = await start();
    const { id } = (await upload(business, png, 'image/png')).body;
    const file = await business.callOk('GET', id);
    expect(file).toMatchObject({ messaging_product: 'whatsapp', mime_type: 'image/png', file_size: png.length, id });
    expect((await fetch(file.url)).status).toBe(401);
    const headers = { authorization: 'Bearer sandbox-whatsapp-token' };
    const bytes = await fetch(file.url, { headers });
    expect(Buffer.from(await bytes.arrayBuffer())).toEqual(png);
    expect((await fetch(file.url.replace(/ext=\d+/, 'ext=9999999999'), { headers })).status).toBe(404);
    await business.openWindow(phone);
    await business.send(phone, { type: 'image', image: { id, caption: 'Look' } });
    const message = (await box.thread(phone))[1];
    expect(message.content).toMatchObject({ kind: 'image', caption: 'Look', media: { mime: 'image/png', size: 8 } });
    expect(Buffer.from(await (await fetch(business.origin + message.content.media.url)).arrayBuffer())).toEqual(png);
    const mismatched = await business.send(phone, { type: 'video', video: { id } });
    await until(() => business.hooks.statusesFor(mismatched).length === 1);
    expect(business.hooks.statuses.at(-1).errors[0].code).toBe(131053);
    await business.callOk('DELETE', id);
    expect(await business.refusal(phone, { type: 'image', image: { id } })).toEqual([400, 131009]);
  });

  test.each([
    ['their type is not supported', png, 'image/gif'],
    ['they are too large', Buffer.alloc(5 * 1024 * 1024 + 1), 'image/png'],
    ['they are empty', Buffer.alloc(0), 'image/jpeg'],
    ['a static sticker is too large', Buffer.alloc(100 * 1024 + 1), 'image/webp'],
  ])('are refused when %s', async (_, bytes, type) => {
    const { business } = await start();
    const { status, body } = await upload(business, bytes, type);
    expect([status, body.error.code]).toEqual([400, 100]);
  });

  test('are fetched after the response when sent by link, and failures are reported by webhook', async () => {
    const { box, business } = await start();
    let requests = 0;
    const server = createServer((request, response) => {
      requests += 1;
      if (request.url === '/gone.png') return response.writeHead(404).end();
      const type = request.url === '/page.png' ? 'text/html' : 'application/pdf';
      return response.writeHead(200, { 'content-type': type }).end('bytes');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const base = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    await business.openWindow(phone);
    const document = await business.send(phone, { type: 'document', document: { link: `${base}/a%20b.pdf` } });
    await until(() => business.hooks.statusesFor(document).includes('delivered'));
    expect((await box.thread(phone))[1].content.media).toMatchObject({
      file_name: 'a b.pdf',
      mime: 'application/pdf',
      size: 5,
    });
    const missing = await business.send(phone, { type: 'image', image: { link: `${base}/gone.png` } });
    const page = await business.send(phone, { type: 'image', image: { link: `${base}/page.png` } });
    await until(() => business.hooks.statusesFor(missing).length + business.hooks.statusesFor(page).length === 2);
    const code = (id: string) => business.hooks.statuses.find((status) => status.id === id).errors[0].code;
    expect([code(missing), code(page), requests]).toEqual([131052, 131053, 3]);
    await box.call('PUT', `phones/${phone}`, { state: 'off' });
    const queued = await business.send(phone, { type: 'document', document: { link: `${base}/c.pdf` } });
    await until(() => business.hooks.statusesFor(queued).length === 1);
    await box.call('PUT', `phones/${phone}`, { state: 'on' });
    await until(() => business.hooks.statusesFor(queued).length === 3);
  });
});
