import { oc } from '@orpc/contract'
import { z } from 'zod'
import { SUITES } from '../../conformance/suites/suite.ts'
import { VERDICTS } from '../../conformance/verdict.ts'
import { SUPPORTED } from '../../protocol/revisions.ts'
import { WIRE_TRANSPORTS } from '../../protocol/transport-kind.ts'

const serverId = z.string().min(1).max(300)
const number = z.int().min(0)
const revisionSchema = z.enum(SUPPORTED)
const transportSchema = z.enum(WIRE_TRANSPORTS)
const cellShape = { revision: revisionSchema, transport: transportSchema }
const countsSchema = z.record(z.string(), z.number())

/** Which tools of a server a run may call. */
export const callPermissionSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('none') }),
  z.object({ type: z.literal('readOnly') }),
  z.object({ type: z.literal('tools'), names: z.array(z.string().max(1_000)).min(1).max(1_000) }),
])
export type CallPermissionChoice = z.infer<typeof callPermissionSchema>

export const suiteNameSchema = z.enum(SUITES)

/** What a check came to, or that it has not ended yet. */
export const checkStatusSchema = z.enum([...VERDICTS, 'queued', 'running'])
export type CheckStatus = z.infer<typeof checkStatusSchema>

/** One revision on one transport, and what its checks came to. */
const cellStateSchema = z.object({
  ...cellShape,
  /** One letter for each check, in the order of the list: see `conformance-letters.ts`. */
  letters: z.string(),
})
export type CellState = z.infer<typeof cellStateSchema>

const unsupportedSchema = z.object({ ...cellShape, reason: z.string() })

/** The checks of one subject of the specification. */
const areaStateSchema = z.object({
  name: z.string(),
  total: z.number(),
  failed: z.number(),
  warned: z.number(),
  /** Neither queued nor running. */
  ended: z.number(),
})

/** A run as a whole: of this session, or stored. */
export const runViewSchema = z.object({
  serverId,
  serverName: z.string(),
  number,
  phase: z.enum(['starting', 'running', 'ended', 'cancelled', 'failed']),
  /** Why it could not be made, or why the server could not be examined. */
  problem: z.string().optional(),
  startedAt: z.number(),
  durationMs: z.number().optional(),
  seed: z.number().optional(),
  suite: z.string(),
  verdict: z.enum(['passed', 'failed', 'inconclusive']).optional(),
  score: z.number().optional(),
  /** How many checks were run again, if it was not all of them. */
  repeated: z.number().optional(),
  peer: z.object({ name: z.string(), version: z.string().optional() }).optional(),
  command: z.string().optional(),
  cells: z.array(cellStateSchema),
  unsupported: z.array(unsupportedSchema),
  areas: z.array(areaStateSchema),
  counts: countsSchema,
  /** Failures that are expected. */
  expected: z.number(),
  /** Failures that the run before did not have. */
  newFailures: z.number(),
})
export type RunView = z.infer<typeof runViewSchema>

const runSummarySchema = z.object({
  number,
  startedAt: z.number(),
  durationMs: z.number(),
  verdict: z.enum(['passed', 'failed', 'inconclusive']),
  suite: z.string(),
  counts: countsSchema,
  repeated: z.number().optional(),
  peer: z.string(),
})
export type RunSummary = z.infer<typeof runSummarySchema>

const checkRowSchema = z.object({
  id: z.string(),
  title: z.string(),
  area: z.string(),
  status: checkStatusSchema,
  severity: z.enum(['critical', 'error', 'warning', 'info']),
  /** The section of the specification. */
  clause: z.string(),
  durationMs: z.number().optional(),
  baseline: z.enum(['new', 'known', 'fixed']).optional(),
  /** What the run before came to, if that was something else. */
  before: checkStatusSchema.optional(),
})
export type CheckRow = z.infer<typeof checkRowSchema>

const clauseSchema = z.object({
  id: z.string(),
  level: z.string(),
  text: z.string(),
  section: z.string(),
  url: z.string(),
  /** A finding names it. */
  isBroken: z.boolean(),
})

const checkDetailSchema = checkRowSchema.extend({
  ...cellShape,
  reason: z.string().optional(),
  /** How it is examined, in words of the catalogue. */
  probe: z.string(),
  pass: z.string(),
  findings: z.array(
    z.object({
      expected: z.string(),
      actual: z.string(),
      member: z.string().optional(),
      severity: z.string(),
      frames: z.array(z.number()),
    }),
  ),
  frames: z.array(
    z.object({
      index: z.number(),
      at: z.number(),
      from: z.enum(['server', 'client']),
      kind: z.string(),
      head: z.string().optional(),
      text: z.string(),
      bytes: z.number(),
    }),
  ),
  clauses: z.array(clauseSchema),
  /** The other cells in which it came to the same failure or warning. */
  alsoIn: z.array(z.object(cellShape)),
  /** The last runs, oldest first. */
  history: z.array(z.object({ number, status: checkStatusSchema })),
  /** The command that repeats it. */
  repeat: z.string(),
  /** The address of the page of the check. */
  page: z.string(),
})
export type CheckDetail = z.infer<typeof checkDetailSchema>

const checkInput = z.object({ serverId, number, ...cellShape, id: z.string().max(200) })

/** What is run: everything, or some checks again. */
const startInputSchema = z.object({
  serverId,
  suite: suiteNameSchema.default('ci'),
  revisions: z.array(revisionSchema).min(1).optional(),
  transports: z.array(transportSchema).min(1).optional(),
  /** Only checks whose id, title or statements contain the text. */
  grep: z.string().max(200).optional(),
  seed: z.int().min(0).max(2_147_483_647).optional(),
  /** Asked for before the first run; what was answered then holds until the server's command or address changes. */
  permission: callPermissionSchema,
  /** Only these checks of the newest run, which keeps its other results. */
  again: z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('failed') }),
      z.object({ type: z.literal('cell'), ...cellShape }),
      z.object({ type: z.literal('check'), ...cellShape, id: z.string().max(200) }),
    ])
    .optional(),
})
export type StartInput = z.output<typeof startInputSchema>

export const reportFormatSchema = z.enum(['html', 'junit', 'sarif', 'json', 'tap', 'baseline'])
export type WrittenFormat = z.infer<typeof reportFormatSchema>

const startExamSchema = z.object({
  revision: revisionSchema,
  transport: z.enum(['http', 'sse', 'websocket']),
})
export type StartExamInput = z.infer<typeof startExamSchema>

/** An exam server for a client that a person uses. */
export const examStateSchema = z.object({
  phase: z.enum(['waiting', 'connected', 'ended']),
  /** Where the client connects to. */
  url: z.string(),
  ...cellShape,
  startedAt: z.number(),
  /** Why it ended. */
  problem: z.string().optional(),
  client: z.object({ name: z.string(), version: z.string().optional() }).optional(),
  /** The methods that the client sent, and how often. */
  methods: z.array(z.object({ method: z.string(), count: z.number() })),
  /** The checks that read what the client sent. */
  rows: z.array(checkRowSchema),
})
export type ExamState = z.infer<typeof examStateSchema>

/** The live part: the run and the exam of this session, if there were any. */
export const conformanceStateSchema = z.object({
  run: runViewSchema.optional(),
  exam: examStateSchema.optional(),
})
export type ConformanceState = z.infer<typeof conformanceStateSchema>

/** Checks of servers: runs, what they came to, and reports. */
export const conformanceContract = {
  /** The stored runs of a server, newest first, and which tools a run may call, if that was chosen. */
  runs: oc.input(z.object({ serverId })).output(
    z.object({
      runs: z.array(runSummarySchema),
      permission: callPermissionSchema.optional(),
    }),
  ),
  run: oc.input(z.object({ serverId, number })).output(runViewSchema),
  /** The checks of one cell. */
  checks: oc.input(z.object({ serverId, number, ...cellShape })).output(z.array(checkRowSchema)),
  check: oc.input(checkInput).output(checkDetailSchema),
  /** Stores which tools may be called. */
  savePermission: oc
    .input(z.object({ serverId, permission: callPermissionSchema }))
    .output(z.object({ saved: z.literal(true) })),
  /** Starts a run and resolves with its number; the live part follows it. */
  start: oc.input(startInputSchema).output(z.object({ number })),
  cancel: oc.output(z.object({ cancelled: z.boolean() })),
  /** Starts the exam server; the live part follows what the client does. */
  startExam: oc.input(startExamSchema).output(z.object({ url: z.string() })),
  stopExam: oc.output(z.object({ stopped: z.boolean() })),
  examCheck: oc.input(z.object({ id: z.string().max(200) })).output(checkDetailSchema),
  /** Expects a failure, or no longer. */
  expectFailure: oc
    .input(checkInput.extend({ expected: z.boolean() }))
    .output(z.object({ expected: z.boolean() })),
  report: oc
    .input(z.object({ serverId, number, format: reportFormatSchema }))
    .output(z.object({ file: z.string(), mediaType: z.string(), text: z.string() })),
}
