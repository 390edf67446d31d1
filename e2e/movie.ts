/** An MP4 of any length in seconds, which says how long it lasts and has nothing to be seen in it, for tests that attach videos. */
const box = (name: string, ...inside: Buffer[]): Buffer => {
  const data = Buffer.concat(inside);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + data.length);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, data]);
};

export function movie(seconds: number): Buffer {
  const kind = Buffer.concat([Buffer.from('isom'), Buffer.alloc(4), Buffer.from('isommp42')]);
  const whole = Buffer.alloc(100);
  // Version 0: two dates, then ticks a second, then how many of them it lasts.
  whole.writeUInt32BE(1_000, 12);
  whole.writeUInt32BE(seconds * 1_000, 16);
  return Buffer.concat([box('ftyp', kind), box('moov', box('mvhd', whole)), box('mdat', Buffer.alloc(2_000, 1))]);
}
