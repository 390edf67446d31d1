/** The QR code of a link, with downloads as PNG and SVG. Loaded lazily, because it contains the QR encoder. */
import { Button } from '@mantine/core';
import encodeQR from 'qr';
import { useMemo } from 'react';
import { CopyId } from '../ui/data/CopyId.tsx';
import styles from './Links.module.css';

const BORDER = 3;
const PNG_PIXELS = 16;

function drawCode(url: string): { size: number; path: string } {
  const rows = encodeQR(url, 'raw', { border: BORDER });
  const runs = rows.flatMap((row, y) =>
    row.flatMap((dark, x) => {
      if (!dark || row[x - 1]) return [];
      const end = row.indexOf(false, x);
      return [`M${x} ${y}h${(end < 0 ? row.length : end) - x}v1H${x}z`];
    }),
  );
  return { size: rows.length, path: runs.join('') };
}

function save(name: string, blob: Blob): void {
  const anchor = document.createElement('a');
  anchor.href = URL.createObjectURL(blob);
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 1_000);
}

function saveSvg(name: string, { size, path }: { size: number; path: string }): void {
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
    `<rect width="${size}" height="${size}" fill="white"/><path d="${path}" fill="black"/></svg>`;
  save(`${name}.svg`, new Blob([svg], { type: 'image/svg+xml' }));
}

function savePng(name: string, { size, path }: { size: number; path: string }): void {
  const canvas = document.createElement('canvas');
  canvas.width = size * PNG_PIXELS;
  canvas.height = size * PNG_PIXELS;
  const context = canvas.getContext('2d');
  if (!context) return;
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(PNG_PIXELS, PNG_PIXELS);
  context.fillStyle = 'black';
  context.fill(new Path2D(path));
  canvas.toBlob((blob) => blob && save(`${name}.png`, blob), 'image/png');
}

interface LinkCodeProps {
  url: string;
  /** The description of the URL. */
  noun?: string;
  title?: string;
}

export default function LinkCode({ url, noun = 'short URL', title = 'Short URL' }: LinkCodeProps) {
  const code = useMemo(() => drawCode(url), [url]);
  const name = `link-${url.slice(url.lastIndexOf('/') + 1)}`;
  return (
    <>
      <svg
        className={styles.qr}
        viewBox={`0 0 ${code.size} ${code.size}`}
        role="img"
        aria-label={`QR code of the ${noun}`}
        shapeRendering="crispEdges"
      >
        <path d={code.path} fill="currentColor" />
      </svg>
      <div className={styles.share}>
        <h2 className={styles.heading}>{title}</h2>
        <CopyId value={url} label={noun} />
        <div className={styles.actions}>
          <Button variant="default" onClick={() => savePng(name, code)}>
            Save PNG
          </Button>
          <Button variant="default" onClick={() => saveSvg(name, code)}>
            Save SVG
          </Button>
        </div>
      </div>
    </>
  );
}
