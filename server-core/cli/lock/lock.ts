import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { compareLocks, type Drift } from '../../contract-lock/compare-locks.ts'
import { lockText, parseLock, type ContractLock } from '../../contract-lock/lock-schema.ts'
import { writeLock } from '../../contract-lock/write-lock.ts'
import { messageOf } from '../../protocol/error-message.ts'
import { useServer } from '../connection/server-session.ts'
import { ExitCode, StartError, UsageError } from '../output/exit-code.ts'
import { isForPerson, writeJson, writeNote, writeStderr, writeStyled } from '../output/output.ts'
import { contextReport, describeLock, type LockReport } from './lock-report.ts'
import type { FailingDrift, LockCommand } from './lock-flags.ts'
import { IncompleteListError, readDefinitions } from './read-definitions.ts'

/**
 * `patchbay lock`: writes what a server offers, or compares it with what was written. A file that differs is written
 * again with `--update` alone.
 */
export async function lock(command: LockCommand, signal: AbortSignal): Promise<ExitCode> {
  const before = await storedLock(command)
  let now: ContractLock
  try {
    now = writeLock(await useServer(command, signal, (connection) => readDefinitions(connection, signal)))
  } catch (error) {
    if (!(error instanceof IncompleteListError)) throw error
    writeStderr(`patchbay: ${error.message}`)
    return ExitCode.toolError
  }
  const drift = before === undefined ? [] : compareLocks(before, now)
  const state = stateOf(command, before, drift)
  if (state === 'created' || state === 'updated') await writeLockFile(command.file, now)
  const context = contextReport(now, before, command.budget)
  const isOver = context.budget !== undefined && context.tokens > context.budget
  const failing = state === 'updated' ? [] : drift.filter((each) => isFailing(each, command.failOn))
  const report: LockReport = {
    file: path.relative('', command.file),
    state,
    passed: failing.length === 0 && !isOver,
    breaking: drift.filter(({ breaking }) => breaking).length,
    drift,
    context,
  }
  if (isForPerson(command.json)) await writeStyled(({ paint }) => describeLock(report, paint))
  else await writeJson(report)
  if (state === 'kept' && command.mode === 'create')
    writeNote(`patchbay: ${report.file} was not written; --update accepts these differences`)
  if (isOver)
    writeStderr(
      `patchbay: the tools take about ${context.tokens} tokens, more than --budget ${command.budget ?? 0}`,
    )
  return report.passed ? ExitCode.ok : ExitCode.regression
}

function stateOf(
  { mode }: LockCommand,
  before: ContractLock | undefined,
  drift: readonly Drift[],
): LockReport['state'] {
  if (before === undefined) return 'created'
  if (drift.length === 0) return 'unchanged'
  return mode === 'update' ? 'updated' : 'kept'
}

function isFailing({ type, breaking }: Drift, failOn: readonly FailingDrift[]): boolean {
  return failOn.some((each) => each === 'any' || each === type || (each === 'breaking' && breaking))
}

/** The lock of the file; undefined if it is to be written and does not exist yet. */
async function storedLock({ file, mode }: LockCommand): Promise<ContractLock | undefined> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (isMissing && mode !== 'check') return undefined
    if (isMissing)
      throw new UsageError(`there is no ${file} to compare with; patchbay lock without --check writes it`)
    throw new StartError(`${file} cannot be read: ${messageOf(error)}`, { cause: error })
  }
  const parsed = parseLock(text)
  if (parsed.ok) return parsed.value
  throw new StartError(`${file}: ${parsed.reason}; nothing was written`)
}

async function writeLockFile(file: string, lock: ContractLock): Promise<void> {
  try {
    await writeFile(file, lockText(lock))
  } catch (error) {
    throw new StartError(`${file} cannot be written: ${messageOf(error)}`, { cause: error })
  }
}
