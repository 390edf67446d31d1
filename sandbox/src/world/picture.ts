import { crc32, deflateSync } from 'node:zlib';

const [width, height] = [320, 200];

/** Draws the PNG that magic phones send. */
export function samplePicture(): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = y * (1 + width * 3) + 1 + x * 3;
      const inSun = (x - 236) ** 2 + (y - 64) ** 2 < 34 ** 2;
      const inHill = y > 150 - 36 * Math.sin((x / width) * Math.PI * 1.4);
      const [r, g, b] = inHill ? [64, 122, 88] : inSun ? [250, 204, 92] : [150 + y / 4, 196 + y / 8, 232];
      rows.writeUInt8(Math.round(r!), at);
      rows.writeUInt8(Math.round(g!), at + 1);
      rows.writeUInt8(b!, at + 2);
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
