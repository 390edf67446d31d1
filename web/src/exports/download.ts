import { type Export, getExportFile } from '@parley/contract/exports/exports.ts';
import { callFile, saveFile } from '../kernel/http/files.ts';
import { toastError } from '../kernel/http/query.ts';

/** Saves the file of a completed export. Errors become toasts. */
export async function downloadExport({ id, filename }: Pick<Export, 'id' | 'filename'>): Promise<void> {
  try {
    saveFile(await callFile(getExportFile, { params: { id } }), filename);
  } catch (error) {
    toastError(error);
  }
}
