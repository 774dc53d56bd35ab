import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../random.ts'
import { lookAtFiles, writeFiles, type Saved } from './written-files.ts'

/** A writer lives this long after its first save at most. */
const LONGEST_LIFE_MS = 120
const CONNECTIONS = 2
/** One writer in so many goes on where a killed one stopped, whose locks it waits for. */
const TAKING_OVER = 25

export type KilledWriters = {
  readonly findings: string[]
  /** Saves that were said to be done, over all rounds. */
  readonly saves: number
  /** Frames that were said to be on the disk. */
  readonly frames: number
  /** Rounds in which a save was cut off: what it wrote beside the file was left. */
  readonly cutOff: number
}

/** Kills writers at random moments of their saves. Each file must be whole, and no confirmed save may be lost. */
export async function soakKilledWriters(random: Random, count: number): Promise<KilledWriters> {
  const findings: string[] = []
  let saves = 0
  let frames = 0
  let cutOff = 0
  let next = 0
  const connection = async (): Promise<void> => {
    while (next < count) {
      next += 1
      const number = next
      const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-killed-writers-'))
      await writeFiles(folder)
      const told = await killOne(folder, random.below(LONGEST_LIFE_MS))
      saves += told.script + told.data + told.client
      frames += told.recording
      const left = await readdir(folder, { recursive: true })
      if (left.some((name) => name.endsWith('.tmp'))) cutOff += 1
      findings.push(...(await lookAtFiles(folder, told)).map((finding) => `round ${number}, ${finding}`))
      if (number % TAKING_OVER === 0) {
        // The numbers begin again; locks and what else the killed one left stay.
        await writeFiles(folder)
        const again = await killOne(folder, LONGEST_LIFE_MS)
        findings.push(
          ...(await lookAtFiles(folder, again)).map((finding) => `round ${number} again, ${finding}`),
        )
      }
      await rm(folder, { recursive: true, force: true })
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  return { findings, saves, frames, cutOff }
}

type Told = Record<Saved['what'], number>

/** Starts a writer, kills it that long after it saved each kind once, and gives what it said. */
async function killOne(folder: string, afterMs: number): Promise<Told> {
  const told: Told = { script: 0, data: 0, client: 0, recording: 0 }
  const writer = fork(path.join(import.meta.dirname, 'kill-writer.ts'), [folder], { execArgv: [] })
  const exited = once(writer, 'exit')
  const begun = new Promise<void>((resolve) => {
    writer.on('message', (message) => {
      const { what, number } = message as Saved
      told[what] = number
      if (told.script > 0 && told.data > 0 && told.client > 0) resolve()
    })
  })
  const ended = exited.then(([code, signal]) => {
    throw new Error(`a writer ended by itself with ${String(code ?? signal)}`)
  })
  await Promise.race([begun, ended])
  await Promise.race([pause(afterMs), ended])
  ended.catch(() => undefined)
  writer.kill('SIGKILL')
  await exited
  return told
}
