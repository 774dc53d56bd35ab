/** Pieces of a multiple of three bytes, so that their base64 can be joined. */
const CHUNK = 0x6000

/** Bytes as base64 (RFC 4648, section 4). */
export function base64OfBytes(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += CHUNK) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + CHUNK)))
  }
  return text
}

/** How many bytes base64 text stands for, without decoding it. */
export function sizeOfBase64(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return Math.max(0, Math.floor((text.length * 3) / 4) - padding)
}

/** The bytes that base64 text means, or undefined if it is not base64. White space in it is passed over. */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(text)
    const bytes = new Uint8Array(binary.length)
    for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at)
    return bytes
  } catch {
    return undefined
  }
}
