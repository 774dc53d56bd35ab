let presses = 0

/**
 * How often the user pressed a key or the pointer in this page. What comes late compares it with what it was when it was
 * asked for: whoever went on meanwhile must not be interrupted.
 */
export function pressesSoFar(): number {
  return presses
}

/** Counts from now on. To be called once. */
export function followPresses(target: Pick<EventTarget, 'addEventListener'>): void {
  const count = (event: Event): void => {
    // Such a key alone does nothing.
    const isNothing = 'key' in event && /^(?:Shift|Control|Alt|AltGraph|Meta)$/.test(String(event.key))
    if (!isNothing) presses += 1
  }
  for (const type of ['keydown', 'pointerdown']) target.addEventListener(type, count, { capture: true })
}
