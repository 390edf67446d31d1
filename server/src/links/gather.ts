/**
 * Answers calls together. Calls that arrive while a batch runs form the next batch, so batches grow with the load and a
 * single call is not delayed.
 */
interface Call<I, O> {
  item: I;
  resolve: (output: O) => void;
  reject: (error: unknown) => void;
}

/** `work` returns one output for each item, in the same order. */
export function gather<I, O>(work: (items: I[]) => Promise<O[]>, max: number): (item: I) => Promise<O> {
  let waiting: Call<I, O>[] = [];
  let running = false;
  const run = async () => {
    running = true;
    // Lets the other requests of the same network read join the first batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const batch = waiting.slice(0, max);
      waiting = waiting.slice(max);
      await settle(batch, work);
    }
    running = false;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!running) void run();
    });
}

async function settle<I, O>(batch: Call<I, O>[], work: (items: I[]) => Promise<O[]>): Promise<void> {
  try {
    const outputs = await work(batch.map(({ item }) => item));
    for (const [at, call] of batch.entries()) call.resolve(outputs[at]!);
  } catch (error) {
    for (const call of batch) call.reject(error);
  }
}
