import { ADD, ECHO, LIST, type Ask, type Era } from './calls.ts'
import { openHttpLoad, type Load } from './http-load.ts'
import { openSseLoad } from './sse-load.ts'
import { openStdioLoad } from './stdio-load.ts'
import type { Program, Target } from './target.ts'
import { openWebSocketLoad } from './websocket-load.ts'

/** Programs that are measured under one load; the others are compared with the first. */
export type Case = {
  readonly name: string
  readonly programs: readonly { readonly name: string; readonly program: Program }[]
  readonly open: (target: Target) => Promise<Load>
}

type Transport = 'http' | 'stdio' | 'sse' | 'ws'

const IN_FLIGHT = 64
const RECORDED_AT_ONCE = 32
const MANY_TOOLS = 10_000
const REVISIONS: Readonly<Record<Era, string>> = { modern: '2026-07-28', legacy: '2025-11-25' }

function ours(transport: Transport, tap: 'memory' | 'disk' | 'off', tools = 0): Program {
  return { built: ['--transport', transport, '--tap', tap, '--tools', String(tools)] }
}

/** The first is the least that Node can do. */
function programs(transport: Transport, withOfficial: boolean): Case['programs'] {
  const official = { name: 'official SDK v2', program: { target: `official-${transport}` } }
  return [
    { name: 'bare', program: { target: `bare-${transport}` } },
    { name: 'ours, tap in memory', program: ours(transport, 'memory') },
    { name: 'ours, tap off', program: ours(transport, 'off') },
    ...(withOfficial ? [official] : []),
  ]
}

const recorded = { name: 'ours, recording to disk', program: ours('http', 'disk') }

function overHttp(era: Era, atOnce: number): Case {
  return {
    name: `tools/call over Streamable HTTP, ${REVISIONS[era]}, ${atOnce} at once`,
    // The official server answers handshake revisions without a session here, which the load asks for.
    programs: [...programs('http', era === 'modern'), ...(atOnce === RECORDED_AT_ONCE ? [recorded] : [])],
    open: (target) => openHttpLoad(target.port, era, ADD, atOnce),
  }
}

function overStdio(era: Era, what: string, ask: Ask, inFlight: number): Case {
  return {
    name: `${what} over stdio, ${REVISIONS[era]}, ${inFlight} in flight`,
    programs: programs('stdio', ask === ADD),
    open: (target) => openStdioLoad(target.process, era, ask, inFlight),
  }
}

export const CASES: readonly Case[] = [
  overHttp('modern', RECORDED_AT_ONCE),
  overHttp('modern', 256),
  overHttp('legacy', RECORDED_AT_ONCE),
  overHttp('legacy', 256),
  overStdio('modern', 'tools/call', ADD, IN_FLIGHT),
  overStdio('legacy', 'tools/call', ADD, IN_FLIGHT),
  overStdio('modern', 'echo of 1 MiB', ECHO, 1),
  overStdio('legacy', 'echo of 1 MiB', ECHO, 1),
  {
    name: `echo of 1 MiB over Streamable HTTP, ${REVISIONS.modern}, 1 at once`,
    programs: programs('http', false),
    open: (target) => openHttpLoad(target.port, 'modern', ECHO, 1),
  },
  {
    name: `tools/call over one WebSocket, ${REVISIONS.legacy}, ${IN_FLIGHT} in flight`,
    programs: programs('ws', false),
    open: (target) => openWebSocketLoad(target.port, ADD, IN_FLIGHT),
  },
  {
    name: `tools/call over HTTP+SSE, ${REVISIONS.legacy}, 32 at once`,
    programs: programs('sse', false),
    open: (target) => openSseLoad(target.port, ADD, 32),
  },
  {
    name: `tools/list of ${MANY_TOOLS} tools over Streamable HTTP, ${REVISIONS.modern}, 1 at once`,
    programs: [
      { name: 'bare', program: { target: 'bare-http', tools: MANY_TOOLS } },
      { name: 'ours, tap in memory', program: ours('http', 'memory', MANY_TOOLS) },
      { name: 'ours, tap off', program: ours('http', 'off', MANY_TOOLS) },
    ],
    open: (target) => openHttpLoad(target.port, 'modern', LIST, 1),
  },
  {
    name: `tools/call beside ${MANY_TOOLS} tools over Streamable HTTP, ${REVISIONS.modern}, 32 at once`,
    programs: [
      { name: 'ours, 3 tools', program: ours('http', 'memory') },
      { name: `ours, ${MANY_TOOLS} tools`, program: ours('http', 'memory', MANY_TOOLS) },
    ],
    open: (target) => openHttpLoad(target.port, 'modern', ADD, 32),
  },
]
