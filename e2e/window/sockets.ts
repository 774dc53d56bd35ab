import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** A socket of a process that is not bound to this machine alone: protocol and where it goes. */
export type ForeignSocket = { readonly pid: number; readonly protocol: string; readonly remote: string }

const TABLES = ['tcp', 'tcp6', 'udp', 'udp6'] as const
/** Loopback addresses as the kernel's tables write them, and the address of a socket that listens or is new. */
const LOOPBACK = /^([0-9A-F]{6}7F|0{24}01000000|0{16}FFFF0000[0-9A-F]{6}7F)$/
const NOWHERE = /^0+$/

/**
 * The sockets of processes that lead to another machine, or wait for one. Linux only: it reads the kernel's own
 * tables, so nothing that a process does is hidden from it.
 */
export function foreignSockets(pids: readonly number[]): ForeignSocket[] {
  return pids.flatMap((pid) => {
    const inodes = socketInodes(pid)
    return TABLES.flatMap((protocol) =>
      readTable(pid, protocol)
        .filter(({ inode }) => inodes.has(inode))
        .filter(({ local, remote }) => isForeign(local, remote))
        .map(({ local, remote }) => ({ pid, protocol, remote: `${local} to ${remote}` })),
    )
  })
}

function isForeign(local: string, remote: string): boolean {
  const [localAddress = ''] = local.split(':')
  const [remoteAddress = '', remotePort] = remote.split(':')
  if (NOWHERE.test(remoteAddress) && remotePort === '0000') {
    // It talks to nobody: then it must not wait for others either, unless it is not bound at all.
    return !LOOPBACK.test(localAddress) && !local.endsWith(':0000')
  }
  return !LOOPBACK.test(remoteAddress)
}

function socketInodes(pid: number): Set<string> {
  try {
    const folder = `/proc/${pid}/fd`
    const links = readdirSync(folder).map((fd) => readlink(`${folder}/${fd}`))
    return new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []))
  } catch {
    // It has ended meanwhile.
    return new Set()
  }
}

function readlink(file: string): string {
  try {
    return readlinkSync(file)
  } catch {
    // It was closed meanwhile.
    return ''
  }
}

function readTable(pid: number, protocol: string): { local: string; remote: string; inode: string }[] {
  try {
    const lines = readFileSync(`/proc/${pid}/net/${protocol}`, 'utf8').trim().split('\n').slice(1)
    return lines.map((line) => {
      const fields = line.trim().split(/\s+/)
      return { local: fields[1] ?? '', remote: fields[2] ?? '', inode: fields[9] ?? '' }
    })
  } catch {
    // It has ended meanwhile, or the system has no IPv6.
    return []
  }
}
