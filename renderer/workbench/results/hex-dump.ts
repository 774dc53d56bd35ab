import { counted } from '../../text/measures.ts'

const MAX_BYTES = 4_096
const WIDTH = 16

/** The first 4 KiB of bytes as offset, hexadecimal and characters, sixteen to a line. */
export function hexDump(bytes: Uint8Array): string {
  const lines: string[] = []
  const end = Math.min(bytes.length, MAX_BYTES)
  for (let at = 0; at < end; at += WIDTH) {
    const row = bytes.subarray(at, Math.min(at + WIDTH, end))
    const hex = Array.from(row, (byte) => byte.toString(16).padStart(2, '0')).join(' ')
    const text = Array.from(row, (byte) =>
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.',
    ).join('')
    lines.push(`${at.toString(16).padStart(8, '0')}  ${hex.padEnd(WIDTH * 3 - 1)}  ${text}`)
  }
  if (bytes.length > end) lines.push(`… ${counted(bytes.length - end, 'more byte')}`)
  return lines.join('\n')
}
