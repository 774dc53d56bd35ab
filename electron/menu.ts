import { Menu, type MenuItemConstructorOptions } from 'electron'

/** The system's standard menu. What the inspector can do is in its own palette, with its keys. */
export function installMenu(): void {
  const appMenu: MenuItemConstructorOptions[] = process.platform === 'darwin' ? [{ role: 'appMenu' }] : []
  const roles = ['fileMenu', 'editMenu', 'viewMenu', 'windowMenu'] as const
  Menu.setApplicationMenu(Menu.buildFromTemplate([...appMenu, ...roles.map((role) => ({ role }))]))
}
