/** Whether the user's keyboard has a command key. */
export const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

const macNames: Record<string, string> = { mod: '⌘', alt: '⌥', shift: '⇧', enter: '⏎', backspace: '⌫' }
const otherNames: Record<string, string> = {
  mod: 'Ctrl',
  alt: 'Alt',
  shift: 'Shift',
  enter: '⏎',
  backspace: '⌫',
}

/** `mod+shift+k` as the user's platform writes it: `⌘⇧K` or `Ctrl Shift K`. */
export function keyText(keys: string, mac: boolean = isMac): string {
  const parts = keys.split('+').map((part) => {
    const named = (mac ? macNames : otherNames)[part]
    return named ?? (part.length === 1 ? part.toUpperCase() : part)
  })
  return parts.join(mac ? '' : ' ')
}

export interface KeyPress {
  readonly key: string
  /** The key by its place, whatever it types: `KeyK`, `Digit1`. */
  readonly code: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

/** With Alt or Option a key types something else, so its place counts too. */
function isKey(press: KeyPress, key: string): boolean {
  if (press.key.toLowerCase() === key) return true
  return press.altKey && (press.code === `Key${key.toUpperCase()}` || press.code === `Digit${key}`)
}

/** Whether a key press is the combination `keys` (`mod` is ⌘ on a Mac and Ctrl elsewhere). */
export function matchesKeys(press: KeyPress, keys: string, mac: boolean = isMac): boolean {
  const parts = keys.toLowerCase().split('+')
  const key = parts.at(-1) ?? ''
  const wants = (name: string): boolean => parts.slice(0, -1).includes(name)
  return (
    isKey(press, key) &&
    press.shiftKey === wants('shift') &&
    press.altKey === wants('alt') &&
    (mac ? press.metaKey : press.ctrlKey) === wants('mod') &&
    !(mac ? press.ctrlKey : press.metaKey)
  )
}
