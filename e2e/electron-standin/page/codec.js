// What crosses between the preload and the main process here: text, bytes, numbers, booleans, null, and arrays and
// plain objects of them. Put into the isolated world as text and imported in Node, so that the two cannot drift.
;(() => {
  const encode = (value) => {
    if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value
    if (value instanceof Uint8Array) {
      let binary = ''
      for (let at = 0; at < value.length; at += 0x8000) {
        binary += String.fromCharCode(...value.subarray(at, at + 0x8000))
      }
      return { $bytes: btoa(binary) }
    }
    if (Array.isArray(value)) return value.map(encode)
    if (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype) {
      return { $object: Object.entries(value).map(([key, member]) => [key, encode(member)]) }
    }
    throw new Error('An object could not be cloned.')
  }
  const decode = (value) => {
    if (value === null || typeof value !== 'object') return value
    if (Array.isArray(value)) return value.map(decode)
    if ('$bytes' in value) return Uint8Array.from(atob(value.$bytes), (character) => character.charCodeAt(0))
    return Object.fromEntries(value.$object.map(([key, member]) => [key, decode(member)]))
  }
  globalThis.__standinCodec = {
    encode: (value) => JSON.stringify(encode(value)),
    decode: (text) => decode(JSON.parse(text)),
  }
})()
