/**
 * A program that saves scripts as fast as it is asked to, as other programs do: `node saver.ts FOLDER SAVES SCRIPTS`. It
 * prints when it began and when the last save was done, in milliseconds since 1970.
 */
import { setTimeout } from 'node:timers/promises'
import { adding, saveScript } from './saved-script.ts'

const [folder = '', saves = '0', scripts = '1'] = process.argv.slice(2)
const now = () => performance.timeOrigin + performance.now()
const beganAt = now()
for (let save = 0; save < Number(saves); save += 1) {
  const due = beganAt + save - now()
  if (due > 1) await setTimeout(due)
  await saveScript(folder, `tool${save % Number(scripts)}`, adding(`storm ${save}`))
}
process.stdout.write(JSON.stringify({ beganAt, doneAt: now() }))
