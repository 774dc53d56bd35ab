import type { Command } from '../palette/command.ts'
import type { PaletteItem } from '../palette/items.ts'
import { Palette } from '../palette/palette.tsx'
import { useServerItems } from '../palette/server-items.ts'
import { useScriptItems } from '../registry/palette-items.ts'

interface CommandPaletteProps {
  commands: readonly Command[]
  onClose: () => void
}

/** The palette with everything that can be opened or run: entries of servers, scripts, commands. */
export function CommandPalette({ commands, onClose }: CommandPaletteProps) {
  const { items: listed, isListing } = useServerItems()
  const scripts = useScriptItems()
  const items: PaletteItem[] = [
    ...listed,
    ...scripts,
    ...commands
      .filter((command) => command.id !== 'palette')
      .map((command): PaletteItem => ({ ...command, group: 'Commands', where: undefined })),
  ]
  return <Palette items={items} isListing={isListing} onClose={onClose} />
}
