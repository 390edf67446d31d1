import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodePdu } from '../pdu.ts';
import { anyPdu } from '../test/pdus.ts';
import { FrameError, FrameSplitter } from './frames.ts';

const lengthOnly = (length: number) => {
  const octets = Buffer.alloc(20);
  octets.writeUInt32BE(length, 0);
  return octets;
};

test('the splitter returns the same frames in order however the stream is chunked', () => {
  const cuts = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(fc.array(anyPdu, { maxLength: 8 }), cuts, (pdus, sizes) => {
      const frames = pdus.map((pdu) => encodePdu(pdu));
      const stream = Buffer.concat(frames);
      const splitter = new FrameSplitter();
      const output: Buffer[] = [];
      for (let at = 0, i = 0; at < stream.length; i++) {
        const size = sizes[i % sizes.length]!;
        // A chunk is valid only during the call, like a reused network buffer.
        const chunk = Buffer.from(stream.subarray(at, at + size));
        splitter.push(chunk, (frame) => output.push(Buffer.from(frame)));
        chunk.fill(0xee);
        at += size;
      }
      expect(output).toEqual(frames);
      expect(splitter.partial).toBe(false);
    }),
  );
});

test.each([0, 1, 3, 4, 8, 15, 101, 0x7fffffff, 0xffffffff, Buffer.from('GET ').readUInt32BE(0)])(
  'the splitter throws FrameError for the length %i, in one chunk or octet by octet',
  (length) => {
    const onFrame = () => expect.unreachable();
    expect(() => new FrameSplitter(100).push(lengthOnly(length), onFrame)).toThrow(FrameError);
    const slow = new FrameSplitter(100);
    const octets = lengthOnly(length);
    for (let i = 0; i < 3; i++) slow.push(octets.subarray(i, i + 1), onFrame);
    expect(slow.partial).toBe(true);
    expect(() => slow.push(octets.subarray(3, 4), onFrame)).toThrow(FrameError);
  },
);

test('the splitter returns valid frames before it throws on an invalid length', () => {
  const valid = encodePdu({ command: 'enquire_link', sequence_number: 1 });
  const output: Buffer[] = [];
  const push = () =>
    new FrameSplitter().push(Buffer.concat([valid, valid, lengthOnly(2)]), (frame) => output.push(frame));
  expect(push).toThrow(FrameError);
  expect(output).toEqual([valid, valid]);
});
