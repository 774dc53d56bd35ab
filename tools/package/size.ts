/** `npm run size`: builds the package and prints the sizes of the tarball and of what it installs. */
import { execFile } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

const root = path.resolve(import.meta.dirname, '../..')
const { stdout } = await promisify(execFile)(
  process.execPath,
  [path.join(import.meta.dirname, 'build-package.ts')],
  { cwd: root },
)
const tarball = stdout.trim()
const place = path.join(root, '.build', 'package')
const sizes = new Map<string, number>()
let [total, files] = [0, 0]
for (const entry of await readdir(place, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue
  const file = path.join(entry.parentPath, entry.name)
  const { size } = await stat(file)
  const [first = '', second = ''] = path.relative(place, file).split(path.sep)
  const part = first === 'dist' ? `${first}/${second}` : first
  sizes.set(part, (sizes.get(part) ?? 0) + size)
  total += size
  files += 1
}
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(2).padStart(7)} MB`
console.log(`${megabytes((await stat(tarball)).size)}  ${path.basename(tarball)} (at most 5)`)
console.log(`${megabytes(total)}  installed, in ${files} files, without esbuild (at most 15)`)
for (const [part, size] of [...sizes].sort(([, one], [, other]) => other - one))
  console.log(`${megabytes(size)}    ${part}`)
