import { useEffect, useEffectEvent } from 'react'
import { desktopBridge } from '../host/bridge-port.ts'

interface NamedCommand {
  readonly id: string
  readonly run: () => void
}

/** Runs the command that is chosen in the menu of the desktop window, or by its keys there. */
export function useMenuCommands(commands: readonly NamedCommand[]): void {
  const onCommand = useEffectEvent((id: string) => {
    commands.find((command) => command.id === id)?.run()
  })

  useEffect(() => desktopBridge()?.onCommand((id) => onCommand(id)), [])
}
