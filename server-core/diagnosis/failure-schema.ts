import { z } from 'zod'

/** Why a connection is not there: cause, evidence, remedy. */
export const failureSchema = z.object({
  code: z.string(),
  /** One line: what happened ("exited with code 1"). */
  title: z.string(),
  /** What it means and what to do. */
  explanation: z.string(),
  stderr: z.string().optional(),
  strayOutput: z.string().optional(),
  exitCode: z.number().optional(),
  signal: z.string().optional(),
  pid: z.number().optional(),
  httpStatus: z.number().optional(),
  httpHeaders: z.record(z.string(), z.string()).optional(),
  httpBody: z.string().optional(),
  afterMs: z.number().optional(),
  at: z.number(),
})
export type Failure = z.infer<typeof failureSchema>
