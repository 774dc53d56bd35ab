import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { RecordingError } from '../../server-core/capture/recording/recording-error.ts'
import { readChunks } from '../../server-core/capture/recording/recording-reader.ts'
import type { Random } from '../random.ts'
import type { Attack } from './attack.ts'

const RECORDING = path.join(import.meta.dirname, '../compatibility/fixture-0.1.0/recording.ndjson')

/** Values that no recording has where they are put. */
const VALUES = [
  'null',
  '-1',
  '1e999',
  '9007199254740993',
  '""',
  '"../../etc/passwd"',
  '"__proto__"',
  '{"__proto__":{"polluted":1}}',
  '[]',
  '[[[[]]]]',
  'true',
  '"\\u0000\\ud800"',
  '"patchbay-recording"',
  `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
] as const

/** Opens recordings of a stranger: cut, damaged, with other values, repeated lines and foreign bytes. */
export const hostileRecordings: Attack = {
  name: 'hostile-recordings',
  rounds: { smoke: 400, full: 100_000 },
  run: async (random, rounds) => {
    const good = await readFile(RECORDING)
    const findings: string[] = []
    const verdicts = { read: 0, rejected: 0 }
    for (let round = 0; round < rounds; round += 1) {
      const bytes = changed(good, random)
      try {
        for await (const entry of readChunks(inChunks(bytes, random), 'recording')) {
          if (entry.type === 'frame' && !Number.isFinite(entry.at))
            findings.push(`round ${round}: a frame at the time ${entry.at}`)
        }
        verdicts.read += 1
      } catch (error) {
        verdicts.rejected += 1
        if (!(error instanceof RecordingError)) findings.push(`round ${round}: ${String(error)}`)
      }
      if (Object.hasOwn(Object.prototype, 'polluted'))
        findings.push(`round ${round}: Object.prototype changed`)
    }
    const { read, rejected } = verdicts
    return { what: `${rounds} damaged recordings opened, ${read} read, ${rejected} rejected`, findings }
  },
}

function changed(good: Buffer, random: Random): Buffer {
  const lines = good.toString().split('\n')
  const at = random.below(lines.length)
  const line = lines[at] ?? ''
  switch (random.below(7)) {
    case 0:
      return good.subarray(0, random.below(good.length))
    case 1: {
      const bytes = Buffer.from(good)
      for (let flips = 1 + random.below(8); flips > 0; flips -= 1)
        bytes[random.below(bytes.length)] = random.below(256)
      return bytes
    }
    case 2:
      // Another value in place of a member's value.
      lines[at] = line.replace(/:("[^"]*"|-?\d+|true|false|null)/, () => `:${random.pick(VALUES)}`)
      break
    case 3:
      // Without a member.
      lines[at] = line.replace(/"\w+":("[^"]*"|-?\d+),?/, '')
      break
    case 4:
      lines.splice(at, 0, lines[random.below(lines.length)] ?? '')
      break
    case 5:
      lines.splice(at, 0, random.pick(VALUES))
      break
    default:
      return Buffer.concat([good.subarray(0, random.below(good.length)), random.bytes(random.below(4_096))])
  }
  return Buffer.from(lines.join('\n'))
}

async function* inChunks(bytes: Buffer, random: Random): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length;) {
    const length = 1 + random.below(4_096)
    yield await Promise.resolve(bytes.subarray(from, from + length))
    from += length
  }
}
