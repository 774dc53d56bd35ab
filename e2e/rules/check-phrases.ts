/**
 * Lists odd phrases in the files of the repository: `node e2e/rules/check-phrases.ts [PATH…]`, everything by default.
 * Exits 1 if there are any.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { findOddPhrases } from './odd-phrases.ts'

const CHECKED = /\.(?:ts|tsx|cjs|css|html|md|ya?ml)$/
/** Texts of other people, pages made from data, and the rule with its tests. */
const EXEMPT = /^(?:docs\/checks\/|e2e\/rules\/|e2e\/schemas\/|LICENSE|THIRD_PARTY)/

const listed = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...process.argv.slice(2)],
  {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  },
)
const files = listed.split('\n').filter((file) => CHECKED.test(file) && !EXEMPT.test(file))
let count = 0
for (const file of files) {
  for (const { line, phrase, instead } of findOddPhrases(readFileSync(file, 'utf8'))) {
    count++
    console.log(`${file}:${line}: "${phrase}": write ${instead}`)
  }
}
console.log(count === 0 ? `no odd phrases in ${files.length} files` : `${count} odd phrases`)
process.exitCode = count === 0 ? 0 : 1
