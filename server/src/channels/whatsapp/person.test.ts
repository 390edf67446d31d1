import { describe, expect, test } from 'vitest';
import type { Incoming } from '../channel.ts';
import { change, connection, envelope, metadata, post } from './samples.ts';

describe('an inbound message', () => {
  const contact = { profile: { name: 'Ann Miller' }, wa_id: '447700900123', user_id: 'GB.9180' };
  const message = (changes: object) => ({
    from: '447700900123',
    from_user_id: 'GB.9180',
    id: 'wamid.I1',
    timestamp: '1795871590',
    ...changes,
  });
  const incoming = (changes: object, contacts: object[] = [contact]): readonly Incoming[] =>
    post(envelope(change({ metadata, contacts, messages: [message(changes)] }))).incoming;

  test('with text is read with all of its fields', () => {
    const [inbound] = incoming({ type: 'text', text: { body: 'Do you have a table?' } });
    expect(inbound).toEqual({
      from: '447700900123',
      at: 1_795_871_590_000,
      to: '1030507',
      text: 'Do you have a table?',
      part: null,
      digest: expect.any(Buffer),
      session: connection.id,
      external_id: 'wamid.I1',
      alias: 'GB.9180',
      profile_name: 'Ann Miller',
    });
    const digest = (id: string) => incoming({ id, type: 'text', text: { body: 'x' } })[0]!.digest.toString('hex');
    expect(digest('wamid.I1')).toBe(inbound!.digest.toString('hex'));
    expect(digest('wamid.I2')).not.toBe(inbound!.digest.toString('hex'));
  });

  test.each<[string, object, object[], object]>([
    [
      'their number is hidden',
      { from: undefined },
      [{ profile: { name: 'Ann' }, user_id: 'GB.9180' }],
      { from: 'GB.9180', profile_name: 'Ann' },
    ],
    ['their id is in the field for the number', { from: 'GB.9180' }, [], { from: 'GB.9180' }],
    ['only the contact has their number', { from: 'GB.9180' }, [contact], { from: '447700900123', alias: 'GB.9180' }],
    ['they have no id yet', { from_user_id: undefined }, [{ wa_id: '447700900123' }], { from: '447700900123' }],
    [
      'the message has two contacts',
      {},
      [{ wa_id: '1555', profile: { name: 'Bob' } }, contact],
      { from: '447700900123', profile_name: 'Ann Miller' },
    ],
  ])('identifies the person when %s', (_, changes, contacts, expected) => {
    const [inbound] = incoming({ type: 'text', text: { body: 'Hi' }, ...changes }, contacts);
    expect(inbound).toMatchObject(expected);
    if (!('alias' in expected)) expect(inbound?.alias ?? inbound?.from).toMatch(/^GB\.9180$|^447700900123$/);
  });

  const file = { id: '4001', mime_type: 'image/jpeg', sha256: 'x' };
  test.each<[string, object, string, object | undefined]>([
    [
      'image',
      { image: { ...file, caption: 'Look' } },
      'Look',
      { media: { type: 'image', source: '4001', content_type: 'image/jpeg', file_name: null } },
    ],
    [
      'sticker',
      { sticker: { ...file, mime_type: 'image/webp' } },
      '',
      { media: { type: 'image', content_type: 'image/webp' } },
    ],
    [
      'video',
      { video: { ...file, mime_type: 'video/mp4' } },
      '',
      { media: { type: 'video', content_type: 'video/mp4' } },
    ],
    [
      'document',
      { document: { ...file, mime_type: 'application/pdf', filename: 'bill.pdf' } },
      '',
      { media: { type: 'document', file_name: 'bill.pdf' } },
    ],
    [
      'audio',
      { audio: { ...file, mime_type: 'audio/ogg; codecs=opus', voice: true } },
      '',
      { media: { type: 'document', file_name: 'audio.ogg', content_type: 'audio/ogg; codecs=opus' } },
    ],
    [
      'location',
      { location: { latitude: 51.5, longitude: -0.12, name: 'Quay', address: '1 Quay Street' } },
      'Location: Quay, 1 Quay Street\nhttps://www.google.com/maps?q=51.5,-0.12',
      { location: { latitude: 51.5, longitude: -0.12, name: 'Quay', address: '1 Quay Street' } },
    ],
    ['location', { location: { latitude: 'x' } }, 'Location: unknown', undefined],
    [
      'contacts',
      {
        contacts: [
          {
            name: { formatted_name: 'Bob Stone' },
            phones: [{ phone: '+44 7700 900999' }],
            emails: [{ email: 'b@x.example' }],
          },
          {},
        ],
      },
      'Contact: Bob Stone, +44 7700 900999, b@x.example\nContact: ',
      {
        contacts: [
          { name: 'Bob Stone', phones: ['+44 7700 900999'], emails: ['b@x.example'] },
          { name: '', phones: [], emails: [] },
        ],
      },
    ],
    [
      'button',
      { button: { text: 'Yes', payload: 'confirm-7' }, context: { from: '442079460000', id: 'wamid.O9' } },
      'Yes',
      { media: null, pressed: { text: 'Yes', value: 'confirm-7' }, answers: 'wamid.O9' },
    ],
    [
      'interactive',
      {
        interactive: { type: 'button_reply', button_reply: { id: 'confirm-7', title: 'Yes' } },
        context: { id: 'wamid.O9' },
      },
      'Yes',
      { media: null, pressed: { text: 'Yes', value: 'confirm-7' }, answers: 'wamid.O9' },
    ],
    [
      'interactive',
      { interactive: { type: 'list_reply', list_reply: { id: 'r2', title: 'Terrace', description: 'outside' } } },
      'Terrace',
      { media: null, pressed: { text: 'Terrace', value: 'r2', from_list: true }, answers: null },
    ],
    [
      'interactive',
      {
        interactive: {
          type: 'nfm_reply',
          nfm_reply: {
            name: 'flow',
            body: 'Sent',
            response_json: '{"flow_token":"t","guests":4,"when":{"day":"Fri"}}',
          },
        },
      },
      'Sent\nguests: 4\nwhen: {"day":"Fri"}',
      undefined,
    ],
    [
      'interactive',
      { interactive: { type: 'nfm_reply', nfm_reply: { body: 'Sent', response_json: '[[' } } },
      'Sent',
      undefined,
    ],
    [
      'reaction',
      { reaction: { message_id: 'wamid.O9', emoji: '👍' } },
      'Reacted with 👍',
      { media: null, pressed: null, answers: 'wamid.O9' },
    ],
    ['reaction', { reaction: { message_id: 'wamid.O9', emoji: '' } }, 'Removed the reaction', { answers: 'wamid.O9' }],
    [
      'order',
      {
        order: {
          catalog_id: 'c',
          text: 'Soon please',
          product_items: [
            { product_retailer_id: 'tea', quantity: '2', item_price: '3.5', currency: 'GBP' },
            { product_retailer_id: 'cake' },
          ],
        },
      },
      'Order:\n2 × tea at 3.5 GBP\n1 × cake\nSoon please',
      undefined,
    ],
    ['unsupported', { errors: [{ code: 131051 }] }, 'This message cannot be displayed here', undefined],
    ['hologram', { hologram: { body: 'x' } }, 'This message cannot be displayed here', undefined],
    ['image', { image: {} }, 'This message cannot be displayed here', undefined],
    ['text', { text: {} }, 'This message cannot be displayed here', undefined],
    [
      'text',
      { text: { body: 'Also this' }, context: { id: 'wamid.O9' } },
      'Also this',
      { media: null, pressed: null, answers: 'wamid.O9' },
    ],
  ])('of type %s is converted to text and content', (type, changes, text, content) => {
    const [inbound] = incoming({ type, ...changes });
    expect(inbound!.text).toBe(text);
    if (content) expect(inbound!.content).toMatchObject(content);
    else expect(inbound).not.toHaveProperty('content');
  });

  test.each<[string, object]>([
    ['reports a changed number', { type: 'system', system: { body: 'changed', type: 'user_changed_number' } }],
    ['comes from a group', { type: 'text', text: { body: 'all' }, group_id: 'g1' }],
    ['has no id', { type: 'text', text: { body: 'x' }, id: undefined }],
    ['has an invalid sender', { type: 'text', text: { body: 'x' }, from: 'no-number', from_user_id: '../etc' }],
  ])('is ignored when it %s', (_, changes) => {
    expect(incoming(changes, [])).toEqual([]);
  });

  test('is dropped when the callback does not name our number', () => {
    const callback = envelope(change({ messages: [message({ type: 'text', text: { body: 'x' } })] }));
    expect(post(callback).incoming).toEqual([]);
  });

  test('contains names reduced to one line without direction marks', () => {
    const rlo = '\u202e';
    const contact_list = [{ wa_id: '447700900123', profile: { name: `Anna${rlo}\u2066\nB.\u061c ` } }];
    const media = { id: '1', filename: `${rlo}fdp.exe\r\n.pdf` };
    const [inbound] = incoming({ type: 'document', document: media }, contact_list);
    expect(inbound).toMatchObject({ profile_name: 'Anna B.', content: { media: { file_name: 'fdp.exe .pdf' } } });
    expect(incoming({ type: 'text', text: { body: `שלום${rlo}` } })[0]!.text).toBe(`שלום${rlo}`);
  });

  test('contains text without NUL or half characters, cut to the maximum length', () => {
    const [inbound] = incoming({ type: 'text', text: { body: `a\0b\ud83d${'x'.repeat(20_000)}` } });
    expect(inbound!.text!.startsWith('ab\ufffdx')).toBe(true);
    expect(inbound!.text!.length).toBeLessThanOrEqual(10_000);
  });
});
