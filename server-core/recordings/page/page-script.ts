/**
 * The script of a page. It is text because it runs in a browser, which has other types; it puts all data into the page as
 * text, never as HTML, and requests nothing.
 */
export const PAGE_SCRIPT = String.raw`
'use strict'
const data = JSON.parse(document.getElementById('data').textContent)
const ROW = 24
const list = document.getElementById('rows')
const detail = document.getElementById('detail')
const search = document.getElementById('search')
const errors = document.getElementById('errors')
const element = (name, text, className) => {
  const made = document.createElement(name)
  if (text !== undefined) made.textContent = text
  if (className) made.className = className
  return made
}
const two = (number, digits) => String(number).padStart(digits, '0')
const clock = (ms) => {
  const date = new Date(ms)
  return two(date.getHours(), 2) + ':' + two(date.getMinutes(), 2) + ':' + two(date.getSeconds(), 2) + '.' + two(date.getMilliseconds(), 3)
}
const day = (ms) => {
  const date = new Date(ms)
  return date.getFullYear() + '-' + two(date.getMonth() + 1, 2) + '-' + two(date.getDate(), 2)
}
const took = (row) => {
  if (row.endedAt === undefined || row.kind !== 'request') return ''
  const ms = row.endedAt - row.startedAt
  return ms < 1 ? ms.toFixed(2) + ' ms' : ms < 1000 ? ms.toFixed(0) + ' ms' : (ms / 1000).toFixed(1) + ' s'
}
const frames = new Map(data.frames.map((frame) => [frame.seq, frame]))
const isError = (row) => ['error', 'tool-error', 'lost'].includes(row.outcome) || row.verdict === 'failed'
const textOf = (row) =>
  [row.serverName, row.method, row.label, row.errorMessage, row.text, ...(row.frames || []).map((seq) => frames.get(seq)?.text)].join('\n').toLowerCase()
let shown = data.rows
let selected

function draw() {
  const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 10)
  const last = Math.min(shown.length, first + Math.ceil(list.clientHeight / ROW) + 20)
  const height = element('div')
  height.style.height = shown.length * ROW + 'px'
  const made = [height]
  for (let place = first; place < last; place += 1) {
    const row = shown[place]
    const line = element('div', undefined, 'row' + (isError(row) ? ' error' : '') + (row.kind === 'mark' ? ' mark' : ''))
    line.style.top = place * ROW + 'px'
    line.setAttribute('role', 'option')
    line.id = 'row-' + place
    line.setAttribute('aria-selected', String(row === selected))
    line.setAttribute('aria-posinset', String(place + 1))
    line.setAttribute('aria-setsize', String(shown.length))
    const arrow = row.kind === 'mark' ? '' : row.direction === 'sent' ? '→ ' : '← '
    const outcome = row.outcome === 'none' || row.outcome === 'ok' || row.outcome === undefined ? '' : row.outcome
    const what = element('span', arrow + [row.method, row.label].filter(Boolean).join('  ') + (row.count > 1 ? '  ×' + row.count : ''), 'what')
    line.append(element('span', clock(row.startedAt), 'time'), element('span', outcome, isError(row) ? 'bad' : ''), what, element('span', took(row), 'took'))
    line.addEventListener('click', () => select(place))
    made.push(line)
  }
  list.replaceChildren(...made)
  const at = shown.indexOf(selected)
  if (at === -1) list.removeAttribute('aria-activedescendant')
  else list.setAttribute('aria-activedescendant', 'row-' + at)
}

function select(place) {
  selected = shown[place]
  if (selected === undefined) return
  const top = place * ROW
  if (top < list.scrollTop) list.scrollTop = top
  if (top + ROW > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW - list.clientHeight
  draw()
  const made = [element('h2', [selected.method, selected.label].filter(Boolean).join('  '))]
  const facts = element('dl')
  const fact = (name, value) => value !== undefined && value !== '' && facts.append(element('dt', name), element('dd', String(value)))
  fact('Server', selected.serverName)
  fact('Started', day(selected.startedAt) + ' ' + clock(selected.startedAt))
  fact('Took', took(selected))
  fact('Outcome', selected.outcome)
  fact('Error', [selected.errorCode, selected.errorMessage].filter((each) => each !== undefined).join(' '))
  fact('Check', selected.check)
  fact('Verdict', selected.verdict)
  made.push(facts)
  if (selected.text) made.push(element('pre', selected.text))
  for (const seq of selected.frames || []) {
    const frame = frames.get(seq)
    if (frame === undefined) continue
    const section = element('section')
    section.append(element('h2', (frame.direction === 'sent' ? '→ ' : '← ') + clock(frame.at) + '  ' + frame.kind + '  ' + frame.bytes.toLocaleString('en') + ' bytes'))
    if (frame.reason) section.append(element('pre', frame.reason, 'bad'))
    if (frame.http) {
      const head = element('details')
      head.append(element('summary', [frame.http.method, frame.http.url, frame.http.status].filter(Boolean).join(' ')))
      const headers = element('dl')
      for (const { name, value } of frame.http.headers) headers.append(element('dt', name), element('dd', value))
      head.append(headers)
      section.append(head)
    }
    if (frame.text) section.append(element('pre', pretty(frame)))
    made.push(section)
  }
  detail.replaceChildren(...made)
  detail.scrollTop = 0
}

function pretty(frame) {
  if (frame.kind !== 'message' || frame.text.length > 1000000) return frame.text
  try {
    // A number that a double would change is shown as it came.
    if (/[:,[]\s*-?\d{16,}/.test(frame.text)) return frame.text
    return JSON.stringify(JSON.parse(frame.text), undefined, 2)
  } catch {
    return frame.text
  }
}

function filter() {
  const words = search.value.trim().toLowerCase()
  shown = data.rows.filter((row) => (!errors.checked || isError(row)) && (words === '' || textOf(row).includes(words)))
  document.getElementById('count').textContent = shown.length.toLocaleString('en') + ' of ' + data.rows.length.toLocaleString('en')
  list.scrollTop = 0
  draw()
}

list.addEventListener('scroll', draw)
list.addEventListener('keydown', (event) => {
  const at = shown.indexOf(selected)
  const page = Math.max(1, Math.floor(list.clientHeight / ROW) - 1)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: shown.length - 1 }[event.key]
  if (to === undefined) return
  event.preventDefault()
  select(Math.min(shown.length - 1, Math.max(0, to)))
})
search.addEventListener('input', filter)
errors.addEventListener('change', filter)
addEventListener('resize', draw)
document.getElementById('search-form').addEventListener('submit', (event) => event.preventDefault())
document.querySelector('h1').textContent = data.title
document.title = data.title + ' – Patchbay recording'
document.getElementById('summary').textContent = day(data.startedAt) + ' ' + clock(data.startedAt) + ' · ' + data.summary
document.getElementById('problems').replaceChildren(...data.problems.map((problem) => element('li', problem)))
filter()
select(0)
`
