import { electronModule } from './electron-module.ts'

const electron = electronModule()
export default electron
export const {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  nativeTheme,
  protocol,
  safeStorage,
  session,
  shell,
  utilityProcess,
  webContents,
} = electron
