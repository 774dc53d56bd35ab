/** Provides the channel that Electron gives a utility process to `desktop-entry.ts`, over this child's own. */
process.setMaxListeners(0)
Object.assign(process, {
  parentPort: {
    on: (_event: 'message', listener: (event: { data: unknown }) => void) => {
      process.on('message', (data) => listener({ data }))
    },
    postMessage: (message: object) => process.send?.(message),
  },
})
await import('./desktop-entry.ts')
