import { methodNotFound, serveLines, textResult } from './line-server.ts'

const TOOLS = ['stations', 'stations_as_text', 'handbook', 'slow_handbook'].map((name) => ({
  name,
  description: `Returns ${name}.`,
  inputSchema: { type: 'object', properties: {} },
}))

const SKIES = ['clear', 'rain', 'snow', 'fog']

/** As many stations as no screen shows at once, one of them without a temperature, one with a formula for a name. */
const stations = Array.from({ length: 500 }, (_, place) => ({
  id: `S${String(place + 1).padStart(3, '0')}`,
  name: place === 1 ? '=HYPERLINK("http://example.com")' : `Station ${String(place + 1)}`,
  ...(place === 2 ? {} : { temp: Math.round(Math.sin(place / 20) * 150) / 10 }),
  wind: (place * 7) % 23,
  sky: SKIES[place % SKIES.length],
}))

const HANDBOOK = `# Stations

Each station **measures** every hour, see [the map](https://example.com/map).

| sky | meaning |
| --- | ------- |
| fog | < 1 km  |

- first item with \`&lt;code&gt;\` &amp; text
- second item

<img src="https://example.com/pixel.png" onerror="document.title = 'run'">

![a map](https://example.com/map.png)
`

/** Results that are read in other ways than as text: lists of objects, JSON in a text, Markdown. */
serveLines(({ method, params }) => {
  if (method === 'tools/list') return { result: { tools: TOOLS } }
  if (method !== 'tools/call') return methodNotFound
  switch (params['name']) {
    case 'stations':
      return { result: { content: [], structuredContent: { stations } } }
    case 'stations_as_text':
      return textResult(JSON.stringify(stations.slice(0, 3)))
    case 'slow_handbook':
      return textResult(`# Slow\n\n${'[a]('.repeat(7_000)}`)
    default:
      return textResult(HANDBOOK)
  }
})
