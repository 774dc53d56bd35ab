import { escaped } from '../../protocol/markup.ts'
import type { ConformanceReport } from './report-schema.ts'

/** The last runs as a strip, oldest first: the height of a bar is the share of its failures. */
export function history({ history: runs = [] }: ConformanceReport): string {
  if (runs.length < 2) return ''
  const most = Math.max(1, ...runs.map(({ failed }) => failed))
  const bars = runs.map(({ number, startedAt, failed, warned }) => {
    const words = `run ${number}, ${startedAt.slice(0, 16).replace('T', ' ')}: ${failed} failed, ${warned} warned`
    const height = failed === 0 ? 6 : 10 + Math.round((22 * failed) / most)
    return `<li class="${failed > 0 ? 'bad' : 'ok'}" style="height:${height}px" title="${escaped(words)}"><span class="vh">${escaped(words)}</span></li>`
  })
  return `<figure class="runs"><figcaption class="small t2">last ${runs.length} runs</figcaption><ol>${bars.join('')}</ol></figure>`
}
