/** A short sound for new messages, if the user has turned it on for this device. */
export const SOUND_KEY = 'parley.sound';

/** Messages that arrive together make one sound. */
const PAUSE_MS = 2_000;
const SECONDS = 0.25;
/** Two tones, in hertz. */
const TONES = [660, 880];

let last = Number.NEGATIVE_INFINITY;

export function playSound(now = Date.now()): void {
  // The clock of the device can be set back.
  const isPause = Math.abs(now - last) < PAUSE_MS;
  if (localStorage.getItem(SOUND_KEY) !== 'true' || isPause || !('AudioContext' in globalThis)) return;
  last = now;
  const context = new AudioContext();
  const volume = context.createGain();
  volume.gain.setValueAtTime(0.15, context.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + SECONDS * TONES.length);
  volume.connect(context.destination);
  for (const [index, frequency] of TONES.entries()) {
    const tone = context.createOscillator();
    tone.frequency.value = frequency;
    tone.connect(volume);
    tone.start(context.currentTime + index * (SECONDS / 2));
    tone.stop(context.currentTime + (index + 1) * SECONDS);
    if (index === TONES.length - 1) tone.onended = () => void context.close();
  }
}
