import { useEffect, useEffectEvent } from 'react'
import { matchesKeys } from '../controls/keys.ts'

interface KeyedCommand {
  readonly keys: string | undefined
  readonly run: () => void
}

/** Runs the command whose keys were pressed, wherever the focus is, unless something nearer took the press. */
export function useGlobalKeys(commands: readonly KeyedCommand[]): void {
  const onPress = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.repeat || event.isComposing) return
    const command = commands.find(({ keys }) => keys !== undefined && matchesKeys(event, keys))
    if (command === undefined) return
    event.preventDefault()
    command.run()
  })

  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onPress(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}
