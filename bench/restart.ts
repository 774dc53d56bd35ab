/**
 * `npm run bench:restart`: a profile with a recording of many frames: from the start of Patchbay to the first rows on the
 * screen, beside the same with an empty profile; the rows at any time of the recording.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { chromium, type Browser } from '@playwright/test'
import { Redaction } from '../server-core/capture/redaction.ts'
import { TrafficLog } from '../server-core/capture/traffic-log.ts'
import { RecordingsService } from '../server-core/host/recordings/recordings-service.ts'
import { buildParts } from '../server-core/launcher/build-parts.ts'
import { BROWSER_PARTS, partNamed } from '../server-core/launcher/parts.ts'
import { profileFiles } from '../server-core/profile/profile-files.ts'
import { settingsFile } from '../server-core/profile/settings.ts'
import { restoreTraffic } from '../server-core/recordings/store/restore-traffic.ts'
import { median } from './median.ts'

/** Frames after which the disk is waited for. */
const GROUP = 4_000
const ROWS = 50

const { values } = parseArgs({
  options: {
    frames: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '5' },
    jumps: { type: 'string', default: '200' },
  },
})
const root = path.resolve(import.meta.dirname, '..')
const frames = Number(values.frames)
const profile = await mkdtemp(path.join(tmpdir(), 'patchbay-bench-restart-'))
const emptyProfile = await mkdtemp(path.join(tmpdir(), 'patchbay-bench-restart-'))
try {
  const parts = BROWSER_PARTS.flatMap((name) => partNamed(name) ?? [])
  for (const outcome of await buildParts(root, parts))
    if (outcome.state === 'failed') throw new Error(outcome.message)
  await record()
  await firstScreen()
  await jumps()
} finally {
  for (const folder of [profile, emptyProfile]) await rm(folder, { recursive: true, force: true })
}

async function openRecordings(): Promise<RecordingsService> {
  const files = profileFiles(profile)
  return RecordingsService.start({
    folder: files.recordings,
    settings: settingsFile(files.settings, 'leave'),
    redaction: new Redaction(),
    workspace: () => files.defaultWorkspace,
    onTrouble: (text) => process.stderr.write(`${text}\n`),
    onExportTrouble: (text) => process.stderr.write(`${text}\n`),
  })
}

async function record(): Promise<void> {
  const recordings = await openRecordings()
  const tap = recordings.recorder.tap({ serverId: 'bench', serverName: 'bench', side: 'client' }, 'stdio')
  const text = 'x'.repeat(100)
  const message = (direction: 'sent' | 'received', value: unknown): void =>
    tap.record({ kind: 'message', direction, bytes: Buffer.from(JSON.stringify(value)) })
  for (let id = 0; id < frames / 2; id += 1) {
    const params = { name: `tool-${id % 20}`, arguments: { text } }
    message('sent', { jsonrpc: '2.0', id, method: 'tools/call', params })
    message('received', { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } })
    if (id % (GROUP / 2) === 0) await pause(20)
  }
  await recordings.close()
  const [recording] = await recordings.list()
  const { frames: recorded } = await recordings.open(recording?.id ?? '')
  if (recorded !== frames) throw new Error(`expected ${frames} frames in the recording, got ${recorded}`)
  process.stdout.write(`${recorded} frames, ${Math.round((recording?.bytes ?? 0) / 1e6)} MB\n`)
}

async function firstScreen(): Promise<void> {
  const executablePath = process.env['PATCHBAY_CHROMIUM']
  const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath })
  const times: { readonly empty: Start; readonly full: Start }[] = []
  // The first round fills the caches of files and of compiled code.
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    const empty = await start(browser, emptyProfile, 'This app')
    const full = await start(browser, profile, 'bench')
    if (round > 0) times.push({ empty, full })
  }
  await browser.close()
  for (const [name, of] of [
    ['window served', (time: Start) => time.host],
    ['first rows', (time: Start) => time.screen],
  ] as const) {
    const [empty, full] = [
      median(times.map((each) => of(each.empty))),
      median(times.map((each) => of(each.full))),
    ]
    process.stdout.write(
      `${name} after ${full.toFixed(0)} ms, with an empty profile ${empty.toFixed(0)} ms\n`,
    )
  }
}

/** Milliseconds from the start of Patchbay until the window is served, and until it shows rows. */
type Start = { readonly host: number; readonly screen: number }

/** @param server a name that is in the rows */
async function start(browser: Browser, folder: string, server: string): Promise<Start> {
  const page = await browser.newPage()
  const began = performance.now()
  const words = ['server-core/launcher/start.ts', '--headless', '--profile', folder]
  const app = spawn(process.execPath, [...words, '--port', '0', '--mcp-port', '0'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  while (!/Patchbay is at (\S+)/.test(printed)) {
    const [bytes] = (await once(app.stdout, 'data')) as [Buffer]
    printed += bytes.toString()
  }
  const host = performance.now() - began
  await page.goto(/Patchbay is at (\S+)/.exec(printed)?.[1] ?? '')
  await page.getByRole('row').filter({ hasText: server }).first().waitFor()
  const screen = performance.now() - began
  await page.close()
  const exited = once(app, 'exit')
  app.kill('SIGKILL')
  await exited
  return { host, screen }
}

/** What a start does for the timeline, by itself. */
async function restoring(recordings: RecordingsService): Promise<void> {
  const log = new TrafficLog()
  const cpu = process.cpuUsage()
  const began = performance.now()
  await restoreTraffic(recordings.recorder.store, log)
  const ms = performance.now() - began
  const { user, system } = process.cpuUsage(cpu)
  const cpuMs = (user + system) / 1_000
  process.stdout.write(
    `timeline restored in ${ms.toFixed(0)} ms (${cpuMs.toFixed(0)} ms of CPU): ${log.counts().frames} frames\n`,
  )
}

async function jumps(): Promise<void> {
  const recordings = await openRecordings()
  await restoring(recordings)
  const recording = (await recordings.list()).find(({ serverId }) => serverId === 'bench')
  const { startedAt, endedAt } = await recordings.open(recording?.id ?? '')
  const times: number[] = []
  for (let jump = 0; jump < Number(values.jumps); jump += 1) {
    // The golden ratio spreads the times evenly, and none is near the one before.
    const until = startedAt + ((jump * 0.618_034) % 1) * (endedAt - startedAt)
    const began = performance.now()
    const { rows } = await recordings.rows({ filter: { until }, limit: ROWS })
    times.push(performance.now() - began)
    if (rows.length === 0 && jump > 0) throw new Error(`expected rows before ${until}, got none`)
  }
  await recordings.close()
  times.sort((a, b) => a - b)
  const at = (share: number): string => (times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(1)
  process.stdout.write(
    `${ROWS} rows at any time: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, at most ${at(1)} ms\n`,
  )
}
