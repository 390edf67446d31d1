import { IconFile, IconUpload } from '@tabler/icons-react';
import { useId, useRef, useState } from 'react';
import { formatBytes } from '../data/format.ts';
import styles from './FileDrop.module.css';

export interface FileDropProps {
  /** "Drop a CSV or XLSX file here" */
  label: string;
  /** Endings with the dot, lower case: ['.csv', '.xlsx']. */
  accept: readonly string[];
  max_bytes: number;
  file: File | null;
  onFile: (file: File | null) => void;
  /** Why a file is refused, where there is more to it than ending and size. */
  check?: (file: File) => string | null;
  /** What the server said about it. */
  error?: string | null;
  disabled?: boolean;
}

/** Size and ending are checked before anything is sent; the reason stands below in words. */
export function FileDrop({ label, accept, max_bytes, file, onFile, check, error, disabled = false }: FileDropProps) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const id = useId();
  const limits = `${accept.map((ending) => ending.slice(1).toUpperCase()).join(', ')} up to ${formatBytes(max_bytes)}`;

  const take = (next: File | undefined) => {
    if (!next || disabled) return;
    const wrong = check ? check(next) : refusal(next, accept, max_bytes);
    setRefused(wrong);
    onFile(wrong ? null : next);
  };
  const problem = refused ?? error ?? null;

  return (
    <div>
      <button
        type="button"
        className={styles.drop}
        data-over={over || undefined}
        data-problem={problem ? true : undefined}
        disabled={disabled}
        aria-describedby={`${id}-note`}
        onClick={() => input.current?.click()}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          take(event.dataTransfer.files[0]);
        }}
      >
        {file ? <IconFile size={22} stroke={1.6} aria-hidden /> : <IconUpload size={22} stroke={1.6} aria-hidden />}
        <span className={styles.name}>{file ? file.name : label}</span>
        <span className={styles.limits}>
          {file ? `${formatBytes(file.size)}. Choose another` : `or choose one from your device. ${limits}`}
        </span>
      </button>
      <input
        ref={input}
        type="file"
        hidden
        tabIndex={-1}
        accept={accept.join(',')}
        onChange={(event) => {
          take(event.currentTarget.files?.[0]);
          // The same file can be chosen again after it was corrected.
          event.currentTarget.value = '';
        }}
      />
      <p id={`${id}-note`} className={styles.problem} role={problem ? 'alert' : undefined}>
        {problem}
      </p>
    </div>
  );
}

export function refusal(
  file: { name: string; size: number },
  accept: readonly string[],
  max_bytes: number,
): string | null {
  const name = file.name.toLowerCase();
  if (accept.length > 0 && !accept.some((ending) => name.endsWith(ending))) {
    return accept.length === 1
      ? `The file must be of type ${accept[0]}`
      : `The file must be of one of the types ${accept.join(', ')}`;
  }
  if (file.size > max_bytes) return `The file has ${formatBytes(file.size)}; the limit is ${formatBytes(max_bytes)}`;
  if (file.size === 0) return 'The file is empty';
  return null;
}
