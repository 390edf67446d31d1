import { IconFile, IconUpload } from '@tabler/icons-react';
import { useId, useRef, useState } from 'react';
import { formatBytes } from '../data/format.ts';
import styles from './FileDrop.module.css';

interface FileDropProps {
  /** "Drop a CSV or XLSX file here" */
  label: string;
  /** File extensions in lowercase, such as ['.csv', '.xlsx']. */
  accept: readonly string[];
  max_bytes: number;
  file: File | null;
  onFile: (file: File | null) => void;
  /** Returns why a file is rejected; replaces the default extension and size checks. */
  check?: (file: File) => string | null;
  /** The error from the server. */
  error?: string | null;
  disabled?: boolean;
}

/**
 * A file input with drag and drop. It checks the extension and size before the upload and shows the reason for a
 * rejection below.
 */
export function FileDrop({ label, accept, max_bytes, file, onFile, check, error, disabled = false }: FileDropProps) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [rejection, setRejection] = useState<string | null>(null);
  const id = useId();
  const types = accept.map((extension) => extension.slice(1).toUpperCase()).join(', ');

  const choose = (next: File | undefined) => {
    if (!next || disabled) return;
    const reason = check ? check(next) : fileProblem(next, accept, max_bytes);
    setRejection(reason);
    onFile(reason ? null : next);
  };
  const problem = rejection ?? error ?? null;

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
          choose(event.dataTransfer.files[0]);
        }}
      >
        {file ? <IconFile size={22} stroke={1.6} aria-hidden /> : <IconUpload size={22} stroke={1.6} aria-hidden />}
        <span className={styles.name}>{file ? file.name : label}</span>
        <span className={styles.limits}>
          {file
            ? `${formatBytes(file.size)}. Choose another file`
            : `or choose a file from your device. ${types}, up to ${formatBytes(max_bytes)}`}
        </span>
      </button>
      <input
        ref={input}
        type="file"
        hidden
        tabIndex={-1}
        accept={accept.join(',')}
        onChange={(event) => {
          choose(event.currentTarget.files?.[0]);
          // Lets the user choose the same file again after correcting it.
          event.currentTarget.value = '';
        }}
      />
      <p id={`${id}-note`} className={styles.problem} role={problem ? 'alert' : undefined}>
        {problem}
      </p>
    </div>
  );
}

/** Why a file is rejected; null if it is accepted. */
export function fileProblem(
  file: { name: string; size: number },
  accept: readonly string[],
  max_bytes: number,
): string | null {
  const name = file.name.toLowerCase();
  if (accept.length > 0 && !accept.some((extension) => name.endsWith(extension))) {
    return accept.length === 1
      ? `The file must be a ${accept[0]} file`
      : `The file must have one of these types: ${accept.join(', ')}`;
  }
  if (file.size > max_bytes) return `The file is ${formatBytes(file.size)}; the limit is ${formatBytes(max_bytes)}`;
  if (file.size === 0) return 'The file is empty';
  return null;
}
