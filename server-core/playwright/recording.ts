import { readFile, rm } from 'node:fs/promises'
import type { TestInfo } from '@playwright/test'
import { Recorder } from '../capture/recording/recorder.ts'
import { Redaction } from '../capture/redaction.ts'
import type { AuthorizationOption } from './options.ts'
import type { Timeline } from './timeline/timeline.ts'

/** Begins the recording of a test in its output folder. Secrets of the options are masked in it. */
export async function beginRecording(
  info: TestInfo,
  authorization: AuthorizationOption | undefined,
): Promise<Recorder> {
  const redaction = new Redaction()
  for (const secret of authorizationSecrets(authorization)) redaction.register(secret)
  return Recorder.create(info.outputPath('recording.ndjson'), {
    redaction,
    onTrouble: (text) => {
      info.annotations.push({ type: 'warning', description: text })
    },
  })
}

/** Does something with a finished recording, such as copying its file. */
export type KeepRecording = (file: string) => Promise<void>

const wanted = new WeakMap<Timeline, KeepRecording[]>()

/** Has the recording of a test kept when the test ends, whether it is attached or not. */
export function keepRecording(timeline: Timeline, keep: KeepRecording): void {
  wanted.set(timeline, [...(wanted.get(timeline) ?? []), keep])
}

/** Ends a recording; attaches it, or removes it. */
export async function endRecording(
  recorder: Recorder,
  { isAttached, timeline }: { readonly isAttached: boolean; readonly timeline: Timeline },
  info: TestInfo,
): Promise<void> {
  await recorder.close()
  for (const keep of wanted.get(timeline) ?? []) await keep(recorder.path)
  if (isAttached) {
    await info.attach('recording', {
      body: await readFile(recorder.path),
      contentType: 'application/x-ndjson',
    })
  }
  await rm(recorder.path, { force: true })
}

/** The secrets of an `authorization` option. */
export function authorizationSecrets(authorization: AuthorizationOption | undefined): readonly string[] {
  if (authorization === undefined) return []
  if ('bearer' in authorization) return [authorization.bearer]
  return 'password' in authorization ? [authorization.password] : [authorization.clientSecret]
}
