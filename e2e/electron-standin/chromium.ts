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
  '--disable-features=LocalNetworkAccessChecks,Translate,MediaRouter,OptimizationHints,HttpsUpgrades,PaintHolding',
  '--test-type',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1, EXCLUDE *.localhost',
]

/** Starts the system's Chromium without a window; it ends, with its profile, when this process does. */
export function startChromium(debuggingPort: string): Chromium {
  const executable = process.env['PATCHBAY_CHROMIUM'] ?? '/usr/bin/chromium'
  const profile = mkdtempSync(path.join(os.tmpdir(), 'patchbay-standin-'))
  const child = spawn(
    executable,
    [...SWITCHES, `--user-data-dir=${profile}`, `--remote-debugging-port=${debuggingPort}`],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  process.on('exit', () => {
    child.kill('SIGKILL')
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  })
  const cdp = new Promise<Cdp>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${executable} ended with code ${String(code)}`)))
    readline.createInterface({ input: child.stderr }).on('line', (line) => {
      const address = /^DevTools listening on (ws:\/\/.*)$/.exec(line)?.[1]
      if (address === undefined) return
      // Playwright waits for this very line on Electron's stderr.
      process.stderr.write(`${line}\n`)
      Cdp.connect(address).then(resolve, reject)
    })
  })
  return { process: child, cdp }
}
