import { isJsonObject } from '../../../protocol/json.ts'
import { passiveCheck } from '../../check.ts'
import { shortJson } from '../../probe/outcome.ts'
import { eraSeverity, strayMethods } from '../schema/eras.ts'

const URL_ELICITATION_REQUIRED = -32_042

export const versionKept = passiveCheck(
  'lifecycle.version.kept',
  (transcript) => {
    for (const { message, frame, pointer, revision } of strayMethods(transcript)) {
      transcript.fail({
        expected: `a method of ${revision}`,
        actual: shortJson(message['method']),
        member: `${pointer}/method`,
        frame,
        ...eraSeverity(revision),
      })
    }
    for (const { message, frame, pointer, revision } of transcript.examined(({ message: { error } }) =>
      isJsonObject(error),
    )) {
      const code = isJsonObject(message['error']) ? message['error']['code'] : undefined
      if (code !== URL_ELICITATION_REQUIRED || revision === '2025-11-25') continue
      transcript.fail({
        expected: `an error code of ${revision}`,
        actual: shortJson(code),
        member: `${pointer}/error/code`,
        frame,
        ...eraSeverity(revision),
      })
    }
  },
  { title: 'The negotiated revision is kept' },
)
