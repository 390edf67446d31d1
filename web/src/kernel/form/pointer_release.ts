/**
 * What is said as a field is left moves what stands below it, and whatever moves while it is being pressed is missed: it is said once the pointer is
 * up and its click has arrived.
 */
let pressed = false;
let waiting: (() => void)[] = [];

export function afterRelease(act: () => void): void {
  if (pressed) waiting.push(act);
  else act();
}

if (typeof window !== 'undefined') {
  const press = () => {
    pressed = true;
  };
  const release = () => {
    pressed = false;
    // The click comes after the release, in the same turn.
    setTimeout(() => {
      if (pressed) return;
      const acts = waiting;
      waiting = [];
      for (const act of acts) act();
    });
  };
  // A finger's pointer is up before the mouse events are made of it, and those are what takes the focus away.
  for (const type of ['pointerdown', 'mousedown']) window.addEventListener(type, press, { capture: true });
  for (const type of ['pointerup', 'mouseup', 'pointercancel', 'dragend', 'blur'])
    window.addEventListener(type, (event) => (type !== 'blur' || event.target === window) && release(), {
      capture: true,
    });
}
