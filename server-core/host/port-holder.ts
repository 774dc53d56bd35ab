import { execFile } from 'node:child_process'
import { readdir, readFile, readlink } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

/**
 * Returns who listens on a TCP port of this machine, in words ("node server.js, process 1234"), as far as this user
 * may see it. Never throws.
 */
export async function portHolder(port: number): Promise<string | undefined> {
  try {
    return process.platform === 'linux' ? await holderInProc(port) : await holderByLsof(port)
  } catch {
    // Not to know who it is, is an answer: the port is taken all the same.
    return undefined
  }
}

async function holderInProc(port: number): Promise<string | undefined> {
  const inodes = new Set<string>()
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const lines = (await readFile(table, 'utf8').catch(() => '')).split('\n').slice(1)
    for (const line of lines) {
      const fields = line.trim().split(/\s+/)
      const listens = fields[3] === '0A'
      if (listens && Number.parseInt(fields[1]?.split(':')[1] ?? '', 16) === port)
        inodes.add(`socket:[${fields[9]}]`)
    }
  }
  if (inodes.size === 0) return undefined
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const descriptors = await readdir(`/proc/${pid}/fd`).catch((): string[] => [])
    for (const descriptor of descriptors) {
      const target = await readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => '')
      if (inodes.has(target)) return describe(await commandOf(pid), pid)
    }
  }
  return 'a process of another user'
}

async function commandOf(pid: string): Promise<string> {
  const parts = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0').filter((part) => part !== '')
  return [path.basename(parts[0] ?? ''), ...parts.slice(1)].join(' ').slice(0, 80)
}

async function holderByLsof(port: number): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined
  const args = ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc']
  const { stdout } = await promisify(execFile)('lsof', args, { timeout: 2_000 })
  const pid = /^p(\d+)$/m.exec(stdout)?.[1]
  return pid === undefined ? undefined : describe(/^c(.+)$/m.exec(stdout)?.[1] ?? '', pid)
}

function describe(command: string, pid: string): string {
  return command === '' ? `process ${pid}` : `${command}, process ${pid}`
}
