import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { OutgoingMedia } from '../outgoing_content.ts';
import { readSeconds, VideoSizes } from './video.ts';

const elsewhere = (changes: Partial<OutgoingMedia>): OutgoingMedia => ({
  type: 'video',
  key: null,
  link: 'https://a.example/x.mp4',
  file_name: 'x.mp4',
  content_type: null,
  bytes: null,
  open: null,
  ...changes,
});
const box = (type: string, ...content: Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
};
const header = (version: 0 | 1, units: number, length: number): Buffer => {
  const body = Buffer.alloc(version === 1 ? 112 : 100);
  body[0] = version;
  body.writeUInt32BE(units, version === 1 ? 20 : 12);
  if (version === 1) body.writeBigUInt64BE(BigInt(length), 24);
  else body.writeUInt32BE(length, 16);
  return box('mvhd', body);
};
const start = box('ftyp', Buffer.from('isom0000'));
const data = box('mdat', Buffer.alloc(100_000));
const long = Buffer.concat([
  Buffer.from('00000001', 'hex'),
  Buffer.from('mdat'),
  Buffer.from('0000000000000400', 'hex'),
  Buffer.alloc(1_008),
]);
const drip = (octets: Buffer) => {
  const pieces: Buffer[] = [];
  for (let at = 0; at < octets.length; at += 7) pieces.push(octets.subarray(at, at + 7));
  return Readable.from(pieces);
};

const files: [string, Buffer[], number | null][] = [
  ['the duration is read from a header at the beginning', [start, box('moov', header(0, 1_000, 12_400)), data], 12.4],
  [
    'the duration is read from a header at the end',
    [start, data, box('moov', box('udta', Buffer.alloc(9)), header(0, 600, 1_800))],
    3,
  ],
  [
    'the duration is read from a 64-bit header after a box with a long size',
    [start, long, box('moov', header(1, 90_000, 900_000))],
    10,
  ],
  [
    'the duration is unknown when the header does not specify it',
    [start, box('moov', header(0, 1_000, 0)), data],
    null,
  ],
  ['the duration is unknown when the header has no time units', [start, box('moov', header(0, 0, 9))], null],
  ['the duration is unknown when there is no header', [start, data], null],
  ['the duration is unknown when the header is empty', [start, box('moov')], null],
  ['the duration is unknown when an inner box has a size of zero', [start, box('moov', Buffer.alloc(40))], null],
  [
    'the duration is unknown when the header is truncated',
    [start, box('moov', header(0, 1_000, 5)).subarray(0, 40)],
    null,
  ],
  ['the duration is unknown when the file is not a video', [Buffer.from('GIF89a, and more of the same')], null],
  ['the duration is unknown when the file is empty', [], null],
  [
    'the duration is unknown when a box extends to the end of the file',
    [start, Buffer.from('00000000', 'hex'), Buffer.from('mdat')],
    null,
  ],
  [
    'the duration is unknown when a box is too large to read',
    [start, Buffer.from('7fffffff', 'hex'), Buffer.from('moov')],
    null,
  ],
];
test.each(files)('%s', async (_, boxes, seconds) => {
  const octets = Buffer.concat(boxes);
  expect(await readSeconds(octets.length === 0 ? Readable.from([]) : Readable.from([octets]))).toBe(seconds);
  expect(await readSeconds(drip(octets))).toBe(seconds);
});

const linkedVideo = (octets: Buffer) => {
  const requested: number[] = [];
  const readRange = async (from: number, bytes: number) => {
    requested.push(from);
    return { octets: octets.subarray(from, from + bytes), total: octets.length };
  };
  return {
    requested,
    media: elsewhere({ link: `https://a.example/${octets.length}.mp4`, readRange }),
  };
};
test.each(files)('in a linked file, %s', async (_, boxes, seconds) => {
  const octets = Buffer.concat(boxes);
  const { media: video } = linkedVideo(octets);
  expect(await new VideoSizes().get(video)).toEqual(seconds === null ? null : { bytes: octets.length, seconds });
});

test('a large linked file is read once and only in small parts', async () => {
  const large = Buffer.concat([
    start,
    box('mdat', Buffer.alloc(3_000_000)),
    box('moov', header(0, 600, 1_800), Buffer.alloc(200_000)),
  ]);
  const { requested, media: video } = linkedVideo(large);
  const sizes = new VideoSizes();
  expect(await Promise.all([sizes.get(video), sizes.get(video)])).toEqual([
    { bytes: large.length, seconds: 3 },
    { bytes: large.length, seconds: 3 },
  ]);
  expect(requested).toEqual([0, 3_000_024]);
  const spanning = Buffer.concat([start, box('free', Buffer.alloc(65_500)), box('moov', header(0, 600, 1_800))]);
  const other = linkedVideo(spanning);
  expect(await sizes.get(other.media)).toEqual({ bytes: spanning.length, seconds: 3 });
  expect(other.requested.length).toBe(2);
  const withoutRange = elsewhere({
    link: 'https://a.example/x.mp4',
    readRange: async () => null,
  });
  expect(await sizes.get(withoutRange)).toBeNull();
  let attempts = 0;
  const broken = elsewhere({
    link: 'https://a.example/y.mp4',
    readRange: async () => {
      attempts++;
      throw new Error('server unavailable');
    },
  });
  for (let n = 0; n < 2; n++) await expect(sizes.get(broken)).rejects.toThrow('server unavailable');
  expect(attempts).toBe(2);
});

test('a file is read only as far as needed, and reading a broken file fails', async () => {
  let chunks = 0;
  const endless = Readable.from(
    (function* () {
      yield Buffer.concat([start, box('moov', header(0, 1_000, 2_000))]);
      for (;;) {
        chunks++;
        yield Buffer.alloc(1_000);
      }
    })(),
  );
  expect(await readSeconds(endless)).toBe(2);
  expect(chunks).toBeLessThan(100);
  const broken = new Readable({ read: () => {} });
  queueMicrotask(() => broken.destroy(new Error('connection lost')));
  await expect(readSeconds(broken)).rejects.toThrow('connection lost');
});
