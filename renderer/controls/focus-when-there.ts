let givingUp: (() => void) | undefined

/**
 * Moves the focus to what is looked for, now or as soon as it is in the page: a part of the window may have to be loaded
 * first. Whoever uses a key or the pointer meanwhile has gone elsewhere, and is left there.
 */
export function focusWhenThere(look: () => HTMLElement | null | undefined): void {
  givingUp?.()
  const find = (): void => {
    const found = look()
    if (found === null || found === undefined) return
    giveUp()
    found.focus()
  }
  const observer = new MutationObserver(find)
  const leave = (event: Event): void => {
    // A key that is held down is the one that brought here.
    if (!(event instanceof KeyboardEvent && event.repeat)) giveUp()
  }
  const giveUp = (): void => {
    givingUp = undefined
    observer.disconnect()
    for (const type of USES) document.removeEventListener(type, leave, true)
  }
  givingUp = giveUp
  observer.observe(document.body, { childList: true, subtree: true })
  for (const type of USES) document.addEventListener(type, leave, true)
  find()
}

const USES = ['keydown', 'pointerdown'] as const
