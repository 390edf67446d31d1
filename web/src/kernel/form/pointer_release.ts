/**
 * Delays an action until the pointer is released. When a field loses focus, its error appears and shifts the page; if
 * the user is pressing a button at that moment, the button would move away before the click registers.
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
    // The click event follows the release within the same task.
    setTimeout(() => {
      if (pressed) return;
      const acts = waiting;
      waiting = [];
      for (const act of acts) act();
    });
  };
  // On touch screens the pointer is released before the browser fires the mouse events that move focus.
  for (const type of ['pointerdown', 'mousedown']) window.addEventListener(type, press, { capture: true });
  for (const type of ['pointerup', 'mouseup', 'pointercancel', 'dragend', 'blur'])
    window.addEventListener(type, (event) => (type !== 'blur' || event.target === window) && release(), {
      capture: true,
    });
}
