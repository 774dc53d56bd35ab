// Runs in the preload's isolated world: offers ipcRenderer and contextBridge, then runs the preload as a sandboxed
// one, whose require knows electron alone.
;(secret, environment, preload) => {
  if (window !== window.top) return
  const { encode, decode } = globalThis.__standinCodec
  const native = globalThis.__standinSend
  delete globalThis.__standinCodec
  delete globalThis.__standinSend
  const post = (message) => native(JSON.stringify(message))
  const functions = new Map()
  let nextFunction = 1
  const toMain = (kind, detail) =>
    document.dispatchEvent(new CustomEvent(`${secret}:to-main`, { detail: { kind, ...detail } }))
  const pack = (value) => {
    if (typeof value === 'function') {
      const id = nextFunction++
      functions.set(id, value)
      return { $function: id }
    }
    if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, pack(member)]))
  }
  const unpack = (value) =>
    value !== null && typeof value === 'object' && '$function' in value
      ? (...args) => toMain('callback', { function: value.$function, args })
      : value
  document.addEventListener(`${secret}:to-isolated`, ({ detail }) => {
    if (detail.kind !== 'call') {
      post(detail)
      return
    }
    try {
      const value = functions.get(detail.function)(...detail.args.map(unpack))
      toMain('return', { call: detail.call, value: pack(value) })
    } catch (error) {
      toMain('return', { call: detail.call, error: { name: error.name, message: error.message } })
    }
  })
  document.addEventListener(
    'click',
    (event) => {
      const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement && node.href)
      if (!link || !(link.target === '_blank' || event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      post({ kind: 'open', url: link.href })
    },
    true,
  )
  const listeners = new Map()
  const ipcRenderer = {
    send: (channel, ...args) => post({ kind: 'send', channel, args: encode(args) }),
    on: (channel, listener) => {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener])
      return ipcRenderer
    },
    off: (channel, listener) => {
      listeners.set(
        channel,
        (listeners.get(channel) ?? []).filter((one) => one !== listener),
      )
      return ipcRenderer
    },
  }
  globalThis.__standinDeliver = ({ channel, args }) => {
    for (const listener of listeners.get(channel) ?? [])
      listener({ sender: ipcRenderer, ports: [] }, ...decode(args))
  }
  const contextBridge = { exposeInMainWorld: (key, api) => toMain('expose', { key, api: pack(api) }) }
  const modules = {
    electron: { ipcRenderer, contextBridge },
    'electron/renderer': { ipcRenderer, contextBridge },
  }
  const require = (id) => {
    if (id in modules) return modules[id]
    throw new Error(`module not found: ${id} (here a sandboxed preload may only require electron)`)
  }
  const reportTitle = () => post({ kind: 'title', title: document.title })
  new MutationObserver(reportTitle).observe(document, { childList: true, subtree: true, characterData: true })
  try {
    preload(
      require,
      { exports: {} },
      {},
      { ...environment, type: 'renderer', sandboxed: true, contextIsolated: true },
    )
  } catch (error) {
    console.error('Unable to load preload script', error)
  }
}
