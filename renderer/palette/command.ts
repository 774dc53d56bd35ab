import type { PaletteItem } from './items.ts'

/** A command of the window, which the palette lists and a key may run. */
export type Command = Omit<PaletteItem, 'group' | 'where'>
