import { EventEmitter } from 'node:events'

/** `ipcMain`, for one-way messages only. */
export const ipcMain = new EventEmitter()
