import { vi } from 'vitest';

/** Replaces the sound of the browser and returns how many sounds were played. Restore with `vi.unstubAllGlobals()`. */
export function stubAudio(): { played: number } {
  const sounds = { played: 0 };
  const param = { value: 0, setValueAtTime: () => {}, exponentialRampToValueAtTime: () => {} };
  const node = { connect: () => {}, start: () => {}, stop: () => {}, gain: param, frequency: param };
  class Context {
    readonly currentTime = 0;
    readonly destination = node;
    readonly createGain = () => node;
    readonly createOscillator = () => node;
    constructor() {
      sounds.played += 1;
    }
  }
  vi.stubGlobal('AudioContext', Context);
  return sounds;
}
