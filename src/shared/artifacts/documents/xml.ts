/** An element of an XML document. */
export interface XmlElement {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: XmlElement[]
  /** The text in it, without that of its children. */
  text: string
}

const TOKEN =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<\?[\s\S]*?\?>|<\/([^\s<>/]+)\s*>|<([^\s<>/!?]+)((?:\s+[^\s=<>/]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/gy
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>' },
  ...{ quot: '"', apos: "'" },
}

/**
 * Reads the root element of an XML document. Undefined for one that is not well-formed, or that has a document type: its
 * entities could say anything.
 */
export function readXml(text: string): XmlElement | undefined {
  const document: XmlElement = { name: '', attributes: new Map(), children: [], text: '' }
  const open = [document]
  let read = text.startsWith('\uFEFF') ? 1 : 0
  TOKEN.lastIndex = read
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    read = TOKEN.lastIndex
    const [, data, closed, name, attributes = '', empty, plain] = match
    const current = open.at(-1) ?? document
    if (data !== undefined) current.text += data
    else if (plain !== undefined) current.text += unescaped(plain)
    else if (closed !== undefined && (open.length === 1 || open.pop()?.name !== closed))
      return undefined
    else if (name !== undefined) {
      const element = { name, attributes: attributesOf(attributes), children: [], text: '' }
      current.children.push(element)
      if (empty === '') open.push(element)
    }
  }
  const [root, ...more] = document.children
  const isWhole = read === text.length && open.length === 1 && more.length === 0
  return isWhole && document.text.trim() === '' ? root : undefined
}

/** Returns the elements of a name within each other, such as `channel` and `item` in `rss`. */
export function elementsIn(element: XmlElement, ...path: readonly string[]): XmlElement[] {
  return path.reduce<XmlElement[]>(
    (found, name) => found.flatMap(({ children }) => children.filter((each) => each.name === name)),
    [element],
  )
}

function attributesOf(text: string): Map<string, string> {
  return new Map(
    Array.from(text.matchAll(ATTRIBUTE), ([, name = '', double, single = '']) => {
      return [name, unescaped(double ?? single)]
    }),
  )
}

/** Returns the text that XML has for text. */
export function unescaped(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi,
    (entity, hex, decimal, name) => {
      if (name !== undefined) return ENTITIES[name] ?? entity
      const code = Number.parseInt(hex ?? decimal, hex === undefined ? 10 : 16)
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : entity
    },
  )
}
