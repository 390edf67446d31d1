/** Builds a minimal MP4 with the given duration and no picture, for tests that attach videos. */
const box = (name: string, ...content: Buffer[]): Buffer => {
  const data = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + data.length);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, data]);
};

export function movie(seconds: number): Buffer {
  const brands = Buffer.concat([Buffer.from('isom'), Buffer.alloc(4), Buffer.from('isommp42')]);
  const header = Buffer.alloc(100);
  // In version 0, two dates come first, then the ticks per second, then the duration in ticks.
  header.writeUInt32BE(1_000, 12);
  header.writeUInt32BE(seconds * 1_000, 16);
  return Buffer.concat([box('ftyp', brands), box('moov', box('mvhd', header)), box('mdat', Buffer.alloc(2_000, 1))]);
}
