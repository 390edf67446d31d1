/** Reads the response of the language model, one object per line, while it arrives. */
import type { AssistanceLine } from '@parley/contract/assistance/actions.ts';

export async function readLines(response: Response, onLine: (line: AssistanceLine) => void): Promise<void> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = '';
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (waiting + (value ?? '')).split('\n');
    waiting = done ? '' : lines.pop()!;
    for (const line of lines) if (line !== '') onLine(JSON.parse(line) as AssistanceLine);
    if (done) return;
  }
}
