// Runs in the page's own world before any of its scripts. Builds what contextBridge exposes and speaks with the
// isolated world by synchronous DOM events whose names only the two know.
;(secret) => {
  if (window !== window.top) return
  const functions = new Map()
  let nextFunction = 1
  let nextCall = 1
  let answer
  const send = (kind, detail) =>
    document.dispatchEvent(new CustomEvent(`${secret}:to-isolated`, { detail: { kind, ...detail } }))
  const pack = (value) => {
    if (typeof value !== 'function') return value
    const id = nextFunction++
    functions.set(id, value)
    return { $function: id }
  }
  const unpack = (value) => {
    if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value
    if ('$function' in value) return (...args) => call(value.$function, args)
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, unpack(member)]))
  }
  const call = (id, args) => {
    const number = nextCall++
    send('call', { function: id, call: number, args: args.map(pack) })
    const given = answer
    answer = undefined
    if (given?.call !== number) throw new Error('contextBridge: call not answered')
    if (given.error) throw Object.assign(new Error(given.error.message), { name: given.error.name })
    return unpack(given.value)
  }
  document.addEventListener(`${secret}:to-main`, ({ detail }) => {
    if (detail.kind === 'return') answer = detail
    else if (detail.kind === 'callback') functions.get(detail.function)?.(...detail.args)
    else if (detail.kind === 'expose') {
      Object.defineProperty(window, detail.key, {
        value: Object.freeze(unpack(detail.api)),
        writable: false,
        configurable: false,
        enumerable: true,
      })
    }
  })
  // Electron opens nothing without asking setWindowOpenHandler; the answer comes later here, so: null.
  window.open = (url = 'about:blank') => {
    send('open', { url: new URL(url, document.baseURI).href })
    return null
  }
  window.close = () => send('close', {})
}
