import { closeSync, openSync, readSync } from 'node:fs'

/** By `e_machine` of ELF and `Machine` of PE, and `cputype` of Mach-O: what Node calls the processor. */
const ELF: Readonly<Record<number, string>> = { 3: 'ia32', 21: 'ppc64', 22: 's390x', 40: 'arm', 62: 'x64', 183: 'arm64', 243: 'riscv64', 258: 'loong64' } // prettier-ignore
const PE: Readonly<Record<number, string>> = { 0x14c: 'ia32', 0x1c4: 'arm', 0x8664: 'x64', 0xaa64: 'arm64' }
const MACH_O: Readonly<Record<number, string>> = { 0x7: 'ia32', 0x1000007: 'x64', 0x100000c: 'arm64' }
const HEAD_BYTES = 4_096

export type ProgramFormat = {
  readonly system: 'Linux' | 'macOS' | 'Windows'
  /** As Node names it; a number of the format's own where Node has no name. */
  readonly processor: string
}

/** The platform of a binary program, by its first bytes; undefined if it is not binary, such as a script. */
export function programFormat(file: string): ProgramFormat | undefined {
  const head = Buffer.alloc(HEAD_BYTES)
  try {
    const descriptor = openSync(file, 'r')
    try {
      readSync(descriptor, head, 0, HEAD_BYTES, 0)
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return undefined
  }
  return formatOf(head)
}

/** What a program that begins with these bytes (64 at least) was made for. */
export function formatOf(head: Buffer): ProgramFormat | undefined {
  const magic = head.readUInt32BE(0)
  if (magic === 0x7f454c46) {
    const machine = head[5] === 2 ? head.readUInt16BE(18) : head.readUInt16LE(18)
    return { system: 'Linux', processor: ELF[machine] ?? String(machine) }
  }
  if (magic === 0xcffaedfe || magic === 0xcefaedfe) {
    const type = head.readUInt32LE(4)
    return { system: 'macOS', processor: MACH_O[type] ?? String(type) }
  }
  if (head.readUInt16BE(0) !== 0x4d5a) return undefined
  const offset = head.readUInt32LE(0x3c)
  if (offset + 6 > head.length || head.readUInt32BE(offset) !== 0x50450000) return undefined
  const machine = head.readUInt16LE(offset + 4)
  return { system: 'Windows', processor: PE[machine] ?? String(machine) }
}

const SYSTEMS: Readonly<Record<string, ProgramFormat['system']>> = {
  linux: 'Linux',
  darwin: 'macOS',
  win32: 'Windows',
}

/** For which other machine a program was made, in words; undefined if for this one, or if it is not a binary program. */
export function foreignFormat(
  file: string,
  platform: string = process.platform,
  arch: string = process.arch,
): string | undefined {
  const format = programFormat(file)
  const own = SYSTEMS[platform]
  if (format === undefined || own === undefined) return undefined
  // Systems run programs of some other processors by themselves; that of another system none does.
  if (format.system === own && format.processor === arch) return undefined
  return `${format.system} on ${format.processor}`
}
