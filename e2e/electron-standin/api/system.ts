import { EventEmitter } from 'node:events'
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type Electron from 'electron'
import { strict } from '../strict.ts'

// A key of this process alone: what one stand-in encrypts another cannot read, and no test may count on it.
const key = randomBytes(32)

/** `safeStorage` on a system without a key chain. */
export const safeStorage = strict('safeStorage', {
  isAsyncEncryptionAvailable: () => Promise.resolve(true),
  getSelectedStorageBackend: () => 'basic_text' as const,
  encryptStringAsync: (text) => {
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, iv)
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Promise.resolve(Buffer.concat([iv, cipher.getAuthTag(), body]))
  },
  decryptStringAsync: (bytes) => {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
    decipher.setAuthTag(bytes.subarray(12, 28))
    const text = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
    return Promise.resolve({ result: text, shouldReEncrypt: false })
  },
} satisfies Pick<
  Electron.SafeStorage,
  'isAsyncEncryptionAvailable' | 'getSelectedStorageBackend' | 'encryptStringAsync' | 'decryptStringAsync'
>)

/** `nativeTheme`: the system's colours, which a test may change. */
export const nativeTheme = strict(
  'nativeTheme',
  Object.assign(new EventEmitter(), { shouldUseDarkColors: false }),
)

/** `dialog`: what would be shown goes to stderr; a question needs a test's own answer in its place. */
export const dialog = strict('dialog', {
  showErrorBox: (title, content) => console.error(`[dialog] ${title}: ${content}`),
  showMessageBox: () =>
    Promise.reject(new Error('electron stand-in: dialog.showMessageBox has nobody to ask')),
} satisfies Pick<Electron.Dialog, 'showErrorBox' | 'showMessageBox'>)

/** `shell`: opens nothing, remembers what it was asked to. */
export const shell = strict('shell', {
  opened: [] as string[],
  openExternal(url: string): Promise<void> {
    this.opened.push(url)
    return Promise.resolve()
  },
} satisfies Pick<Electron.Shell, 'openExternal'> & { opened: string[] })

type Item = Omit<Electron.MenuItemConstructorOptions, 'submenu'> & { readonly submenu?: MenuModel }

/** A menu's items with their submenus; they can be looked up, and none is ever drawn. */
export class MenuModel {
  readonly items: readonly Item[]

  constructor(template: readonly Electron.MenuItemConstructorOptions[]) {
    this.items = template.map(({ submenu, ...item }) => ({
      ...item,
      ...(Array.isArray(submenu) && { submenu: new MenuModel(submenu) }),
    }))
  }

  getMenuItemById(id: string): Item | null {
    for (const item of this.items) {
      const found = item.id === id ? item : item.submenu?.getMenuItemById(id)
      if (found) return found
    }
    return null
  }
}

let applicationMenu: MenuModel | null = null

/** `Menu` as data: nothing is drawn. */
export const Menu = strict('Menu', {
  buildFromTemplate: (template: Electron.MenuItemConstructorOptions[]): MenuModel => new MenuModel(template),
  setApplicationMenu: (menu: MenuModel | null): void => {
    applicationMenu = menu
  },
  getApplicationMenu: (): MenuModel | null => applicationMenu,
})
