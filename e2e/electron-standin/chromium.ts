import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import readline from 'node:readline'
import { Cdp } from './cdp.ts'

export type Chromium = { readonly process: ChildProcess; readonly cdp: Promise<Cdp> }

const SWITCHES = [
  '--headless=new',
  '--no-sandbox',
  '--no-startup-window',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--disable-quic',
  '--password-store=basic',
  '--use-mock-keychain',
  '--disable-features=LocalNetworkAccessChecks,Translate,MediaRouter,OptimizationHints,HttpsUpgrades,PaintHolding,WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess',
  '--test-type',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1, EXCLUDE *.localhost',
]

// Ends the browser when this process ends in whatever way, as Electron's own renderers end with its main process:
// the shell waits at the end of a pipe that only we hold.
const WATCHED = '"$0" "$@" & browser=$!; read -r line; kill -9 "$browser"'
const START_PATIENCE_MS = 30_000

/** Starts the system's Chromium without a window; it ends, with its profile, when this process does. */
export function startChromium(debuggingPort: string): Chromium {
  const executable = process.env['PATCHBAY_CHROMIUM'] ?? '/usr/bin/chromium'
  const profile = mkdtempSync(path.join(os.tmpdir(), 'patchbay-standin-'))
  const child = spawn(
    '/bin/sh',
    [
      '-c',
      WATCHED,
      executable,
      ...SWITCHES,
      `--user-data-dir=${profile}`,
      `--remote-debugging-port=${debuggingPort}`,
    ],
    { stdio: ['pipe', 'ignore', 'pipe'] },
  )
  process.on('exit', () => {
    child.stdin.end()
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  })
  const cdp = new Promise<Cdp>((resolve, reject) => {
    child.once('error', reject)
    const late = (): void => reject(new Error(`${executable} did not start within ${START_PATIENCE_MS} ms`))
    const patience = setTimeout(late, START_PATIENCE_MS)
    readline.createInterface({ input: child.stderr }).on('line', (line) => {
      const address = /^DevTools listening on (ws:\/\/.*)$/.exec(line)?.[1]
      if (address === undefined) return
      clearTimeout(patience)
      // Playwright waits for this very line on Electron's stderr.
      process.stderr.write(`${line}\n`)
      Cdp.connect(address).then(resolve, reject)
    })
  })
  return { process: child, cdp }
}
