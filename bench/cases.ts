import { openHttpLoad, type Load } from './http-load.ts'
import { loadStdio } from './stdio-load.ts'
import type { Program, Target } from './target.ts'
import type { Era } from './calls.ts'

/** Programs that are measured under one load; the first is the least that Node can do. */
export type Case = {
  readonly name: string
  readonly programs: readonly { readonly name: string; readonly program: Program }[]
  readonly open: (target: Target) => Promise<Load>
}

function programs(transport: 'http' | 'stdio', withOfficial: boolean): Case['programs'] {
  const official = { name: 'official SDK v2', program: { target: `official-${transport}` } }
  return [
    { name: 'bare', program: { target: `bare-${transport}` } },
    { name: 'ours, tap in memory', program: { built: ['--transport', transport, '--tap', 'memory'] } },
    { name: 'ours, tap off', program: { built: ['--transport', transport, '--tap', 'off'] } },
    ...(withOfficial ? [official] : []),
  ]
}

function overHttp(era: Era, atOnce: number): Case {
  const revision = era === 'modern' ? '2026-07-28' : '2025-11-25'
  return {
    name: `tools/call over Streamable HTTP, ${revision}, ${atOnce} at once`,
    // The official server answers handshake revisions without a session here, which the load asks for.
    programs: programs('http', era === 'modern'),
    open: (target) => openHttpLoad(target.port, era, atOnce),
  }
}

const IN_FLIGHT = 64

export const CASES: readonly Case[] = [
  overHttp('modern', 32),
  overHttp('modern', 256),
  overHttp('legacy', 32),
  overHttp('legacy', 256),
  {
    name: `tools/call over stdio, 2026-07-28, ${IN_FLIGHT} in flight`,
    programs: programs('stdio', true),
    open: (target) => Promise.resolve((windowMs) => loadStdio(target.process, IN_FLIGHT, windowMs)),
  },
]
