/** What of the computed style a drawing needs to look the same elsewhere. */
const PROPERTIES = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'font-family', 'font-size'] as const

/** A drawing as a file of its own, with the looks that the page gives it. */
export function svgText(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true)
  if (!(copy instanceof SVGSVGElement)) return ''
  const drawn = [...svg.querySelectorAll('*')]
  for (const [place, element] of [...copy.querySelectorAll('*')].entries()) {
    const source = drawn[place]
    if (source === undefined) continue
    const style = getComputedStyle(source)
    for (const property of PROPERTIES) element.setAttribute(property, style.getPropertyValue(property))
    element.removeAttribute('class')
  }
  copy.removeAttribute('class')
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  const { width, height } = svg.viewBox.baseVal
  copy.setAttribute('width', String(width))
  copy.setAttribute('height', String(height))
  return `${new XMLSerializer().serializeToString(copy)}\n`
}
