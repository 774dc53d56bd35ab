import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test as base, type ExpectMatcherState, type MatcherReturnType } from '@playwright/test'
import { compareLocks, type Drift, type DriftType } from '../../contract-lock/compare-locks.ts'
import { driftText } from '../../contract-lock/drift-text.ts'
import { lockText } from '../../contract-lock/lock-schema.ts'
import type { McpClient } from '../connection/mcp-client.ts'
import { parseContract, readContract } from '../contract/contract.ts'
import { matcherResult } from './failure-text.ts'

/** What `toMatchContract` lets pass. */
export type ContractOptions = {
  /** Kinds of differences that are not failures, as `added` or `prose`. */
  readonly allow?: readonly DriftType[]
}

/** `toMatchContract` for a client. */
export const contractMatcher = {
  /** A missing file is written and fails the test once, as with Playwright's snapshots; `-u` writes it again. */
  async toMatchContract(
    this: ExpectMatcherState,
    received: McpClient,
    file: string,
    { allow = [] }: ContractOptions = {},
  ): Promise<MatcherReturnType> {
    const info = base.info()
    const place = path.resolve(path.dirname(info.file), file)
    const { updateSnapshots } = info.config
    const now = await readContract(received)
    const stored = await readFile(place, 'utf8').catch(() => undefined)
    const isUpdate = updateSnapshots === 'all' || updateSnapshots === 'changed'
    if (isUpdate || (stored === undefined && updateSnapshots === 'missing')) {
      await mkdir(path.dirname(place), { recursive: true })
      await writeFile(place, lockText(now))
    }
    const expected = `the contract ${file}`
    if (isUpdate)
      return matcherResult(this, 'toMatchContract', { pass: true, expected, received: 'written now' })
    if (stored === undefined) {
      const hint =
        updateSnapshots === 'missing'
          ? 'It is written now; run the test again.'
          : 'Run with --update-snapshots.'
      return matcherResult(this, 'toMatchContract', { pass: false, expected, received: 'no such file', hint })
    }
    const drift = compareLocks(parseContract(stored, place), now).filter(({ type }) => !allow.includes(type))
    return matcherResult(this, 'toMatchContract', {
      pass: drift.length === 0,
      expected,
      received: drift.length === 0 ? 'the same' : drift.map(describe).join('; '),
      ...(drift.length > 0 && { hint: 'Run with --update-snapshots if the change is wanted.' }),
    })
  },
}

function describe(drift: Drift): string {
  const details = drift.differences.map(({ what }) => what).join(', ')
  return details === '' ? driftText(drift) : `${driftText(drift)} (${details})`
}
