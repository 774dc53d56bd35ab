import { useEffect, useEffectEvent } from 'react'
import { matchesKeys } from './keys.ts'

/** Whether what has the focus takes text. */
function isTyping(): boolean {
  const { activeElement } = document
  return (
    activeElement instanceof HTMLInputElement ||
    activeElement instanceof HTMLTextAreaElement ||
    (activeElement instanceof HTMLElement && activeElement.isContentEditable)
  )
}

/**
 * Does something when these keys are pressed anywhere in the page, unless something in it took them for itself; a single
 * character also not while the user types text.
 */
export function useShortcut(keys: string, press: () => void): void {
  const onPress = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.repeat || !matchesKeys(event, keys)) return
    if (keys.length === 1 && isTyping()) return
    event.preventDefault()
    press()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onPress(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}
