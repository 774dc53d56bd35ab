import { useEffect, useEffectEvent } from 'react'
import { matchesKeys } from './keys.ts'

/** Does something when these keys are pressed anywhere in the page, unless something in it took them for itself. */
export function useShortcut(keys: string, press: () => void): void {
  const onPress = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.repeat || !matchesKeys(event, keys)) return
    event.preventDefault()
    press()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onPress(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}
