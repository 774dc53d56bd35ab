import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { z } from 'zod'

const HOST = path.join(import.meta.dirname, 'log-host.ts')
/** Both are judged at full size only: a small run measures the start. */
const JUDGED_FRAMES = 1_000_000
const LONGEST_STALL_MS = 50
const MOST_MEGABYTES = 400

const figuresSchema = z.object({
  stallMs: z.number(),
  p99Ms: z.number(),
  cpuStallMs: z.number(),
  megabytes: z.number(),
  sentMegabytes: z.number(),
  sent: z.number(),
  kept: z.number(),
  dropped: z.number(),
})

/** Lets frames pass through a host while a window watches its log, and judges how it held. */
export async function soakLog(frames: number): Promise<{ what: string; findings: string[] }> {
  const child = spawn(process.execPath, [HOST, String(frames)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const output: Buffer[] = []
  child.stdout.on('data', (part: Buffer) => output.push(part))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) return { what: 'a watched log', findings: [`the host ended with ${String(code)}`] }
  const figures = figuresSchema.parse(JSON.parse(Buffer.concat(output).toString()))
  const { stallMs, p99Ms, cpuStallMs, megabytes, sentMegabytes, sent, kept, dropped } = figures
  const findings: string[] = []
  if (kept + dropped < frames) findings.push(`${kept} frames kept and ${dropped} dropped of ${frames}`)
  if (sent === 0) findings.push('the window was sent no row')
  if (frames >= JUDGED_FRAMES) {
    // The time of the clock is that of the whole machine, so a stall is judged by the time that the host computed.
    if (cpuStallMs > LONGEST_STALL_MS) findings.push(`the host stalled for ${cpuStallMs.toFixed(0)} ms`)
    if (megabytes > MOST_MEGABYTES) findings.push(`the host took ${megabytes.toFixed(0)} MB`)
  }
  const stalls = `longest stall ${stallMs.toFixed(0)} ms (CPU ${cpuStallMs.toFixed(0)} ms), p99 ${p99Ms.toFixed(0)} ms`
  const rows = `${sent} rows in ${sentMegabytes.toFixed(0)} MB sent, ${kept} frames kept`
  return { what: `${frames} frames past a window: ${stalls}, ${megabytes.toFixed(0)} MB; ${rows}`, findings }
}
